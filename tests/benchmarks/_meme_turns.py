"""
Baselines that keep the conversation as it was and only find in it: no facts, no model that reads.

`bm25`: Whoosh over chunks of the conversation of 4,096 tokens, the best 5. `dense`: MiniLM over turns, the best 20.
`rag`: reciprocal ranks of Whoosh and MiniLM over turns, the best 20. Without a model that reads what they find, the
answer is the best passages up to 400 characters, as more would count as no answer: turns in order, for `bm25` those
turns of its chunks that Whoosh ranks best. With a model (`meme_models.Reads`) it reads all that was found, as far as
its prompt has room.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from _meme_play import Session
from whoosh import fields, query
from whoosh.analysis import StemmingAnalyzer
from whoosh.filedb.filestore import RamStorage

from daemon.context import estimate_tokens

CHUNK_TOKENS, CHUNKS, TURNS = 4096, 5, 20
SAID_CHARACTERS = 400
FUSED = 60  # of reciprocal ranks


class Meanings:
    """Unit vectors by MiniLM in *folder*, each text embedded once."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokens.enable_truncation(128)
        self._tokens.enable_padding()
        self._inputs = {i.name for i in self._session.get_inputs()}
        self._seen: dict[str, np.ndarray] = {}

    def __call__(self, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        return self.embed(left) @ self.embed(right).T

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        missing = sorted({t for t in texts if t not in self._seen}, key=len)
        for start in range(0, len(missing), 32):
            batch = missing[start : start + 32]
            encoded = self._tokens.encode_batch(list(batch))
            ids = np.array([e.ids for e in encoded], dtype=np.int64)
            mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            hidden = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})[0]
            if hidden.ndim == 3:
                weights = mask[..., None].astype(np.float32)
                hidden = (hidden * weights).sum(1) / weights.sum(1)
            hidden = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
            self._seen.update(zip(batch, hidden, strict=True))
        return np.stack([self._seen[t] for t in texts]) if texts else np.zeros((0, 384), np.float32)


class Words:
    """Texts in a Whoosh index in memory, stemmed, ranked by BM25."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._analyzer = StemmingAnalyzer()
        schema = fields.Schema(n=fields.STORED, text=fields.TEXT(analyzer=self._analyzer))
        self._index = RamStorage().create_index(schema)
        writer = self._index.writer()
        for n, text in enumerate(texts):
            writer.add_document(n=n, text=text)
        writer.commit()

    def ranked(self, question: str, limit: int | None) -> list[int]:
        """The places of the texts that have a word of *question*, best first."""
        asked = query.Or([query.Term("text", token.text) for token in self._analyzer(question)])
        with self._index.searcher() as searcher:
            return [hit["n"] for hit in searcher.search(asked, limit=limit)]


class Finds:
    """The conversation, both sides of it, found by *kind*: `bm25`, `dense` or `rag`."""

    def __init__(self, kind: str, meanings: Meanings | None) -> None:
        if kind != "bm25" and meanings is None:
            raise SystemExit(f"{kind} needs the embedding model")
        self.kind = kind
        self._meanings = meanings
        self._turns: list[str] = []
        self._chunks: list[list[int]] = []
        self._indexed: tuple[Words, Words] | None = None

    def read(self, session: Session) -> None:
        self._turns += [text for turn in session.turns for text in turn if text]
        self._indexed = None

    def ask(self, question: str, day: str) -> str:
        said, room = [], SAID_CHARACTERS
        for place in self._best(question):
            if len(self._turns[place]) < room:
                said.append(self._turns[place])
                room -= len(self._turns[place]) + 1
        return " ".join(said)

    def found(self, question: str) -> str:
        """All that a model is given to read, the best last, where it is kept when room is short."""
        if self.kind == "bm25":
            chunks, _ = self._index()
            best = chunks.ranked(question, CHUNKS)
            return "\n\n".join(self._chunk(n) for n in reversed(best))
        return "\n".join(self._turns[place] for place in reversed(self._best(question)))

    def _best(self, question: str) -> list[int]:
        """The places of the turns that answer, best first."""
        chunks, turns = self._index()
        if self.kind == "bm25":
            inside = {place for n in chunks.ranked(question, CHUNKS) for place in self._chunks[n]}
            return [place for place in turns.ranked(question, None) if place in inside][:TURNS]
        orders = [self._nearest(question)]
        if self.kind == "rag":
            orders.append(turns.ranked(question, None))
        scores: dict[int, float] = {}
        for order in orders:
            for rank, place in enumerate(order):
                scores[place] = scores.get(place, 0.0) + 1 / (FUSED + rank)
        return sorted(scores, key=lambda place: -scores[place])[:TURNS]

    def _nearest(self, question: str) -> list[int]:
        assert self._meanings is not None
        if not self._turns:
            return []
        cosines = self._meanings([question], [text[:1000] for text in self._turns])[0]
        return [int(place) for place in np.argsort(-cosines, kind="stable")]

    def _index(self) -> tuple[Words, Words]:
        """Of the chunks, and of the turns."""
        if self._indexed is None:
            self._chunks, room = [[]], CHUNK_TOKENS
            for place, text in enumerate(self._turns):
                if self._chunks[-1] and estimate_tokens(text) > room:
                    self._chunks.append([])
                    room = CHUNK_TOKENS
                self._chunks[-1].append(place)
                room -= estimate_tokens(text)
            self._indexed = (Words([self._chunk(n) for n in range(len(self._chunks))]), Words(self._turns))
        return self._indexed

    def _chunk(self, n: int) -> str:
        return "\n".join(self._turns[place] for place in self._chunks[n])
