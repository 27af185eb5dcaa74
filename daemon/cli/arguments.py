"""The parser of every command: argparse, with the word that was probably meant."""

import argparse
import difflib
import re
from typing import NoReturn

SAID = {
    "list": "ls",
    "remove": "rm",
    "delete": "rm",
    "log": "history",
    "get": "show",
    "cat": "show",
    "rebuild": "reindex",
}
_WRONG = re.compile(r"argument ACTION: invalid choice: '([^']*)' \(choose from (.*)\)")


class Parser(argparse.ArgumentParser):
    """Its subcommands are parsed by parsers of this kind too."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2 and *message*, and with the nearest action where none has the name given."""
        if wrong := _WRONG.fullmatch(message):
            actions = re.findall(r"[\w-]+", wrong[2])
            near = (
                [said] if (said := SAID.get(wrong[1])) in actions else difflib.get_close_matches(wrong[1], actions, 1)
            )
            meant = f"did you mean `{self.prog} {near[0]}`?" if near else f"there are {', '.join(actions)}"
            message = f"there is no action {wrong[1]!r}; {meant}"
        super().error(message)
