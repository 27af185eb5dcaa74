"""Memory as a repair would leave it: an overlay that is ranked like the real thing, and written nowhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from daemon.night.loop import Found, Source
from daemon.night.repairs import Repair, Write, tuned
from memory_store.index.corpus import Asked, Corpus, Draft
from memory_store.tuning import Tuned, Tuning

DEEP = 50
AT_ONCE = 8


@dataclass(frozen=True)
class Drafted:
    """A line as it would be ranked."""

    write: Write
    draft: Draft


class MemoryView:
    """A view on *corpus* under *tuning*, with *drafts* among its passages; *gate* is called before each retrieval."""

    def __init__(
        self,
        corpus: Corpus,
        tuning: Tuning,
        drafts: tuple[Drafted, ...] = (),
        asked: dict[str, Asked] | None = None,
        drafted: dict[Write, Draft] | None = None,
        gate: Callable[[], object] = lambda: None,
    ) -> None:
        self.corpus = corpus
        self.tuning = tuning
        self.drafts = drafts
        self._gate = gate
        self._asked: dict[str, Asked] = {} if asked is None else asked
        self._drafted: dict[Write, Draft] = {} if drafted is None else drafted

    @cached_property
    def _tuned(self) -> Tuned:
        return self.corpus.tuned(self.tuning)

    def learn(self, questions: Sequence[str]) -> None:
        """Look *questions* up together, so that each later retrieval is cheap."""
        new = [text for text in dict.fromkeys(questions) if text not in self._asked]
        for start in range(0, len(new), AT_ONCE):
            self._gate()
            for asked in self.corpus.ask(new[start : start + AT_ONCE]):
                self._asked[asked.text] = asked

    def asked(self, question: str) -> Asked:
        """*question* with its candidates."""
        if question not in self._asked:
            self.learn([question])
        return self._asked[question]

    def with_(self, proposal: Repair) -> Self:
        """This view after *proposal*."""
        drafts = self.drafts
        for write in proposal.writes:
            if write not in self._drafted:
                self._drafted[write] = self.corpus.draft(f"{write.attribute} {write.value}")
            if all(drafted.write != write for drafted in drafts):
                drafts = (*drafts, Drafted(write, self._drafted[write]))
        return type(self)(
            self.corpus, tuned(self.tuning, proposal.actions), drafts, self._asked, self._drafted, self._gate
        )

    def ranked(self, question: str, limit: int = DEEP) -> list[tuple[int, float]]:
        """Rows with their scores, best first; a draft is counted as `-1 - its place`."""
        self._gate()
        asked = self.asked(question)
        sure = np.isfinite(asked.found.total)
        rows, scores = self._tuned.apply(asked.found.rows[sure], asked.found.total[sure])
        remembered = self.corpus.remembered[rows]  # what dreams tell, and META.md, are indexed too
        rows, scores = rows[remembered], scores[remembered]
        if self.drafts:
            extra = [self.corpus.score(asked, drafted.draft) for drafted in self.drafts]
            rows = np.concatenate([rows, -1 - np.arange(len(extra))])
            scores = np.concatenate([scores, np.array(extra, np.float32)])
        if len(rows) > 4 * limit:
            best = np.argpartition(-scores, 4 * limit)[: 4 * limit]
            rows, scores = rows[best], scores[best]
        order = np.lexsort((rows, -scores))
        order = order[np.isfinite(scores[order])][:limit]
        return list(zip(rows[order].tolist(), scores[order].tolist(), strict=True))

    def retrieve(self, question: str, limit: int) -> Sequence[Found]:
        """At most *limit*, best first."""
        return [self._found(row, score) for row, score in self.ranked(question, limit)]

    def place(self, row: int) -> Source:
        """Where the passage of *row* stands."""
        passage = self.corpus.passages[row]
        return Source(passage.path, passage.start_line, passage.end_line)

    def _found(self, row: int, score: float) -> Found:
        if row < 0:
            write = self.drafts[-1 - row].write
            return Found(f"[{write.attribute}] {write.value}", Source(write.path, 0, 0), score, (write.cites,))
        passage = self.corpus.passages.get(row)
        if passage is None:
            return Found("", Source("", 0, 0), score)
        return Found(passage.text, self.place(row), score, self._cites.get(row, ()))

    @cached_property
    def _cites(self) -> Mapping[int, tuple[Source, ...]]:
        return {}
