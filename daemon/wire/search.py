"""Searching, and asking memory."""

from typing import Literal

from daemon.wire.base import Source, Wire

SearchMode = Literal["hybrid", "keyword", "vector"]
AnswerKind = Literal["fact", "unsure", "forgotten", "near", "model", "passages", "unknown"]


class SearchRequest(Wire, frozen=True):
    """
    *query* is plain words; with *syntax* it is Whoosh's query language.

    While *typing* the last word may be unfinished, and the answer comes by keyword alone, within a key press.
    """

    query: str
    limit: int = 10
    mode: SearchMode = "hybrid"
    syntax: bool = False
    explain: bool = False
    prefix: str | None = None
    typing: bool = False


class Part(Wire, frozen=True):
    """One kind of evidence behind a hit: its rank among the candidates, its raw score, its share of the fused score."""

    name: str
    rank: int | None
    score: float
    share: float


class Hit(Wire, frozen=True):
    """A chunk that answers a search. *score* is comparable within one reply only."""

    path: str
    start_line: int
    end_line: int
    title: str
    heading: str
    snippet: str
    score: float
    text: str = ""
    parts: list[Part] = []


class SearchReply(Wire, frozen=True):
    """Best first. *notice* says in one line what the owner should know (vectors missing, index behind)."""

    hits: list[Hit]
    took_ms: float
    notice: str | None = None
    did_you_mean: str | None = None


class AskRequest(Wire, frozen=True):
    """A question to memory. *model* None lets the daemon choose; *limit* bounds the passages considered."""

    question: str
    model: str | None = None
    limit: int = 8


class Answer(Wire, frozen=True):
    """*kind* says who answers: the facts, a doubt, a tombstone, facts only near it, a model, passages; or nobody."""

    text: str
    kind: AnswerKind
    sources: list[Source] = []
    model: str | None = None
    took_ms: float = 0.0
