"""LoCoMo conversations as a journal, and how many of a question's evidence turns a search finds."""

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from memory_store.index.hits import Hit  # noqa: E402
from memory_store.journal import Exchange, Said, parse_journal  # noqa: E402
from memory_store.page import parse  # noqa: E402
from memory_store.store import Store  # noqa: E402


@dataclass(frozen=True)
class Turn:
    """Where a turn stands in the journal, and its words."""

    path: str
    start_line: int
    end_line: int
    text: str


@dataclass(frozen=True)
class Asked:
    """A question with the turns that hold its evidence. The product sees only *question*."""

    question: str
    evidence: tuple[Turn, ...]
    category: int


class CachedEmbedder:
    """The starter embedding model; a text is embedded once a process, or once at all with a cache file."""

    def __init__(self, folder: Path, cache: Path | None = None) -> None:
        from models.embed import OnnxEmbedder

        self._model = OnnxEmbedder(folder)
        self.digest, self.dim = self._model.digest, self._model.dim
        self._known: dict[str, np.ndarray] = {}
        self._cache = cache
        if cache and cache.is_file():
            kept = np.load(cache, allow_pickle=False)
            self._known = dict(zip(kept["texts"].tolist(), kept["rows"], strict=True))

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._model(new), strict=True))
        return np.stack([self._known[text] for text in texts]) if texts else np.zeros((0, self.dim), np.float32)

    def save(self) -> None:
        """Keep what was embedded."""
        if self._cache:
            np.savez(self._cache, texts=np.array(list(self._known)), rows=np.stack(list(self._known.values())))


def load(path: Path) -> list[dict]:
    """The conversations."""
    return json.loads(path.read_text("utf-8"))


def ingest(conversation: dict, root: Path, embedder: CachedEmbedder) -> tuple[Store, list[Asked]]:
    """A store whose journal holds *conversation*, an entry a session, and its questions that name their evidence."""
    shutil.rmtree(root, ignore_errors=True)
    (root / "vault").mkdir(parents=True)
    clock = {"now": datetime.now(UTC)}
    store = Store.open(root / "vault", root / "state", embedder=embedder, owned=True, now=lambda: clock["now"])
    places: dict[str, Turn] = {}
    talk = conversation["conversation"]
    number = 1
    while f"session_{number}" in talk:
        turns = talk[f"session_{number}"]
        when = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        said = [Said(turn["speaker"], words_of(turn)) for turn in turns]
        entry = f"s{number}"
        ref = store.append_journal(Exchange(entry, when, "none", said, session=entry))
        page = parse((root / "vault" / ref.path).read_bytes())
        kept = [turn for turn in parse_journal(page) if turn.entry == entry]
        assert len(kept) == len(turns)
        for turn, at in zip(turns, kept, strict=True):
            places[turn["dia_id"]] = Turn(ref.path, at.start_line, at.end_line, at.text)
        clock["now"] = when
        number += 1
    store.sync()
    while store.embed_pending(512):
        pass
    asked = [
        Asked(one["question"], evidence, one["category"])
        for one in conversation["qa"]
        if (evidence := tuple(places[name] for name in one["evidence"] if name in places))
    ]
    return store, asked


def words_of(turn: dict) -> str:
    """What a turn says; of a photo, what it shows."""
    return turn["text"] + (f" (photo: {turn['blip_caption']})" if turn.get("blip_caption") else "")


def shows(hit: Hit, turn: Turn) -> bool:
    """Whether *hit* is the turn, or a consolidated line that links to its page and holds all of its words."""
    if hit.path == turn.path:
        return hit.start_line <= turn.end_line and turn.start_line <= hit.end_line
    return f"[[{turn.path.removesuffix('.md')}" in hit.text and " ".join(turn.text.split()) in " ".join(
        hit.text.split()
    )


@dataclass(frozen=True)
class Recall:
    """Means over questions: evidence recall among the first 5 and 10 hits, and within as many characters as before."""

    at5: float
    at10: float
    within: float
    characters: float
    by_category: dict[int, float]


def recall(search: Callable[[str], Sequence[Hit]], asked: Sequence[Asked], *, budget: float = 900.0) -> Recall:
    """Evidence recall of *search* (10 hits a question); *budget* is in characters of text."""
    at5, at10, within, characters = [], [], [], []
    categories: dict[int, list[float]] = {}
    for one in asked:
        hits = list(search(one.question))[:10]

        def share(found: Sequence[Hit], one: Asked = one) -> float:
            return sum(any(shows(hit, turn) for hit in found) for turn in one.evidence) / len(one.evidence)

        at5.append(share(hits[:5]))
        at10.append(share(hits))
        sizes = np.cumsum([len(hit.text) for hit in hits])
        within.append(share([hit for hit, size in zip(hits, sizes, strict=True) if size <= budget]))
        characters.append(float(sum(len(hit.text) for hit in hits[:5])))
        categories.setdefault(one.category, []).append(at5[-1])
    by_category = {name: float(np.mean(found)) for name, found in sorted(categories.items())}
    return Recall(*(float(np.mean(found)) for found in (at5, at10, within, characters)), by_category)
