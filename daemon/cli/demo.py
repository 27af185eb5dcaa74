"""
`reverie demo`: a short session on a temporary home, every step printed and checked.

The demo has a daemon of its own, on a home that is deleted afterwards; only the model files are shared with the
owner's. What it shows is the product itself: words told in chat, a page edited on disk, questions answered with the
lines that they were read from.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from daemon import plain, wire
from daemon.cli import output, process
from daemon.cli.models import STARTER, pull_here
from daemon.client import Client, DaemonError, Turn
from daemon.lock import holder_of
from daemon.paths import Paths

TOLD = (
    "Our team lead is Tom Vega.",
    "Our weekly report goes to Lena Brandt.",
    "My favourite tea is Lapsang.",
)
NOTE = "# Garden\n\nThe tomatoes stand by the south wall.\nWater them on Monday.\n"
FOUND_WITHIN_S = 10.0


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    parser.add_argument("--keep", action="store_true", help="keep the temporary home, and print where it is")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the session. Exit code 1 where a step did not do what it should."""
    models = _models_folder()
    root = Path(tempfile.mkdtemp(prefix="reverie-demo-"))
    stage = Stage(root)
    try:
        with daemon_on(root, models) as client:
            play(stage, client)
    finally:
        if arguments.keep:
            output.narrate(f"the home of the demo is kept: {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)
    if stage.failed:
        print(output.paint(f"\n{stage.failed} of {stage.checked} checks failed", "red"))
        return 1
    print(output.paint(f"\nall {stage.checked} checks passed", "green"))
    return 0


class Stage:
    """Prints the steps and keeps count of what was as it should be."""

    def __init__(self, root: Path) -> None:
        self.vault = root / "memory"
        self.number = 0
        self.checked = 0
        self.failed = 0

    def step(self, text: str) -> None:
        """Announce a step."""
        self.number += 1
        print(output.paint(f"\n{self.number}. {text}", "bold"), flush=True)

    def check(self, fact: str, holds: bool) -> None:
        """Say whether *fact* holds, and remember it."""
        self.checked += 1
        self.failed += not holds
        mark = output.paint("ok", "green") if holds else output.paint("NOT SO", "red")
        print(f"   {mark}: {fact}", flush=True)

    def quote(self, text: str) -> None:
        """Show what was said or written."""
        for line in text.strip().splitlines() or ["(nothing)"]:
            print(output.paint(f"   | {line}", "dim"))


def play(stage: Stage, client: Client) -> None:
    """The session itself."""
    status = client.status()
    model = f"{status.chat_model}:memory"
    stage.step(f"A fresh memory in {status.vault}, and {model} to talk with")
    stage.check("the daemon serves and has a chat model", status.ready and status.chat_model is not None)

    stage.step("Three things are told in chat")
    turns: list[Turn] = []
    for words in TOLD:
        turns.append(Turn("user", words))
        print(f"   you:     {words}")
        reply, memory = _chat(client, model, turns)
        turns.append(Turn("assistant", reply))
        print(f"   reverie: {' '.join(reply.split())}")
        for change in memory.changes if memory else []:
            print(f"            [{change.attribute}] {change.after}  ({change.path}:{change.line})")
    journal = "".join(file.read_text("utf-8") for file in sorted(stage.vault.glob("journal/*/*.md")))
    stage.check("every word of it is in the journal", all(words in journal for words in TOLD))
    facts = "".join(file.read_text("utf-8") for file in sorted(stage.vault.glob("facts/*.md")))
    stage.quote("\n".join(line for line in facts.splitlines() if line.startswith("- [")))
    stage.check("memory holds the team lead as a fact", "[team lead] Tom Vega" in facts)

    stage.step("A note is saved in the vault by an editor, and found")
    note = stage.vault / "notes" / "Garden.md"
    _save_as_editor(note, NOTE)
    took_s = _until_found(client, "where do the tomatoes stand", "south wall")
    stage.check(f"found {_ms(took_s)} after the save", took_s is not None)

    stage.step("The same note is edited: the tomatoes move")
    _save_as_editor(note, NOTE.replace("south wall", "greenhouse door"))
    took_s = _until_found(client, "where do the tomatoes stand", "greenhouse door")
    stage.check(f"found in its new form {_ms(took_s)} after the save", took_s is not None)
    stale = any("south wall" in hit.text + hit.snippet for hit in client.search("tomatoes south wall").hits)
    stage.check("nothing shows the old text", not stale)

    stage.step("The owner corrects a fact on its page: the team lead is now Mina Olsen")
    page = _page_with(stage.vault, "[team lead]")
    if page is not None:
        before = page.read_text("utf-8")
        _save_as_editor(page, before.replace("[team lead] Tom Vega", "[team lead] Mina Olsen"))
        _until_found(client, "team lead", "Mina Olsen")
        stage.quote("\n".join(line for line in page.read_text("utf-8").splitlines() if "[team lead]" in line))
    stage.check("the page holds the owner's line", page is not None and "Mina Olsen" in page.read_text("utf-8"))

    stage.step("Questions, answered with the lines they were read from")
    for question, expected in (
        ("Who is our team lead?", r"Mina Olsen"),
        ("Who does our weekly report go to?", r"Lena Brandt"),
        ("What is my favourite tea?", r"Lapsang"),
        ("Where do the tomatoes stand?", r"greenhouse"),
    ):
        answer = client.ask(question)
        print(f"   you:     {question}")
        print(f"   reverie: {' '.join(answer.text.split())}")
        for source in answer.sources[:3]:
            print(f"            {output.paint(plain.place(source), 'cyan')}")
        evidence = answer.text + "\n" + "\n".join(source.text for source in answer.sources)
        stage.check(f"the answer or its sources say {expected}", re.search(expected, evidence) is not None)
        stage.check("the sources are lines that exist", _exist(stage.vault, answer.sources))

    stage.step("The last change of the daemon is undone")
    remembered = client.remember("Our team lead is Arno Weiss.")
    output_before = _facts_text(stage.vault)
    commit = client.undo(remembered.commit)
    print(f"   {commit.id[:10]}  {commit.message.splitlines()[0]}")
    stage.check(
        "the page is as it was",
        "[team lead] Arno Weiss" in output_before and "[team lead] Arno Weiss" not in _facts_text(stage.vault),
    )


@contextlib.contextmanager
def daemon_on(root: Path, models: Path) -> Iterator[Client]:
    """A daemon on the home *root* with a port of its own, ended on leaving."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
    environ |= {"REVERIE_HOME": str(root), "REVERIE_MODELS_DIR": str(models), "REVERIE_SERVER_PORT": "0"}
    if (models / STARTER[0]).is_dir():
        environ["REVERIE_MODELS_CHAT"] = STARTER[0]
    paths = Paths.find(environ)
    process.spawn([], environ)
    holder = holder_of(paths.lock)
    try:
        yield Client(socket_path=paths.socket)
    finally:
        if holder is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(holder.pid, signal.SIGTERM)
            if not process.await_end(paths.lock, 30):
                os.kill(holder.pid, signal.SIGKILL)
                process.await_end(paths.lock, 5)


def _models_folder() -> Path:
    """The owner's model files, fetched now if there is no chat model among them."""
    from daemon import config
    from models.catalog import Catalog

    paths = Paths.find()
    settings = config.load(paths)
    folder = settings.models_path(paths)
    if not any(model.kind == "chat" for model in Catalog(folder).installed()):
        output.narrate("no chat model is installed: fetching the starter models")
        pull_here("starter", settings)
    return folder


def _chat(client: Client, model: str, turns: list[Turn]) -> tuple[str, wire.ChatMemory | None]:
    text, memory = "", None
    with client.chat_stream(turns, model=model, max_tokens=60, temperature=0) as stream:
        for chunk in stream:
            text += chunk.text
            memory = chunk.memory or memory
    return text, memory


def _save_as_editor(file: Path, text: str) -> None:
    """Save as vim does: write another file beside it, then rename it over the page."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.swp")
    beside.write_text(text, "utf-8")
    beside.replace(file)


def _until_found(client: Client, query: str, text: str) -> float | None:
    """Seconds until a search for *query* shows *text*; None where it never does."""
    start = time.monotonic()
    while time.monotonic() - start < FOUND_WITHIN_S:
        with contextlib.suppress(DaemonError):
            if any(text in hit.text + hit.snippet for hit in client.search(query).hits):
                return time.monotonic() - start
        time.sleep(0.02)  # what is measured is the search itself, so it is asked and not told
    return None


def _ms(seconds: float | None) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds is not None else "not even 10 s"


def _page_with(vault: Path, words: str) -> Path | None:
    return next((file for file in sorted(vault.glob("facts/*.md")) if words in file.read_text("utf-8")), None)


def _facts_text(vault: Path) -> str:
    """Facts that are current: the pages without their past."""
    return "\n".join(file.read_text("utf-8").partition("## Past")[0] for file in sorted(vault.glob("facts/*.md")))


def _exist(vault: Path, sources: list[wire.Source]) -> bool:
    """Whether there are sources, and each names lines that its page has."""
    for source in sources:
        file = vault / source.path
        if not file.is_file():
            return False
        if not 1 <= source.start_line <= source.end_line <= len(file.read_text("utf-8").splitlines()):
            return False
    return bool(sources)
