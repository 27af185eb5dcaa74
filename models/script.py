"""
What a fake model says, as its owner wrote it: a table in its model.toml.

    kind = "chat"
    backend = "fake"

    [fake]
    mode = "context"                            # the best line of what it was shown; "echo" is the default
    replies = { "favourite tea" = "Oolong." }   # comes first: what a question with these words gets
"""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from models.errors import ModelLoadFailed

UNKNOWN = "I do not know."

_TURN = re.compile(r"<\|im_start\|>(\w+)\n(.*?)<\|im_end\|>", re.DOTALL)
_COMMON = (
    "a an and are as at be been by did do does for from had has have how i in is it me my of on or our that the their "
    "this to was we were what when where which who whose why will with you your"
)
_COMMON_WORDS = frozenset(_COMMON.split())


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[fake]` table. *replies* maps words of a question to the answer."""

    mode: Literal["context", "echo"] = "echo"
    replies: dict[str, str] = {}

    def reply(self, prompt: str, *, bound: bool) -> str | None:
        """What the script says to a prompt in ChatML; None: nothing. *bound*: by a grammar."""
        turns = _TURN.findall(prompt) or [("user", prompt)]
        question = next((text for role, text in reversed(turns) if role == "user"), "")
        for words, answer in self.replies.items():
            if words.casefold() in question.casefold():
                return answer
        if self.mode == "echo" or bound:
            return None
        return _best_line(question, [text for _, text in turns if text is not question])


def read_script(folder: Path) -> Script:
    """
    The script of the fake model in *folder*; an empty one where there is none.

    Raises:
        ModelLoadFailed: it cannot be read, or has a key that is none.
    """
    try:
        settings = tomllib.loads((folder / "model.toml").read_text(encoding="utf-8"))
        return msgspec.convert(settings.get("fake", {}), Script)
    except (FileNotFoundError, NotADirectoryError):
        return Script()
    except (OSError, ValueError) as error:
        raise ModelLoadFailed(folder.name, str(error)) from error


def _best_line(question: str, shown: Sequence[str]) -> str:
    """The line that shares most words with *question*, the first of equals."""
    wanted = _words(question)
    lines = [line.strip() for text in shown for line in text.splitlines() if line.strip()]
    best = max(lines, key=lambda line: len(wanted & _words(line)), default="")
    return best if wanted & _words(best) else UNKNOWN


def _words(text: str) -> frozenset[str]:
    """Words that carry meaning, without a plural s."""
    return frozenset(w.removesuffix("s") for w in re.findall(r"\w+", text.casefold()) if w not in _COMMON_WORDS)
