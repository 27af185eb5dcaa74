"""`reverie chat` and `reverie ask`."""

import argparse
import contextlib
import sys

from daemon import wire
from daemon.cli import output
from daemon.cli.failure import CommandFailed
from daemon.client import Client, Turn
from daemon.errors import Exit

WORDS = (
    "one message; -: all of stdin as one; none: a conversation, in which each line that is not empty is a message, "
    "typed or piped"
)
HELP = "/new begins anew, /quit or Ctrl-D leaves, Ctrl-C stops a reply"


def configure(command: str, parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-m", "--model", metavar="MODEL", help="which model (`reverie models ls`)")
    parser.add_argument("--json", action="store_true", help="the reply as JSON")
    if command == "ask":
        parser.add_argument("question", nargs="+", help="the question; - reads it from stdin")
        parser.add_argument("-n", "--limit", type=int, default=8, metavar="N", help="consider N passages (default 8)")
        parser.set_defaults(run=ask)
    else:
        parser.add_argument("words", nargs="*", help=WORDS)
        parser.add_argument("--no-memory", action="store_true", help="neither read nor write memory")
        parser.set_defaults(run=chat)


def ask(arguments: argparse.Namespace) -> int:
    """Print the answer and where it was read. Exit code 14 where memory holds no sure answer."""
    question = _words(arguments.question)
    answer = Client.from_environment().ask(question, model=arguments.model, limit=arguments.limit)
    if arguments.json:
        output.print_json(answer)
    else:
        print(answer.text)
        output.print_sources(answer.sources)
    return int(Exit.UNSURE if answer.kind in ("unsure", "forgotten", "near", "unknown") else Exit.OK)


def chat(arguments: argparse.Namespace) -> int:
    """One message and its reply; or, without words, a conversation: typed, or line by line from a pipe."""
    client = Client.from_environment()
    model = arguments.model or _default_model(client, memory=not arguments.no_memory)
    if arguments.words or not sys.stdin.isatty():
        said = [_words(arguments.words)] if arguments.words else [line.strip() for line in sys.stdin]
        turns: list[Turn] = []
        for words in filter(None, said):
            turns.append(Turn("user", words))
            turns.append(Turn("assistant", _reply(client, model, turns, as_json=arguments.json)))
        if not turns:
            raise CommandFailed("RequestInvalid", "there is nothing to say: stdin is empty")
        return 0
    return _converse(client, model, as_json=arguments.json)


def _words(words: list[str]) -> str:
    return sys.stdin.read().strip() if words == ["-"] else " ".join(words)


def _default_model(client: Client, *, memory: bool) -> str:
    name = client.status().chat_model
    if name is None:
        raise CommandFailed(
            "NoModel", "no chat model is installed", "`reverie models pull starter` fetches a small one"
        )
    return f"{name}:memory" if memory else name


def _converse(client: Client, model: str, *, as_json: bool) -> int:
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - gives input() its line editing and history

    output.narrate(output.paint(f"{model}; {HELP}", "dim", sys.stderr))
    turns: list[Turn] = []
    while True:
        try:
            words = input(output.paint("> ", "green")).strip()
        except EOFError:
            print()
            return 0
        if words in ("/quit", "/exit", "/bye"):
            return 0
        if words == "/new":
            turns.clear()
        elif words in ("/help", "/?"):
            output.narrate(HELP)
        elif words:
            turns.append(Turn("user", words))
            try:
                turns.append(Turn("assistant", _reply(client, model, turns, as_json=as_json)))
            except KeyboardInterrupt:
                turns.pop()
                output.narrate("\n(stopped)")


def _reply(client: Client, model: str, turns: list[Turn], *, as_json: bool) -> str:
    """Print the reply as it is written, then its sources and what it changed. Returns its text."""
    pieces: list[str] = []
    memory: wire.ChatMemory | None = None
    thinking = False
    with client.chat_stream(turns, model=model) as stream:
        for chunk in stream:
            memory = chunk.memory or memory
            pieces.append(chunk.text)
            if as_json:
                continue
            if chunk.reasoning and sys.stderr.isatty():
                thinking = True
                sys.stderr.write(output.paint(chunk.reasoning, "dim", sys.stderr))
                sys.stderr.flush()
            if chunk.text:
                if thinking:
                    thinking = False
                    sys.stderr.write("\n")
                sys.stdout.write(chunk.text)
                sys.stdout.flush()
    text = "".join(pieces)
    if as_json:
        output.print_json({"model": model, "text": text, "memory": memory})
        return text
    if not text.endswith("\n"):
        print()
    if memory is not None:
        output.print_sources(memory.sources)
        output.print_changes(memory.changes)
    return text
