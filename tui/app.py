"""The app: three screens over one client. Workers post messages; the handlers here alone change what is shown."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Literal

from textual import on, work
from textual.app import App
from textual.binding import Binding
from textual.driver import Driver
from textual.worker import get_current_worker

from daemon import wire
from daemon.client import Client, Turn
from tui import feed, messages
from tui.screens.chat import ChatScreen
from tui.screens.memory import MemoryScreen
from tui.screens.status import StatusScreen
from tui.widgets.turn import TurnView

RIGHT_ANSWER = "say the right one as “No, it's …”"


def main() -> int:
    """Show the interface of this home's daemon until the owner quits. Returns an exit code."""
    app = ReverieApp(Client.from_environment())
    if not sys.stderr.isatty() and sys.stdout.isatty():
        app.driver_class = _on_stdout(app.driver_class)
    app.run()
    return app.return_code or 0


def _on_stdout(driver: type[Driver]) -> type[Driver]:
    """*driver*, which draws on stderr, drawing on stdout: with stderr in a file, the screen would stay blank."""

    class OnStdout(driver):  # type: ignore[valid-type,misc]
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)
            self._file = sys.__stdout__

    return OnStdout


class ReverieApp(App[None]):
    """
    Chat, memory and status of the daemon behind *client*.

    A terminal of 16 colours gets its own palette; *ansi* None asks the environment which kind it is.
    """

    TITLE = "reverie"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    MODES = {"chat": "chat", "memory": "memory", "status": "status"}
    DEFAULT_MODE = "chat"
    BINDINGS = [Binding("ctrl+q", "quit", "Quit", priority=True)]

    def __init__(self, client: Client, *, ansi: bool | None = None) -> None:
        super().__init__()
        self.client = client
        self.chat = ChatScreen()
        self.memory = MemoryScreen()
        self.status = StatusScreen()
        self._ansi = _few_colours() if ansi is None else ansi
        self._leaving = Event()
        self._events = feed.EventFeed(client, self)
        self._vault: Path | None = None
        self._models: list[str] = []
        self._plain: str | None = None  # the chosen model, and whether memory is asked of it
        self._with_memory = True
        self._turns: list[Turn] = []
        self._serial = 0
        self._judged_next: tuple[str, TurnView] | None = None
        self._reply: feed.Reply | None = None
        self._reply_view: TurnView | None = None
        self._waiting: list[tuple[str, str]] = []  # what was sent, and the model that was asked
        self._query = ""
        self._place: tuple[str, int] | None = None
        self._away = False

    def on_mount(self) -> None:
        """Begin to listen to the daemon."""
        self.theme = "ansi-dark" if self._ansi else "textual-dark"
        self._follow_status()
        self._follow_events()
        self._list_models()

    def on_unmount(self) -> None:
        """Let the threads that listen end."""
        self._leaving.set()
        self._events.close()
        if self._reply is not None:
            self._reply.stop()

    def get_default_screen(self) -> ChatScreen:
        """The chat is where one starts."""
        return self.chat

    def on_load(self) -> None:
        """Screens live as long as the app, so that switching keeps what they show."""
        self.install_screen(self.chat, "chat")
        self.install_screen(self.memory, "memory")
        self.install_screen(self.status, "status")

    # -- the daemon ---

    @work(thread=True, group="status")
    def _follow_status(self) -> None:
        feed.follow_status(self.client, self, self._leaving)

    @work(thread=True, group="events")
    def _follow_events(self) -> None:
        self._events.follow()

    @work(thread=True, group="models", exclusive=True)
    def _list_models(self) -> None:
        feed.list_models(self.client, self)

    @on(messages.StatusRead)
    def _status_read(self, message: messages.StatusRead) -> None:
        self._vault = Path(message.status.vault)
        if self._away:
            self._away = False
            self._list_models()
        self._tell_trouble(None)
        if self.status.is_built:
            self.status.show_status(message.status)
        if self._model is None and message.status.chat_model is not None:
            self._list_models()
        if self.chat.is_built:
            self.chat.show_model(self._model, _speed(message.status, self._model))

    @on(messages.DaemonWentAway)
    def _daemon_went_away(self, message: messages.DaemonWentAway) -> None:
        self._away = True
        self._tell_trouble(message.reason)
        if self.chat.is_built:
            self.chat.show_model(self._model)

    @on(messages.EventHappened)
    def _event_happened(self, message: messages.EventHappened) -> None:
        self.status.add_event(message.event)

    @on(messages.CallFailed)
    def _call_failed(self, message: messages.CallFailed) -> None:
        self.notify(message.reason, severity="error", markup=False)

    def _tell_trouble(self, reason: str | None) -> None:
        for screen in (self.chat, self.memory, self.status):
            if screen.is_built:
                screen.tell_trouble(reason)

    # -- the chat ---

    @property
    def _model(self) -> str | None:
        """The name that is asked: of the chosen model, with memory or without; None while there is none."""
        return f"{self._plain}:memory" if self._plain is not None and self._with_memory else self._plain

    @on(messages.ModelsListed)
    def _models_listed(self, message: messages.ModelsListed) -> None:
        self._models = [model.name for model in message.models if model.kind == "chat" and model.installed]
        if self._plain not in self._models:
            self._plain = self._models[0] if self._models else None
        self.refresh_bindings()
        if self.chat.is_built:
            self.chat.show_model(self._model)

    @on(messages.QuestionSent)
    def _question_sent(self, message: messages.QuestionSent) -> None:
        if self._model is None:
            self.chat.give_back([message.text])
            self.notify("no chat model is installed: `reverie models pull smollm2-135m-instruct`", severity="warning")
        elif self._reply is not None:
            self._waiting.append((message.text, self._model))
            self._show_waiting()
        else:
            self._ask(message.text, self._model)

    def _ask(self, text: str, model: str) -> None:
        """Send *text* as this chat's next turn, and show the reply of *model* as it comes."""
        self._serial += 1
        self._turns.append(Turn("user", text))
        self.chat.add_turn("you", text)
        self._reply_view = self.chat.add_turn(model)
        self._reply = feed.Reply(self.client, self, self._serial, tuple(self._turns), model)
        self._stream(self._reply)

    @work(thread=True, group="replies")
    def _stream(self, reply: feed.Reply) -> None:
        reply.stream()
        if get_current_worker().is_cancelled:
            reply.stop()

    @on(messages.ReplyGrew)
    def _reply_grew(self, message: messages.ReplyGrew) -> None:
        if message.serial != self._serial or self._reply_view is None:
            return
        self._reply_view.extend(message.chunk.text)
        if message.chunk.memory is not None:
            self.chat.show_memory(self._reply_view, message.chunk.memory)
            if message.chunk.memory.exchange is not None:
                self._judged_next = (message.chunk.memory.exchange, self._reply_view)

    @on(messages.ReplyEnded)
    def _reply_ended(self, message: messages.ReplyEnded) -> None:
        if message.serial != self._serial:
            return
        self._finish_reply("stopped" if message.stopped else None)
        if self._waiting and self.chat.is_built:
            text, model = self._waiting.pop(0)
            self._show_waiting()
            self._ask(text, model)

    @on(messages.ReplyFailed)
    def _reply_failed(self, message: messages.ReplyFailed) -> None:
        if message.serial != self._serial:
            return
        unanswered = self._reply_view is not None and not self._reply_view.text and self._turns
        self._finish_reply(message.reason)
        self._give_back([self._turns.pop().content] if unanswered else [])

    def _finish_reply(self, trouble: str | None) -> None:
        if self._reply_view is not None:
            if self._reply_view.text:
                self._turns.append(Turn("assistant", self._reply_view.text))
            if trouble is not None:
                self._reply_view.note(trouble, "problem")
        self._reply = None
        self._reply_view = None

    def _give_back(self, texts: list[str]) -> None:
        """Put what is not answered back into the field: *texts*, then what waits."""
        if not self.chat.is_built:
            return
        self.chat.give_back([*texts, *(text for text, _ in self._waiting)])
        self._waiting.clear()
        self._show_waiting()

    def _show_waiting(self) -> None:
        self.chat.show_waiting([text for text, _ in self._waiting])

    def action_judge(self, verdict: Literal["up", "down"]) -> None:
        """Say that the last reply was good, or bad; the night learns from it."""
        if self._judged_next is not None:
            self._judge(verdict, self._judged_next[0], self._serial)

    @work(thread=True, group="feedback", exclusive=True)
    def _judge(self, verdict: Literal["up", "down"], exchange: str, serial: int) -> None:
        feed.judge(self.client, self, verdict, exchange, serial)

    @on(messages.FeedbackNoted)
    def _feedback_noted(self, message: messages.FeedbackNoted) -> None:
        if message.serial != self._serial or self._judged_next is None:
            return
        _, view = self._judged_next
        view.note("▲ a good answer: noted" if message.verdict == "up" else f"▼ noted; {RIGHT_ANSWER}", "change")
        self._judged_next = None

    def action_stop_reply(self) -> None:
        """Hang up on the running reply, if there is one."""
        if self._reply is not None:
            self._reply.stop()

    def action_new_chat(self) -> None:
        """Forget this conversation's turns; memory keeps what it learned."""
        self.action_stop_reply()
        self._give_back([])
        self._serial += 1
        self._reply = None
        self._reply_view = None
        self._turns.clear()
        self.chat.clear_turns()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """There is a next model only where several are installed."""
        return action != "next_model" or len(self._models) > 1

    def action_next_model(self) -> None:
        """Choose the next installed model, with memory or without as before."""
        if self._plain in self._models:
            self._plain = self._models[(self._models.index(self._plain) + 1) % len(self._models)]
            self.chat.show_model(self._model)

    def action_turn_memory(self) -> None:
        """Chat without memory, or with it again."""
        self._with_memory = not self._with_memory
        self.chat.show_model(self._model)

    # -- the memory ---

    @on(messages.QueryChanged)
    def _query_changed(self, message: messages.QueryChanged) -> None:
        self._query = message.query.strip()
        self._look(self._query)

    @work(thread=True, group="search", exclusive=True)
    def _look(self, query: str) -> None:
        if query:
            feed.search(self.client, self, query)
        else:
            feed.list_pages(self.client, self)

    @on(messages.HitsFound)
    def _hits_found(self, message: messages.HitsFound) -> None:
        if message.query == self._query and self.memory.is_built:
            self.memory.show_hits(message.reply)

    @on(messages.PagesListed)
    def _pages_listed(self, message: messages.PagesListed) -> None:
        if not self._query and self.memory.is_built:
            here = self._place[0] if self._place else None
            self.memory.show_pages(message.pages, here)
            if here is None and message.pages:
                self.post_message(messages.PageChosen(message.pages[0].path))

    @on(messages.PageChosen)
    async def _page_chosen(self, message: messages.PageChosen) -> None:
        self._place = (message.path, message.line)
        if self.current_mode != "memory":
            await self.switch_mode("memory")
        self._read_page(message.path, message.line, opened=message.opened)

    @work(thread=True, group="page", exclusive=True)
    def _read_page(self, path: str, line: int, *, opened: bool) -> None:
        feed.read_page(self.client, self, path, line, opened=opened)

    @on(messages.PageRead)
    def _page_read(self, message: messages.PageRead) -> None:
        if self._place == (message.page.path, message.line) and self.memory.is_built:
            self.memory.show_page(message.page, message.line)

    def action_edit_page(self) -> None:
        """Open the page that is shown in the owner's editor, at its line, and show it anew afterwards."""
        if self._place is None or self._vault is None:
            return
        path, line = self._place
        command = editor_command(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi", self._vault / path, line)
        try:
            with self.suspend():
                subprocess.run(command, check=False)
        except OSError as error:
            self.notify(f"{command[0]}: {error.strerror}; set $EDITOR to your editor", severity="error", markup=False)
        self._read_page(path, line, opened=True)


def editor_command(editor: str, path: Path, line: int) -> list[str]:
    """*editor* as the shell would split it, at *line* for the editors that are known to take `+LINE`."""
    words = shlex.split(editor)
    takes_line = Path(words[0]).name in {"vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe"}
    return [*words, *([f"+{line}"] if takes_line else []), str(path)]


def _few_colours() -> bool:
    """Whether the terminal promises no more than its own 16 colours."""
    if os.environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return False
    return "256color" not in os.environ.get("TERM", "")


def _speed(status: wire.Status, model: str | None) -> str:
    """What the chosen model's worker is doing, in a few words."""
    plain = (model or "").removesuffix(":memory")
    for worker in status.workers:
        if worker.model == plain:
            speed = f", {worker.tokens_per_second:.0f} tok/s" if worker.tokens_per_second else ""
            return f"({worker.state}{speed})"
    return ""
