"""
The command `reverie`: finds the module of the command that was named and imports nothing else.

A command's module has `configure(command, parser)`, which adds the arguments and sets `run`, a function from the parsed
arguments to an exit code. What goes wrong is raised; `main` is the one place that prints it and turns it into an exit
code by the table in `daemon.errors`. stdout is data, stderr is narration.
"""

import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse


class Command(NamedTuple):
    """One command: the module under `daemon.cli` that knows it, what it does, and an example to copy."""

    module: str
    summary: str
    example: str


COMMANDS: dict[str, Command] = {
    "chat": Command("chat", "talk with a model that remembers", 'reverie chat "our team lead is now Mina"'),
    "ask": Command("chat", "ask memory a question", 'reverie ask "who is our team lead?"'),
    "remember": Command("remember", "tell memory something", 'reverie remember "our team lead is Mina Olsen"'),
    "search": Command("search", "find passages in the vault", "reverie search --limit 5 weekly report"),
    "recall": Command("facts", "what a fact is, since when and why", 'reverie recall "weekly report recipient"'),
    "why": Command("facts", "the chain of causes behind a fact", 'reverie why "[code reviewer]"'),
    "what-if": Command("facts", "what would follow from a change", 'reverie what-if "team lead = Arno"'),
    "graph": Command("facts", "draw what hangs on what", "reverie graph --format mermaid"),
    "forget": Command("remember", "remove a fact everywhere", 'reverie forget "guest wifi password"'),
    "undo": Command("remember", "take back a change of the daemon", "reverie undo"),
    "proposals": Command("proposals", "changes that met an edit of yours, and wait", "reverie proposals ls"),
    "memory": Command("memory", "list, show, edit and reindex pages", "reverie memory status notes/todo.md"),
    "mcp": Command("mcp", "memory for programs that speak MCP, over stdio", "reverie mcp"),
    "models": Command("models", "list, fetch, check, measure and remove models", "reverie models pull starter"),
    "bench": Command("bench", "how well memory answers with a model", "reverie bench memory"),
    "status": Command("process", "what the daemon is doing", "reverie status --json"),
    "start": Command("process", "start the daemon in the background", "reverie start"),
    "stop": Command("process", "stop the daemon", "reverie stop"),
    "serve": Command("process", "run the daemon in the foreground", "reverie serve --port 7078"),
    "logs": Command("process", "show the daemon's log", "reverie logs -f"),
    "night": Command("night", "what dreams did, and dreaming by hand", "reverie night run --now"),
    "doctor": Command("doctor", "what is wrong or odd, and what to do", "reverie doctor"),
    "config": Command("doctor", "settings and where each comes from", "reverie config show"),
    "service": Command("service", "start the daemon at every login", "reverie service install"),
    "demo": Command("demo", "a short session on a temporary home", "reverie demo"),
    "completion": Command("completion", "print completions for a shell", "reverie completion bash"),
    "version": Command("doctor", "print the version", "reverie version"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line *argv* (without the program's name). Returns its exit code; never raises but SystemExit."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has seen enough. What is still buffered must not raise again when the interpreter exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _prepare_streams() -> None:
    """What goes to a stream that the caller closed (`>&-`) goes nowhere; what its encoding lacks becomes codes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 (for the process's life)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run(arguments: list[str]) -> int:
    if not arguments:
        return _bare()
    name = arguments[0]
    if name in ("-h", "--help", "help"):
        if len(arguments) > 1 and arguments[1] in COMMANDS:
            return _run([arguments[1], "--help"])
        print(overview())
        return 0
    if name in ("-V", "--version"):
        name = "version"
    if name not in COMMANDS:
        return _unknown(name)
    if not all(_is_text(argument) for argument in arguments):
        print("reverie: an argument is not UTF-8 text", file=sys.stderr)
        return 2
    parsed = parser_of(name).parse_args(arguments[1:])
    run: Callable[[argparse.Namespace], int] = parsed.run
    return _guarded(lambda: run(parsed))


def _guarded(run: Callable[[], int]) -> int:
    """The door: what the error table knows becomes a line and an exit code; anything else is a bug, with its trace."""
    try:
        return run()
    except BrokenPipeError:
        raise
    except Exception as error:
        from daemon.cli.failure import is_expected, report

        if not is_expected(error):
            raise
        return report(error)


def parser_of(name: str) -> "argparse.ArgumentParser":
    """The arguments of the command *name*."""
    import argparse

    from daemon.cli.arguments import Parser

    command = COMMANDS[name]
    parser = Parser(
        prog=f"reverie {name}",
        description=command.summary[0].upper() + command.summary[1:] + ".",
        epilog=f"example:\n  {command.example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    importlib.import_module(f"daemon.cli.{command.module}").configure(name, parser)
    return parser


def overview() -> str:
    """What `reverie --help` prints."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items()]
    return "\n".join(
        [
            "usage: reverie [COMMAND] [ARGUMENTS]",
            "",
            "A local assistant that keeps its memory as markdown files. Without a command: the terminal interface.",
            "",
            *lines,
            "",
            "`reverie COMMAND --help` tells more, with an example. Exit codes: `man reverie` or the README.",
        ]
    )


def _bare() -> int:
    """The terminal interface, with the daemon started if need be; without a terminal, the overview."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(overview())
        return 0
    from daemon.cli.process import ensure_running

    def interface() -> int:
        ensure_running()
        # By name, since the rooms below know nothing of the room above: the interface is a guest here.
        run: Callable[[], int | None] = importlib.import_module("tui.app").main
        return run() or 0

    return _guarded(interface)


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:  # bytes that the system could not decode
        return False
    return True


def _unknown(name: str) -> int:
    import difflib

    near = difflib.get_close_matches(name, COMMANDS, 1)
    hint = f"did you mean `reverie {near[0]}`?" if near else "`reverie --help` lists the commands"
    print(f"reverie: there is no command {name!r}; {hint}", file=sys.stderr)
    return 2
