"""
What the night keeps between runs, all of it in the state folder and deletable: then it only has to learn again.

A file that cannot be read counts as empty. Files are replaced whole; questions are appended, one a line.
"""

import contextlib
import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from memory_store.tuning import Tuning

log = logging.getLogger(__name__)
T = TypeVar("T")
MOST_PAIRS = 5000
MOST_QUESTIONS = 500


class Access(msgspec.Struct):
    """How often passages were *found*, when *last*, and which were found *together* (`a:b`, keys ascending)."""

    found: dict[int, int] = {}
    last: dict[int, str] = {}
    together: dict[str, int] = {}
    confidence: list[float] = []

    def record(self, keys: Sequence[int], now: str, confidence: float | None = None) -> None:
        """Passages *keys* were shown for one question; *confidence* in [0, 1] is how sure the ranking was."""
        for key in keys:
            self.found[key] = self.found.get(key, 0) + 1
            self.last[key] = now
        top = sorted(set(keys[:5]))
        for i, one in enumerate(top):
            for other in top[i + 1 :]:
                name = f"{one}:{other}"
                self.together[name] = self.together.get(name, 0) + 1
        if len(self.together) > MOST_PAIRS:
            kept = sorted(self.together.items(), key=lambda pair: -pair[1])[: MOST_PAIRS // 2]
            self.together = dict(kept)
        if confidence is not None:
            self.confidence = [*self.confidence[-99:], confidence]

    def copy(self) -> "Access":
        """The same, which later searches do not change."""
        return msgspec.structs.replace(self, found=dict(self.found), last=dict(self.last), together=dict(self.together))


class Question(msgspec.Struct, frozen=True):
    """A real question that failed, or that the owner corrected; *answer* where it is known."""

    question: str
    answer: str = ""
    origin: str = "failed"
    when: str = ""


class _Tuning(msgspec.Struct):
    weights: dict[int, float] = {}
    ties: dict[int, dict[int, float]] = {}
    shifts: dict[str, float] = {}
    by: str = ""


@contextlib.contextmanager
def in_passing() -> Iterator[None]:
    """What is only noticed here is lost where the disk is full or read-only: no question may fail for it."""
    try:
        yield
    except OSError as error:
        log.warning("not kept for the night: %s", error.strerror or error)


class NightState:
    """The folder of the night."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def tuning(self) -> Tuning:
        """What dreams have taught so far."""
        kept = self._read("tuning.json", _Tuning) or _Tuning()
        return Tuning(kept.weights, kept.ties, kept.shifts)

    def tuned_by(self) -> str:
        """What last replaced it, as it was named then."""
        return (self._read("tuning.json", _Tuning) or _Tuning()).by

    def keep_tuning(self, tuning: Tuning, by: str = "") -> None:
        """Replace it; *by* names what does."""
        ties = {key: dict(mine) for key, mine in tuning.ties.items()}
        self._write("tuning.json", _Tuning(dict(tuning.weights), ties, dict(tuning.shifts), by))

    def access(self) -> Access:
        """What reading has left."""
        return self._read("access.json", Access) or Access()

    def keep_access(self, access: Access) -> None:
        """Replace it."""
        self._write("access.json", access)

    def questions(self) -> list[Question]:
        """Real questions that failed or were corrected, oldest first, each once: its last answer, where it has one."""
        try:
            lines = (self.folder / "questions.jsonl").read_bytes().splitlines()
        except OSError:
            return []
        found: dict[str, Question] = {}
        for line in lines[-MOST_QUESTIONS:]:
            try:
                question = msgspec.json.decode(line, type=Question)
            except msgspec.MsgspecError:
                continue
            known = found.pop(question.question, None)
            if known and known.answer and not question.answer:
                question = known  # asked again, it does not lose its answer
            found[question.question] = question
        return list(found.values())

    def add_question(self, question: Question) -> None:
        """Keep *question* for the next dream."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "questions.jsonl").open("ab") as file:
            file.write(msgspec.json.encode(question) + b"\n")

    def read(self, name: str, kind: type[T]) -> T | None:
        """The value kept under *name*; None where there is none that can be read."""
        return self._read(f"{name}.json", kind)

    def write(self, name: str, value: object) -> None:
        """Keep *value* under *name*."""
        self._write(f"{name}.json", value)

    def names(self, prefix: str) -> list[str]:
        """Names kept below *prefix*, ascending."""
        return sorted(path.stem for path in (self.folder / prefix).glob("*.json"))

    def remove(self, name: str) -> None:
        """Keep nothing under *name*."""
        (self.folder / f"{name}.json").unlink(missing_ok=True)

    def scrub(self, needles: Sequence[str]) -> None:
        """Remove every file of records, and every question, that holds one of *needles*."""
        holds = holding(needles)
        for path in self.folder.rglob("*"):
            if not path.is_file() or not holds((data := path.read_bytes()).decode("utf-8", "replace")):
                continue
            if path.suffix == ".jsonl":
                lines = data.splitlines(keepends=True)
                path.write_bytes(b"".join(line for line in lines if not holds(line.decode("utf-8", "replace"))))
            else:
                path.unlink()

    def _read(self, name: str, kind: type[T]) -> T | None:
        try:
            return msgspec.json.decode((self.folder / name).read_bytes(), type=kind)
        except (OSError, msgspec.MsgspecError):
            return None

    def _write(self, name: str, value: object) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            file.write(msgspec.json.encode(value))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)


def holding(needles: Sequence[str]) -> Callable[[str], bool]:
    """Says of a text, plain or JSON, whether it holds one of *needles*, in any case and spacing."""
    sought = "|".join(_spaced(needle) for needle in needles if needle.strip())
    holds = re.compile(sought, re.IGNORECASE) if sought else None
    return lambda text: holds is not None and holds.search(text) is not None


def _spaced(needle: str) -> str:
    """A pattern for *needle*, plain or as JSON writes it, its words apart by spaces, line ends or marks of emphasis."""
    words = ((word, msgspec.json.encode(word).decode()[1:-1]) for word in needle.split())
    return r"(?:\s|\\[nrt]|[*_~`=>])+".join(f"(?:{'|'.join(map(re.escape, dict.fromkeys(both)))})" for both in words)
