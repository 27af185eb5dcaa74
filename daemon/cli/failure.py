"""The door of the command line: an error becomes one line, a next step and an exit code."""

import sys

from daemon import client, errors


class CommandFailed(Exception):
    """The command cannot go on: *kind* is a row of the table in `daemon.errors`."""

    def __init__(self, kind: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.hint = hint


def is_expected(error: Exception) -> bool:
    """Whether *error* is made for the owner's eyes: named in the table, or of this room's own."""
    return isinstance(error, client.DaemonError | CommandFailed) or errors.is_expected(error)


def report(error: Exception) -> int:
    """Say on stderr what went wrong and what to do next. Returns the exit code."""
    if isinstance(error, client.DaemonError | CommandFailed):
        outcome = errors.outcome_of(error.kind)
        hint = error.hint or outcome.hint
    else:
        outcome = errors.outcome_of(error)
        hint = getattr(error, "hint", None) or outcome.hint
    message = str(error)
    if isinstance(error, OSError) and error.filename is not None:
        message = f"{error.filename}: {error.strerror}"
    line = f"reverie: {message}"
    if hint and "reverie " not in message and hint not in message:
        line += f": {hint}" if outcome is errors.TABLE["NotRunning"] else f"\n  {hint}"
    print(line, file=sys.stderr)
    return int(outcome.exit)
