"""`reverie remember`, `reverie forget`, `reverie undo`: what changes memory, and what takes it back."""

import argparse
import sys

from daemon import plain, wire
from daemon.cli import output
from daemon.cli.failure import CommandFailed
from daemon.client import Client


def configure(command: str, parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the reply as JSON")
    if command == "remember":
        parser.add_argument("words", nargs="+", help="what to remember; - reads it from stdin")
        parser.add_argument("--page", metavar="PATH", help="file it on this page (default: chosen by topic)")
        parser.add_argument("--verbatim", action="store_true", help="file the words as they are")
        parser.set_defaults(run=remember)
    elif command == "forget":
        parser.add_argument("what", nargs="+", help="a fact's name, as in [name] value, or a page's path")
        parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
        parser.set_defaults(run=forget)
    else:
        parser.add_argument(
            "id",
            nargs="?",
            help="which change (`reverie memory history`); default: reverie's newest, unless it is a forget",
        )
        parser.set_defaults(run=undo)


def remember(arguments: argparse.Namespace) -> int:
    """Print what became of the words, and how to take it back."""
    words = sys.stdin.read().strip() if arguments.words == ["-"] else " ".join(arguments.words)
    if not words:
        raise CommandFailed("RequestInvalid", "there is nothing to remember: stdin is empty")
    reply = Client.from_environment().remember(words, page=arguments.page, verbatim=arguments.verbatim)
    if arguments.json:
        output.print_json(reply)
        return 0
    output.print_changes(reply.changes)
    if reply.noted is not None:
        print(f"  noted at {output.paint(plain.place(reply.noted), 'cyan')}")
    if reply.commit is not None:
        output.narrate(f"`reverie undo {reply.commit[:10]}` takes it back")
    if reply.notice is not None:
        output.narrate(reply.notice)
    elif reply.commit is None and not reply.changes:
        output.narrate("memory knew that already")
    return 0


def forget(arguments: argparse.Namespace) -> int:
    """Show what would go, ask once, remove it everywhere."""
    client = Client.from_environment()
    what = " ".join(arguments.what)
    if not arguments.yes:
        found = client.forget(what)
        if not sys.stdin.isatty():
            if arguments.json:
                output.print_json(found)
            raise CommandFailed("WouldLoseText", "forgetting cannot be undone and nobody is there to ask", "add --yes")
        _print_matches(found.matches)
        if not _agreed(f"Remove {len(found.matches)} and every trace of it? This cannot be undone. [y/N] "):
            output.narrate("nothing was removed")
            return 0
    reply = client.forget(what, confirm=True)
    if arguments.json:
        output.print_json(reply)
        return 0
    if arguments.yes:
        _print_matches(reply.matches)
    output.print_changes(reply.changes)
    if not reply.done:
        output.narrate("nothing of it is left to remove")
        return 0
    print(f"forgotten: {what}")
    for where in reply.places:
        output.narrate(f"  cleared {where}")
    return 0


def _agreed(question: str) -> bool:
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def undo(arguments: argparse.Namespace) -> int:
    """Print which change was taken back, of when, on which pages."""
    commit = Client.from_environment().undo(arguments.id)
    if arguments.json:
        output.print_json(commit)
    else:
        which = f"{commit.undone[:10]} of {(commit.undone_when or '')[:16].replace('T', ' ')}" if commit.undone else ""
        print(f"undone: {which}  {commit.message.splitlines()[0].removeprefix('Undo: ')}")
        for path in commit.paths:
            print(f"  {output.paint(path, 'cyan')}")
        if commit.notice:
            output.narrate(commit.notice)
        if commit.id:
            output.narrate(f"`reverie undo {commit.id[:10]}` makes the change again")
    return 0


def _print_matches(matches: list[wire.FactLine]) -> None:
    for fact in matches:
        value = fact.value if fact.value is not None else "?"
        print(f"  [{fact.attribute}] {value}  {output.paint(f'{fact.path}:{fact.line}', 'cyan')}")
