"""From the bytes of tokens to text that may be shown: whole characters, and nothing that may turn out to be a stop."""

import codecs
import re
from collections.abc import Sequence


class Characters:
    """Bytes in, whole characters out; a character that spans tokens waits for its rest."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def push(self, data: bytes) -> str:
        """The characters that are complete now. Bytes that are no UTF-8 become U+FFFD."""
        return self._decoder.decode(data)

    def finish(self) -> str:
        """What is left of an incomplete character: U+FFFD or nothing."""
        return self._decoder.decode(b"", final=True)


class StopMatcher:
    """Finds the first stop string in a stream, across any borders between pieces."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(dict.fromkeys(stop for stop in stops if stop))
        # Longest first: of two stops that begin at one place, the longer one is reported.
        ordered = sorted(self._stops, key=len, reverse=True)
        self._any = re.compile("|".join(map(re.escape, ordered))) if ordered else None
        self._beginnings = frozenset(stop[:n] for stop in self._stops for n in range(1, len(stop)))
        self._longest = max(map(len, self._stops), default=0)
        self._held = ""

    @property
    def held(self) -> str:
        """What may yet turn out to be a stop."""
        return self._held

    def push(self, text: str) -> tuple[str, str | None]:
        """What may be shown now, and the stop that was found; after a stop, push no more."""
        if self._any is None:
            return text, None
        text = self._held + text
        found = self._any.search(text)
        if found:
            self._held = ""
            return text[: found.start()], found.group()
        keep = self._possible_beginning(text)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep], None

    def _possible_beginning(self, text: str) -> int:
        for length in range(min(self._longest - 1, len(text)), 0, -1):
            if text[len(text) - length :] in self._beginnings:
                return length
        return 0

    def finish(self) -> str:
        """What was held back, as no stop came."""
        held, self._held = self._held, ""
        return held
