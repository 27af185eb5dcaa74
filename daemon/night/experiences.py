"""
Experiences: what a finished conversation taught, in lines that help with the next ones (UMEM, arXiv 2602.10652).

A candidate is kept when it helps with the questions around the one it was drawn from, and no question that is asked
again fares worse for it; so success on them never falls.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

import msgspec

from daemon.context import STOP_WORDS, content_words
from daemon.night.loop import CANDIDATES, NEIGHBOURS, Kind, Outcome, Paused, Probe, Reward, Similarity, nearest, weigh
from daemon.questions import is_question

MOST_CHARS = 300
_LEAST_WORDS, _MOST_WORDS = 3, 60
_TOPIC_WORDS = 5
_GROUNDED = 0.7
_SAME_TOPIC = 0.5
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_FILLER = re.compile(
    r"^(?:(?:well|so|ok|okay|oh|no|nope|yes|yeah|actually|by the way|btw|also|and|but|hey|i think|i mean|it seems"
    r"|sorry)\b[\s,:;—-]*(?:that\s+)?)+",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:always|never|prefer|please|from now on|remember|every time|usually|make sure)\b", re.IGNORECASE
)
_JUNK = re.compile(
    r"^\s*(?:[#>|`/$]|\W*$|[-*+]\s|\d+[.)]\s)|```|https?:|[{}<>\[\]]|\b(?:ignore|disregard) (?:all|any|previous)\b"
)


@dataclass(frozen=True, slots=True)
class Experience:
    """*value* was learned on *topic*; *source* is the wikilink to where, *line* where it stands (0: nowhere yet)."""

    topic: str
    value: str
    source: str = ""
    line: int = 0

    @property
    def text(self) -> str:
        """What it is found by."""
        return f"{self.topic}: {self.value}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An experience that may be kept: added, or in the place of the one it *updates*."""

    experience: Experience
    updates: Experience | None = None

    @property
    def operation(self) -> Literal["ADD", "UPDATE"]:
        """As the method calls it."""
        return "UPDATE" if self.updates else "ADD"

    @property
    def key(self) -> str:
        """Equal for candidates that would do the same."""
        return f"{self.updates.text if self.updates else ''} -> {self.experience.text}".casefold()

    @property
    def kind(self) -> Kind:
        """An experience."""
        return "experience"

    def describe(self) -> str:
        """What it does, in one line."""
        return f"experience {self.operation.lower()}: {self.experience.text}"


@dataclass(frozen=True, slots=True)
class Conversation:
    """
    A finished conversation: what the owner said in it, in order, and the *source* link to it. *probes* it raised; when
    it *ended*.
    """

    said: tuple[str, ...]
    source: str
    probes: tuple[Probe, ...] = ()
    ended: str = ""


class Knowing(Protocol):
    """A view of memory that has experiences."""

    @property
    def experiences(self) -> Sequence[Experience]: ...

    def retrieve(self, question: str, limit: int) -> Sequence[Any]: ...

    def with_(self, proposal: Candidate) -> Self: ...

    def knowing(self, experiences: Sequence[Experience]) -> Self: ...


V = TypeVar("V", bound=Knowing)
Propose = Callable[[Conversation, Probe, Sequence[Experience]], Sequence[Candidate]]
Outcomes = Callable[[V, Probe], Outcome]


@dataclass(frozen=True, slots=True)
class Kept:
    """A candidate that was kept for *probe*, and what it did to it and its neighbours."""

    candidate: Candidate
    probe: Probe
    reward: Reward


@dataclass(frozen=True)
class Epoch(Generic[V]):
    """
    *view* after all that was *kept*; success on what is asked again, *before* and *after*; how many were *tried*, and
    of how many conversations, in order, this is *done*.
    """

    view: V
    kept: tuple[Kept, ...]
    before: float
    after: float
    tried: int
    done: int


def changed(experiences: Sequence[Experience], candidate: Candidate) -> tuple[Experience, ...]:
    """*experiences* after *candidate*."""
    if candidate.updates is None:
        return (*experiences, candidate.experience)
    return tuple(candidate.experience if each == candidate.updates else each for each in experiences)


def learn(
    view: V,
    conversations: Sequence[Conversation],
    questions: Sequence[Probe],
    propose: Propose,
    judge: Callable[[V, Probe], Outcome],
    *,
    neighbours: int = NEIGHBOURS,
    similarity: Similarity | None = None,
    guarded: bool = True,
    go_on: Callable[[], bool] = lambda: True,
) -> Epoch[V]:
    """
    One pass over *conversations*: for each question that one raised, the best candidate, if its utility is positive.

    *questions* are past ones; the *neighbours* nearest to the question are measured with it. *guarded*: a candidate
    under which success on *questions* would fall is dropped.
    """

    def judged(some: V, probe: Probe) -> Outcome:
        if not go_on():
            raise Paused
        return judge(some, probe)

    kept: list[Kept] = []
    outcomes: list[Outcome] = []
    before, tried, done = 0.0, 0, 0
    with suppress(Paused):
        outcomes = [judged(view, probe) for probe in questions]
        before = _mean(outcomes)
        for number, conversation, probe in _raised(conversations):
            done = number
            candidates = list(propose(conversation, probe, view.experiences))[:CANDIDATES]
            near = nearest(probe, questions, count=neighbours, similarity=similarity)
            tried += len(candidates)
            weighed = weigh(view, probe, candidates, near, judge=judged)  # type: ignore[arg-type] # a View
            ranked = sorted((one for one in weighed if one.reward.utility > 0), key=lambda one: -one.reward.utility)
            for one in ranked if guarded else ranked[:1]:
                fresh = view.with_(one.proposal)
                after = [judged(fresh, each) for each in questions] if guarded else outcomes
                if guarded and _falls(outcomes, after):
                    continue
                view, outcomes = fresh, after
                kept.append(Kept(one.proposal, probe, one.reward))
                break
        done = len(conversations)
        if not guarded:
            outcomes = [judged(view, each) for each in questions]
    return Epoch(view, tuple(kept), before, _mean(outcomes), tried, done)


def _raised(conversations: Sequence[Conversation]) -> Iterator[tuple[int, Conversation, Probe]]:
    """Each question with the conversation that raised it, and how many came before that."""
    for number, conversation in enumerate(conversations):
        for probe in conversation.probes:
            yield number, conversation, probe


def _falls(before: Sequence[Outcome], after: Sequence[Outcome]) -> bool:
    """Whether success falls, or is but shifted from one question to another."""
    lost = any(new.success < old.success for old, new in zip(before, after, strict=True))
    return _mean(after) < _mean(before) or (lost and _mean(after) <= _mean(before))


def spare(view: V, questions: Sequence[Probe], judge: Callable[[V, Probe], Outcome]) -> tuple[Experience, ...]:
    """
    The experiences that are enough: those that help with most *questions* by themselves first, until no more help.

    All of them, where success on *questions* would fall without the others; none that *questions* do not touch goes.
    """
    all_of_them = tuple(view.experiences)
    bare = [judge(view.knowing(()), probe).success for probe in questions]
    helps: dict[int, set[int]] = {}
    for n, experience in enumerate(all_of_them):
        alone = view.knowing((experience,))
        mine = content_words(experience.text)
        touched = [q for q, probe in enumerate(questions) if content_words(probe.question) & mine]
        helps[n] = {q for q in touched if judge(alone, questions[q]).success > bare[q]}
        if not touched:
            helps[n] = {-1 - n}
    kept: set[int] = set()
    open_questions = {q for each in helps.values() for q in each}
    while open_questions:
        best = max(helps, key=lambda n: (len(helps[n] & open_questions), -n))
        kept.add(best)
        open_questions -= helps[best]
    enough = tuple(experience for n, experience in enumerate(all_of_them) if n in kept)
    fewer = view.knowing(enough)
    full = _mean([judge(view, probe) for probe in questions])
    return enough if _mean([judge(fewer, probe) for probe in questions]) >= full else all_of_them


def _mean(outcomes: Sequence[Outcome]) -> float:
    return sum(outcome.success for outcome in outcomes) / len(outcomes) if outcomes else 0.0


# -- candidates by pattern ---


def by_pattern(conversation: Conversation, probe: Probe, known: Sequence[Experience]) -> list[Candidate]:
    """
    Sentences of the owner's that bear on the question, or say what always holds: word for word, best first.

    The one nearest in topic to an experience that stands may take its place, or join it.
    """
    asked = content_words(probe.question)
    scored: list[tuple[float, int, str]] = []
    for n, sentence in enumerate(sentences(conversation.said)):
        score = float(len(content_words(sentence) & asked))
        score += 2.0 * (probe.answer.casefold() in sentence.casefold() and bool(probe.answer))
        score += 0.5 * bool(_LASTING.search(sentence))
        if score > 0:
            scored.append((-score, n, sentence))
    best = [sentence for _, _, sentence in sorted(scored)][: CANDIDATES // 2]
    topic = topic_of(probe.question)
    values = list(best)
    if len(best) > 1 and len(best[0]) + len(best[1]) < MOST_CHARS:
        values.append(f"{best[0]} {best[1]}")
    found: dict[str, Candidate] = {}
    for value in values:
        fresh = Experience(topic, value, conversation.source)
        for candidate in (Candidate(fresh), *_updates(fresh, known)):
            if all(candidate.experience.text.casefold() != each.text.casefold() for each in known):
                found.setdefault(candidate.key, candidate)
    return list(found.values())[:CANDIDATES]


def _updates(fresh: Experience, known: Sequence[Experience]) -> list[Candidate]:
    """In the place of the experience nearest in topic, and joined with it."""
    mine = content_words(fresh.text)
    near = [
        (len(mine & content_words(each.text)) / max(1, len(mine | content_words(each.text))), each) for each in known
    ]
    share, old = max(near, key=lambda one: one[0], default=(0.0, None))
    if old is None or share < _SAME_TOPIC:
        return []
    joined = f"{old.value} {fresh.value}"
    found = [Candidate(Experience(old.topic, fresh.value, fresh.source), old)]
    if len(joined) <= MOST_CHARS and fresh.value.casefold() not in old.value.casefold():
        found.append(Candidate(Experience(old.topic, joined, fresh.source), old))
    return found


def sentences(said: Sequence[str]) -> list[str]:
    """What was told in *said*, sentence by sentence: no questions, code, lists, markup or addresses; no fillers."""
    found = []
    for text in said:
        if "```" in text:
            continue
        for piece in _SENTENCE.split(text):
            sentence = _FILLER.sub("", piece.strip()).strip()
            words = len(sentence.split())
            if not _LEAST_WORDS <= words <= _MOST_WORDS or len(sentence) > MOST_CHARS:
                continue
            if not _JUNK.search(sentence) and not is_question(sentence):
                found.append(sentence[0].upper() + sentence[1:])
    return list(dict.fromkeys(found))


def topic_of(question: str) -> str:
    """The words of *question* that carry meaning, as the name of an experience: "on boat trailer"."""
    words = [word for word in re.findall(r"[^\W_]+", question.casefold()) if word not in STOP_WORDS]
    return f"on {' '.join(dict.fromkeys(words[:_TOPIC_WORDS]))}" if words else "on anything"


# -- candidates by a model ---

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "memories": {
            "type": "array",
            "maxItems": CANDIDATES,
            "items": {
                "type": "object",
                "properties": {
                    "operation": {"enum": ["ADD", "UPDATE"]},
                    "name": {"type": "string", "maxLength": 80},
                    "value": {"type": "string", "maxLength": MOST_CHARS},
                },
                "required": ["operation", "name", "value"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["memories"],
    "additionalProperties": False,
}
_PROMPT = (
    "From this conversation, up to 8 short memories that would help to answer it and questions like it: what holds in "
    "general, in the owner's words. UPDATE names a memory that stands and replaces it; ADD makes a new one, named by "
    "its topic.\n\nMemories that stand:\n{known}\n\nThe owner said:\n{said}\n\nThe question: {question}"
)


class _Memory(msgspec.Struct):
    operation: Literal["ADD", "UPDATE"]
    name: str
    value: str


class _Reply(msgspec.Struct):
    memories: list[_Memory]


def prompt(conversation: Conversation, probe: Probe, known: Sequence[Experience]) -> str:
    """What a model is asked for candidates with."""
    return _PROMPT.format(
        known="\n".join(f"- {each.text}" for each in known) or "(none)",
        said="\n".join(f"> {text}" for text in conversation.said),
        question=probe.question,
    )


def read_reply(text: str, conversation: Conversation, known: Sequence[Experience]) -> list[Candidate] | None:
    """
    The candidates in a model's answer; None where it is not in the form that was asked for.

    One whose words mostly do not stand in the conversation, or that updates what is not there, is left out.
    """
    try:
        reply = msgspec.json.decode(text.strip().encode("utf-8", "replace"), type=_Reply)
    except msgspec.MsgspecError:
        return None
    told = content_words(" ".join(conversation.said))
    standing = {each.topic.casefold(): each for each in known}
    found: dict[str, Candidate] = {}
    for memory in reply.memories:
        value = " ".join(memory.value.split())
        said = content_words(value)
        grounded = bool(said) and len(said & told) >= _GROUNDED * len(said)
        if not grounded or _JUNK.search(value) or len(value) > MOST_CHARS:
            continue
        old = standing.get(memory.name.strip().casefold())
        if memory.operation == "UPDATE" and old is None:
            continue
        topic = old.topic if old else topic_of(memory.name)
        candidate = Candidate(
            Experience(topic, value, conversation.source), old if memory.operation == "UPDATE" else None
        )
        found.setdefault(candidate.key, candidate)
    return list(found.values())[:CANDIDATES]
