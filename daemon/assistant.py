"""
Use-cases: chat with memory, ask, remember, forget.

A model only reads memory where its own check says that it can read; otherwise facts answer by themselves, passages are
quoted, and what was told is confirmed in the daemon's own words. Nothing is invented.
"""

import asyncio
import logging
import re
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from daemon import context, knowledge, speech, wire
from daemon.answer import Reply, answer
from daemon.config import Memory as Settings
from daemon.context import Block, Passage
from daemon.errors import RequestInvalid, note
from daemon.extraction import EXTRACT
from daemon.feedback import Exchanged, Feedback, value_of
from daemon.memory import Memory
from daemon.night.meta_page import in_force
from daemon.questions import is_question
from daemon.subjects import bears_on, is_about, names_somebody
from daemon.taught import as_told, corrected, fact_put_right, taught
from daemon.telling import Telling, Told, is_worth_reading
from daemon.trust import Trust
from memory_store.facts import FactChange
from memory_store.journal import Exchange, Said
from memory_store.ledger import Ledger
from models.errors import ModelError
from models.requests import ChatMessage, Delta, Generation, Sampling, Usage
from models.supervisor import Supervisor

T = TypeVar("T")
log = logging.getLogger(__name__)
READ, FOLLOW = "read", "follow"
SOURCES_AT_MOST = 12
QUERY_AT_MOST = 1000  # characters of a message that are searched for
CONFIDENT = 0.85  # below it, an answer must also hold half of what the question is about
AGREED_WITHIN_S = 600.0
_AGREES = re.compile(
    r"(?:yes|yep|yeah|sure|ok|okay|please|do)\b[\s,.!]*(?:please|do)?[\s,]*"
    r"(?:(?:forget|erase|remove|delete|do) (?:it|that|them|this)(?: all)?(?: everywhere| for good| completely)?)?"
    r"[\s,]*(?:please)?[.!]*",
    re.IGNORECASE,
)
_SAYS_WHAT = re.compile(r"\b(?:forget|erase|remove|delete)\b", re.IGNORECASE)
_ABOUT_THE_OWNER = re.compile(
    r"\b(my|mine|our|ours|(?:do|did|am|are|have|was|were) (?:i|we)|(?:does|did|is|was|has) (?:he|she|they)|"
    r"about (?:me|us|him|her|them))\b",
    re.IGNORECASE,
)
_ASKS_ADVICE = re.compile(
    r"\b(best|better|should|could|would|can|recommend|suggest|idea|ideas|way to|how (do|to|can)|explain|why)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Recall:
    """What memory holds for one message: a *direct* answer from facts, *passages*, and the *block* a model may read."""

    ledger: Ledger
    direct: Reply | None
    passages: tuple[Passage, ...]
    block: Block
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwnWords:
    """What the daemon says itself, and where it has it from."""

    text: str
    sources: tuple[wire.Source, ...] = ()
    kind: wire.AnswerKind | None = None


@dataclass(frozen=True)
class Asked:
    """
    The question whether *attributes*, forgotten at the owner's *words*, are to go from everywhere; asked *at*.

    *latest*: nothing was said since, by anybody.
    """

    attributes: tuple[str, ...]
    words: str
    at: float
    latest: bool = True


class Assistant:
    """Where models meet memory."""

    def __init__(
        self,
        memory: Memory,
        supervisor: Supervisor,
        trust: Trust,
        settings: Callable[[], Settings],
        default_model: Callable[[], str | None],
        feedback: Feedback,
        telling: Telling,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._memory = memory
        self._supervisor = supervisor
        self._trust = trust
        self._settings = settings
        self._default_model = default_model
        self._feedback = feedback
        self._now = now
        self._finishing: set[asyncio.Task[Any]] = set()
        self._asked: Asked | None = None
        self.telling = telling

    # -- chat ---

    async def chat(self, model: str, generation: Generation) -> AsyncGenerator[Delta | wire.ChatMemory]:
        """
        The reply of *model* (empty: the default one) to the last turn of *generation*, with memory.

        Only the last turn's words, if the user's, are new: clients send the whole conversation each time. The exchange
        is in the journal, on disk, before the last piece of the reply; what it changed comes after that, as one
        `ChatMemory`. A client that hangs up loses the reply, not the memory of what it told.

        Raises:
            Starting, VaultUnusable: nothing could be remembered now; the plain name serves without memory.
            What the supervisor raises, where memory alone has nothing to say.
        """
        self._memory.must_be_open()
        model = model or self._default_model() or ""
        words = _new_words(generation)
        recall = await self._recall(words)
        erasing = self._agreed(generation, words)
        told = (
            Told()
            if erasing
            else await asyncio.to_thread(self.telling.by_pattern, words, recall.ledger, before=_told_before(generation))
        )
        if not told.changes and (right := corrected(words)) and (question := _asked_before(generation)):
            told = await asyncio.to_thread(self._put_right, question, right, recall.ledger, told)
        trust = await asyncio.to_thread(self._trust.of, model) or frozenset()
        reads = READ in trust
        reader = model if EXTRACT in trust and not erasing and is_worth_reading(words, told) else None
        if reader and not reads:
            told, reader = await self.telling.by_model(reader, words, told), None
        own = None
        if self._asked is not None:
            self._asked = None if erasing else replace(self._asked, latest=False)
        if erasing:
            own = OwnWords(await asyncio.shield(self._in_background(self._erase(erasing))))
        elif not _is_formal(generation) and (told.forgotten or not reads):
            own = _own_words(words, recall, told)
            if own is None and FOLLOW not in trust and (line := speech.small_talk(words)):
                own = OwnWords(line)
            if told.forgotten:
                self._asked = Asked(told.forgotten, words, time.monotonic())
        reply: list[str] = []
        last: Delta | None = None
        exchange = uuid.uuid4().hex[:9]
        filed_first = None
        if own is not None and told.changes:  # it is said to be noted once it is: a full disk makes no promise
            filed_first = self._file(model, words, own.text, told, exchange, reader=reader)
            await asyncio.shield(filed_first[1])
        finished = False
        try:
            if own is not None:
                for line in own.text.splitlines(keepends=True):
                    reply.append(line)
                    yield Delta(text=line)
                last = Delta(finish_reason="stop", usage=Usage(prompt_tokens=0, completion_tokens=0))
            else:
                asked = _without_our_lines(generation)
                asked = _with_memory(asked, recall.block) if reads or _is_formal(generation) else asked
                async with aclosing(_as_a_model(self._supervisor.generate(model, asked))) as deltas:
                    async for delta in deltas:
                        if delta.index == 0:
                            reply.append(delta.text)
                        if delta.finish_reason and generation.n == 1:
                            last = delta
                        else:
                            yield delta
            finished = True
        finally:
            if not finished and not filed_first and (reply or told.changes):
                self._file(model, words, "".join(reply), told, reader=reader)
        journaled, filing = filed_first or self._file(model, words, "".join(reply), told, exchange, reader=reader)
        await asyncio.shield(journaled)
        if last is not None:
            yield last
        told, filed = await asyncio.shield(filing)
        if own is not None:
            sources, kind = own.sources, own.kind
        else:
            sources, kind = recall.block.sources if reads else (), None
        self._feedback.exchanged(
            exchange, Exchanged(words, "".join(reply), recall.rules if reads else (), value_of(sources, kind))
        )
        await asyncio.to_thread(self._take_note, generation, told, kind if own else "model")
        yield wire.ChatMemory(
            sources=context.first_of(sources, SOURCES_AT_MOST),
            changes=filed.changes,
            commit=filed.commit,
            kind=kind,
            exchange=exchange,
        )

    def _take_note(self, generation: Generation, told: Told, kind: wire.AnswerKind | None) -> None:
        """For the night: what memory could not answer, and what the owner corrected."""
        said = [message.content for message in generation.messages if message.role == "user"]
        if kind in (None, "passages") and not told.changes and said:
            self._feedback.failed(said[-1])
        values = [change.after for change in told.changes if isinstance(change, FactChange) and change.after]
        right = self._feedback.corrected(said, told.statements, values)
        if right and not told.changes:  # no fact holds it: so that it is answered when it is asked again
            self._memory.journal(
                Exchange(uuid.uuid4().hex[:9], self._now(), "feedback", [Said("user", as_told(*right))])
            )

    async def _recall(self, words: str) -> Recall:
        """What memory holds for *words*."""
        if not words.strip():
            empty = Ledger.build([])
            return Recall(empty, None, (), Block(""))
        return await asyncio.to_thread(self._recall_now, words)

    def _recall_now(self, words: str) -> Recall:
        settings = self._settings()
        ledger = context.without_experiences(self._memory.ledger())
        direct = self._direct(words, ledger)
        blocks = self._memory.blocks(settings)
        passages, block = blocks.recall(words)
        rules = tuple(rule.id for rule in in_force(blocks.rules, words) if rule.learned)
        quotable = context.quotable(words, passages, ledger)
        direct = taught(words, quotable, direct, ledger) or direct
        bearing = [one for one in quotable if _bears_on(words, one, ledger)]
        return Recall(ledger, direct, tuple(bearing), block, rules)

    def _direct(self, words: str, ledger: Ledger) -> Reply | None:
        """What facts alone answer to *words*."""
        direct = self._memory.with_similarity(
            lambda near: answer(
                words, ledger, today=self._today(), similarity=near, fits=lambda name: is_about(words, name, ledger)
            )
        )
        if direct and direct.confidence < CONFIDENT and context.coverage(words, _facts_in(direct, ledger)) < 0.5:
            return None
        return direct

    def _put_right(self, question: str, right: str, ledger: Ledger, told: Told) -> Told:
        """*told*, with the change of the fact that *question* asks for, where *right* is another value than it has."""
        change = fact_put_right(question, right, self._direct(question, ledger), ledger)
        return self.telling.followed(told, change, ledger) if change else told

    def _file(
        self, model: str, words: str, reply: str, told: Told, exchange: str = "", *, reader: str | None = None
    ) -> "tuple[asyncio.Task[str | None], asyncio.Task[tuple[Told, wire.Remembered]]]":
        """
        Begin to journal the exchange, and to write what was told after that; a client's hang-up stops neither.

        With *reader*, that model draws the statements first; *told* is what goes by pattern, should it fail.
        """
        journaled = self._in_background(self._journal(f"{model}:memory", words, reply, exchange))

        async def write() -> tuple[Told, wire.Remembered]:
            source = await journaled
            drawn = await self.telling.by_model(reader, words, told, source) if reader else told
            return drawn, await self.telling.write(drawn, source)

        return journaled, self._in_background(write())

    async def _journal(self, model: str, words: str, reply: str, exchange_id: str = "") -> str | None:
        """Append the exchange, on disk when this returns; the link under which it can be found."""
        if not words.strip():
            return None
        turns = [Said("user", words)] + ([Said("assistant", reply)] if reply.strip() else [])
        exchange = Exchange(exchange_id or uuid.uuid4().hex[:9], self._now(), model, turns)
        return await asyncio.to_thread(self._memory.journal, exchange)

    def _agreed(self, generation: Generation, words: str) -> tuple[str, ...]:
        """
        What *words* agree to have removed everywhere: they must answer our question, asked just before. Where a client
        sends no earlier turns, that is the last exchange with anybody, and the words must say what they agree to.
        """
        asked = self._asked
        if asked is None or not _AGREES.fullmatch(words.strip()) or time.monotonic() - asked.at > AGREED_WITHIN_S:
            return ()
        before = [message.content for message in generation.messages[:-1] if message.role == "user"]
        meant = before[-1] == asked.words if before else asked.latest and _SAYS_WHAT.search(words) is not None
        return asked.attributes if meant else ()

    async def _erase(self, attributes: Sequence[str]) -> str:
        """Remove *attributes* everywhere; what there is to say of it."""
        left: list[str] = []
        for attribute in attributes:
            done = await self.forget(wire.ForgetRequest(what=attribute, confirm=True))
            left += [place for place in done.places if place.endswith("(kept)")]
        return speech.erased(attributes, left)

    def _in_background(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """A task that a client's hang-up does not cancel; `settle` waits for it."""
        task = asyncio.ensure_future(work)
        self._finishing.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        """Log a failure here, as nobody may wait for it any more."""
        self._finishing.discard(task)
        if not task.cancelled() and (error := task.exception()):
            note(log, error, "filing what was told")

    async def settle(self) -> None:
        """Wait until everything told so far is filed."""
        while self._finishing:
            await asyncio.wait(list(self._finishing))

    def _today(self) -> str:
        return self._now().date().isoformat()

    # -- ask, remember, forget ---

    async def ask(self, asked: wire.AskRequest) -> wire.Answer:
        """
        An answer from facts, else from a model that can be trusted to read, else the passages that bear on it.

        Raises:
            ModelUnknown, ModelMissing: *asked* names a model that is not here, and facts do not answer.
        """
        started = time.monotonic()
        self._memory.must_be_open()
        recall = await self._recall(asked.question)
        model = asked.model or self._default_model()
        found = await self._answer(asked, recall, model)
        if found.kind in ("unknown", "passages"):
            await asyncio.to_thread(self._feedback.failed, asked.question)
        return msgspec.structs.replace(found, took_ms=(time.monotonic() - started) * 1000)

    async def _answer(self, asked: wire.AskRequest, recall: Recall, model: str | None) -> wire.Answer:
        if recall.direct:
            direct = recall.direct
            return wire.Answer(text=direct.text, kind=direct.kind, sources=list(direct.sources))
        if model and READ in (await asyncio.to_thread(self._trust.of, model) or ()):
            try:
                text = await self._read(model, asked.question, recall.block)
            except ModelError:
                if asked.model:
                    raise
            else:
                sources = context.first_of(recall.block.sources, asked.limit)
                return wire.Answer(text=text, kind="model", sources=sources, model=model)
        bearing = speech.bearing(asked.question, recall.passages)[: asked.limit]
        if bearing:
            sources = [context.source_of(passage) for passage in bearing]
            return wire.Answer(text=speech.quoted(bearing), kind="passages", sources=sources)
        return wire.Answer(text=speech.NOTHING, kind="unknown")

    async def _read(self, model: str, question: str, block: Block) -> str:
        """What *model* reads out of *block*."""
        generation = Generation(
            messages=(ChatMessage(role="user", content=context.to_read(block, question)),),
            sampling=Sampling(temperature=0.0),
            max_tokens=200,
            reasoning=False,
        )
        async with aclosing(self._supervisor.generate(model, generation)) as deltas:
            return "".join([delta.text async for delta in deltas]).strip()

    async def remember(self, asked: wire.RememberRequest) -> wire.Remembered:
        """File the facts that *asked* tells; what tells none, or is to stay as it is, becomes a line of a page."""
        self._memory.must_be_open()
        if not asked.verbatim and asked.page is None:
            ledger = context.without_experiences(self._memory.ledger())
            told = await asyncio.to_thread(self.telling.by_pattern, asked.text, ledger)
            model = self._default_model()
            trusted = model and EXTRACT in (await asyncio.to_thread(self._trust.of, model) or ())
            if model and trusted and is_worth_reading(asked.text, told):
                told = await self.telling.by_model(model, asked.text, told)
            if told.changes:
                source = await self._journal("remember", asked.text, "")
                return await self.telling.write(told, source)
        return await asyncio.to_thread(self._memory.remember_note, asked.text, asked.page)

    async def feedback(self, asked: wire.FeedbackRequest) -> wire.FeedbackNoted:
        """
        File what the owner thinks of an answer. A correction stands in the journal, as their words, when this returns.

        Raises:
            RequestInvalid: it names no question, nor an exchange that is remembered.
        """
        self._memory.must_be_open()
        exchange = self._feedback.find(asked.exchange)
        question = (asked.question or (exchange.question if exchange else "")).strip()
        if not question:
            raise RequestInvalid("the exchange is not remembered any more: name the question", "question")
        if exchange is not None:
            await asyncio.to_thread(self._feedback.judged, exchange, asked.verdict)
        right = (asked.correction or "").strip()
        if not right and asked.verdict == "up" and exchange is not None:
            right = exchange.value or exchange.answer
        changed = wire.Remembered(changes=[])
        if asked.correction and asked.correction.strip():
            source = await self._journal("feedback", as_told(question, right), "")
            ledger = context.without_experiences(self._memory.ledger())
            told = await asyncio.to_thread(self.telling.by_pattern, right, ledger)
            if not told.changes:
                told = await asyncio.to_thread(self._put_right, question, right, ledger, told)
            changed = await self.telling.write(told, source)
        if right:
            await asyncio.to_thread(self._feedback.answered, question, right, "feedback")
        else:
            await asyncio.to_thread(self._feedback.failed, question)
        return wire.FeedbackNoted(question=question, trains=bool(right), changes=changed.changes, commit=changed.commit)

    async def forget(self, asked: wire.ForgetRequest) -> wire.Forgotten:
        """
        Say what would go, or, confirmed, remove it everywhere: prompt states of models too.

        Raises:
            FactUnknown: no fact and no page has that name.
        """
        self._memory.must_be_open()
        forgotten = await asyncio.to_thread(self._memory.forget, asked.what, asked.confirm)
        if not forgotten.done and not forgotten.matches and not forgotten.places:
            await asyncio.to_thread(knowledge.must_be_known, self._memory, asked.what)
        if forgotten.done:
            self._feedback.forget()
            values = [match.value for match in forgotten.matches if match.value]
            await asyncio.to_thread(self.telling.forget, values)
            await self._supervisor.drop_prefixes(values)
        return forgotten


def _facts_in(reply: Reply, ledger: Ledger) -> str:
    """The words of the facts that *reply* was made from."""
    facts = [fact for attribute in reply.attributes for fact in ledger.current(attribute)]
    return " ".join(f"{fact.attribute} {fact.value or fact.was or ''}" for fact in facts)


def _new_words(generation: Generation) -> str:
    """The last turn's text if the user said it; else nothing is new."""
    last = generation.messages[-1] if generation.messages else None
    return last.content if last and last.role == "user" else ""


def _told_before(generation: Generation) -> list[str]:
    """The user's messages that the last one may correct: none where it answers a question."""
    turns = [turn for turn in generation.messages[:-1] if turn.role in ("user", "assistant")]
    if turns and turns[-1].role == "assistant" and "?" in turns[-1].content:
        return []
    return [turn.content for turn in turns if turn.role == "user"]


def _asked_before(generation: Generation) -> str | None:
    """The question that the user's last turn but one was, if it was one."""
    said = [turn.content for turn in generation.messages if turn.role == "user"]
    return said[-2] if len(said) > 1 and is_question(said[-2]) else None


def _bears_on(question: str, passage: Passage, ledger: Ledger) -> bool:
    """Whether *passage* may be quoted to *question*; lines of facts only where one of them is what was asked."""
    if context.is_facts_page(passage.path) and (facts := context.hit_facts([passage], ledger)):
        return any(is_about(question, fact.attribute, ledger) for fact in facts)
    return bears_on(question, f"{passage.title} {passage.heading} {passage.text}", ledger)


def _is_formal(generation: Generation) -> bool:
    """Whether the client asked for a form that only the model can keep to: a schema, a grammar, tools, several."""
    return generation.response_format.kind != "text" or bool(generation.tools) or generation.n > 1


def _own_words(words: str, recall: Recall, told: Told) -> OwnWords | None:
    """What the daemon says instead of a model that cannot be trusted to read; None lets the model talk."""
    parts = [speech.noted(told.changes, told.consequences)] if told.changes else []
    if not told.changes and any(statement.kind == "deletion" for statement in told.statements):
        return OwnWords(speech.which_to_forget(told.unclear) if told.unclear else speech.NOTHING_TO_FORGET)
    if told.changes and ("?" not in words or told.forgotten):
        return OwnWords(parts[0])
    if recall.direct:
        return OwnWords("\n\n".join([*parts, recall.direct.text]), recall.direct.sources, recall.direct.kind)
    bearing = speech.bearing(words, recall.passages) if is_question(words) else []
    if bearing:
        sources = tuple(context.source_of(passage) for passage in bearing)
        return OwnWords("\n\n".join([*parts, speech.quoted(bearing)]), sources, "passages")
    personal = _ABOUT_THE_OWNER.search(words) or names_somebody(words)
    if not parts and is_question(words) and personal and not _ASKS_ADVICE.search(words):
        return OwnWords(speech.NOTHING, kind="unknown")
    return OwnWords(parts[0]) if parts else None


def _without_our_lines(generation: Generation) -> Generation:
    """*generation* without the daemon's own confirmations in it, which a model would imitate."""
    messages = tuple(
        msgspec.structs.replace(turn, content="OK.")
        if turn.role == "assistant" and (speech.begins_as_ours(turn.content) or turn.content == speech.KEPT)
        else turn
        for turn in generation.messages
    )
    return msgspec.structs.replace(generation, messages=messages)


async def _as_a_model(deltas: AsyncGenerator[Delta]) -> AsyncGenerator[Delta]:
    """*deltas*, none of whose answers begins as our confirmations do: that would say that something was written."""
    begun: dict[int, str] = {}
    settled: set[int] = set()
    async with aclosing(deltas):
        async for delta in deltas:
            if delta.index in settled:
                yield delta
                continue
            text = begun.pop(delta.index, "") + delta.text
            ours = speech.begins_as_ours(text) if text.strip() else None
            rest = speech.without_confirmation(text) if ours else text
            if delta.finish_reason is None and (ours is None or (ours and speech.begins_as_ours(rest) is None)):
                begun[delta.index] = text
                text = ""
            else:
                settled.add(delta.index)
                text = rest
            yield msgspec.structs.replace(delta, text=text)


def _with_memory(generation: Generation, block: Block) -> Generation:
    """*generation* with the block before the last turn's words, so that what went before stays the same prefix."""
    if not block.text or not generation.messages or generation.messages[-1].role != "user":
        return generation
    *before, last = generation.messages
    read = msgspec.structs.replace(last, content=f"{block.text}\n\n{last.content}")
    return msgspec.structs.replace(generation, messages=(*before, read))
