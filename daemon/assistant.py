"""
Use-cases: chat with memory, ask, remember, forget.

A model only reads memory where its own check says that it can read; otherwise facts answer by themselves, passages are
quoted, and what was told is confirmed in the daemon's own words. Nothing is invented.
"""

import asyncio
import contextlib
import logging
import re
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from daemon import context, knowledge, speech, wire
from daemon.config import Memory as Settings
from daemon.context import Block
from daemon.conversation import (
    as_a_model,
    asked_before,
    asked_whole,
    is_formal,
    kept_short,
    must_be_shorter,
    new_words,
    to_be_kept,
    told_before,
    with_memory,
    without_our_lines,
)
from daemon.errors import RequestInvalid, note
from daemon.extraction import EXTRACT
from daemon.feedback import Exchanged, Feedback, value_of
from daemon.memory import Memory
from daemon.own_words import OwnWords, own_words
from daemon.recall import Recall, direct_answer, quoted, recall_for, sure
from daemon.taught import as_told, corrected, fact_put_right
from daemon.telling import Telling, Told, is_worth_reading
from daemon.trust import Trust
from memory_store.errors import StoreError
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
LONGEST_QUESTION, LONGEST_TOLD = 20_000, 1_000_000  # characters
AGREED_WITHIN_S = 600.0
FILED_WITHIN_S = 5.0  # what a model reads out of a message may take longer: then the next does not wait for it
FOUND_WITHIN_S = 1.0
_AGREES = re.compile(
    r"(?:yes|yep|yeah|sure|ok|okay|please|do)\b[\s,.!]*(?:please|do)?[\s,]*"
    r"(?:(?:forget|erase|remove|delete|do) (?:it|that|them|this)(?: all)?(?: everywhere| for good| completely)?)?"
    r"[\s,]*(?:please)?[.!]*",
    re.IGNORECASE,
)
_SAYS_WHAT = re.compile(r"\b(?:forget|erase|remove|delete)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """
    The question whether *attributes*, forgotten at the owner's *words*, are to go from everywhere; asked *at*. Where
    no fact is meant, *sentences* of conversations are.

    *latest*: nothing was said since, by anybody.
    """

    attributes: tuple[str, ...]
    words: str
    at: float
    sentences: tuple[str, ...] = ()
    latest: bool = True


@dataclass(frozen=True)
class Heard:
    """
    The owner's new *words*: what memory holds for them, what they *told*, and our *own* reply where memory gives it.

    *reader* is the model that is to draw statements while its reply is filed; the model that answers *reads* memory and
    *follows* rules where its check says so. Not *whole*: a part of the message was not to be remembered.
    """

    words: str
    recall: Recall
    told: Told
    own: OwnWords | None
    reader: str | None
    reads: bool
    follows: bool
    whole: bool = True

    @property
    def sources(self) -> tuple[wire.Source, ...]:
        """What the reply stands on."""
        if self.own is not None:
            return tuple(self.own.sources)
        return tuple(self.recall.block.sources) if self.reads else ()


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
        await self._caught_up()
        model = model or self._default_model() or ""
        heard = await self._hear(model, generation)
        words, told, own = heard.words, heard.told, heard.own
        exchange = uuid.uuid4().hex[:9]
        filing = None
        if own is not None and told.changes:  # it is said to be noted once it is: a full disk makes no promise
            filing = self._in_background(self._note(model, heard, own.text, exchange))
            await asyncio.shield(filing)
        reply: list[str] = []
        last: Delta | None = None
        finished = False
        try:
            async with aclosing(self._reply(model, generation, heard)) as deltas:
                async for delta in deltas:
                    if delta.index == 0:
                        reply.append(delta.text)
                    if delta.finish_reason and (own is not None or generation.n == 1):
                        last = delta
                    else:
                        yield delta
            finished = True
        finally:
            if not finished and not filing and (reply or told.changes):
                self._file(model, heard, "".join(reply))
        if filing is None:
            journaled, filing = self._file(model, heard, "".join(reply), exchange)
            await asyncio.shield(journaled)
        if last is not None:
            yield last
        told, filed = await asyncio.shield(filing)
        sources, kind = heard.sources, own.kind if own is not None else None
        exchanged = Exchanged(
            words,
            "".join(reply),
            heard.recall.rules if heard.reads else (),
            value_of(sources, kind),
            sources if kind != "passages" else (),
            model=own is None,
        )
        self._feedback.exchanged(exchange, exchanged)
        if heard.whole:
            await asyncio.to_thread(self._take_note, generation, told, kind if own else "model", exchanged)
        yield wire.ChatMemory(
            sources=context.first_of(sources, SOURCES_AT_MOST),
            changes=filed.changes,
            commit=filed.commit,
            kind=kind,
            exchange=exchange,
        )

    async def _hear(self, model: str, generation: Generation) -> Heard:
        """What the owner's new words ask and tell, and whether *model* or memory itself is to answer."""
        words = new_words(generation)
        if (kept := to_be_kept(words)) != words:
            return await self._hear_part(kept)
        recall = await self._recall(asked_whole(generation, words))
        erasing = self._agreed(generation, words)
        told = Told()
        if not erasing:
            told = await asyncio.to_thread(
                self.telling.by_pattern, words, recall.ledger, before=told_before(generation)
            )
        if (right := corrected(words)) and (question := asked_before(generation)) and not told.corrects:
            told = await asyncio.to_thread(self._put_right, question, right, recall.ledger, Told())
        trust = await asyncio.to_thread(self._trust.of, model) or frozenset()
        reader = model if EXTRACT in trust and not erasing and is_worth_reading(words, told) else None
        if reader and READ not in trust:
            told, reader = await self.telling.by_model(reader, words, told), None
        own = None
        if self._asked is not None:
            self._asked = None if erasing else replace(self._asked, latest=False)
        if erasing:
            own = OwnWords(await self._erase(erasing))
        elif not is_formal(generation) and (told.to_go or recall.left or READ not in trust):
            own = own_words(words, recall, told, talks=FOLLOW in trust)
            if told.to_go or (recall.left and not told.changes and not told.unclear):
                sentences = () if told.to_go else tuple(dict.fromkeys(one.message for one in recall.left))
                self._asked = Asked(told.to_go, words, time.monotonic(), sentences)
        return Heard(words, recall, told, own, reader, reads=READ in trust, follows=FOLLOW in trust)

    async def _hear_part(self, words: str) -> Heard:
        """What *words* tell, before the rest of the message, which is not to be remembered; no model sees any of it."""
        recall = await self._recall(words)
        told = await asyncio.to_thread(self.telling.by_pattern, words, recall.ledger)
        own = own_words(words, recall, told, talks=True) if words else None
        text = "\n".join([*([own.text] if own else []), speech.NOT_KEPT])
        said = f"{words} {speech.UNSAID}".strip()
        sources = own.sources if own else ()
        return Heard(said, recall, told, OwnWords(text, sources), None, reads=False, follows=False, whole=False)

    async def _reply(self, model: str, generation: Generation, heard: Heard) -> AsyncGenerator[Delta]:
        """The reply piece by piece: in our own words where memory answers, else the model's."""
        if heard.own is not None:
            for line in heard.own.text.splitlines(keepends=True):
                yield Delta(text=line)
            yield Delta(finish_reason="stop", usage=await self._usage(model, generation, heard.own.text))
            return
        asked = without_our_lines(generation)
        if heard.reads or is_formal(generation):
            asked = with_memory(asked, heard.recall.block)
        if not heard.follows and not is_formal(generation):
            asked = kept_short(asked)
        async with aclosing(as_a_model(self._supervisor.generate(model, asked))) as deltas:
            async for delta in deltas:
                yield delta

    async def _usage(self, model: str, generation: Generation, reply: str) -> Usage:
        """Tokens of the conversation and of our *reply*: as *model* counts where it is loaded, else about as many."""
        if self._supervisor.is_loaded(model):
            with contextlib.suppress(ModelError):
                prompt = await self._supervisor.count_tokens(model, generation.messages, generation.tools)
                completion = await self._supervisor.count_tokens(model, reply)
                return Usage(prompt_tokens=prompt, completion_tokens=completion, generated=False)
        prompt = sum(context.estimate_tokens(message.content) for message in generation.messages)
        return Usage(prompt_tokens=prompt, completion_tokens=context.estimate_tokens(reply), generated=False)

    def _take_note(
        self, generation: Generation, told: Told, kind: wire.AnswerKind | None, exchanged: Exchanged
    ) -> None:
        """For the night: what answered, what memory could not answer, and what the owner corrected."""
        self._feedback.cited(exchanged)
        said = [to_be_kept(message.content) for message in generation.messages if message.role == "user"]
        if kind in (None, "near", "passages") and not told.changes and said:
            self._feedback.failed(said[-1])
        values = [change.after for change in told.changes if isinstance(change, FactChange) and change.after]
        right = self._feedback.corrected(said, told.statements, values)
        if right and not told.changes:  # no fact holds it: so that it is answered when it is asked again
            self._memory.journal(
                Exchange(uuid.uuid4().hex[:9], self._now(), "feedback", [Said("user", as_told(*right))])
            )

    async def _recall(self, words: str) -> Recall:
        """What memory holds for *words*."""
        return await asyncio.to_thread(recall_for, words, self._memory, self._settings(), today=self._today())

    def _put_right(self, question: str, right: str, ledger: Ledger, told: Told) -> Told:
        """*told*, with the change of the fact that *question* asks for, where *right* is another value than it has."""
        direct = sure(direct_answer(question, self._memory, ledger, today=self._today()))
        change = fact_put_right(question, right, direct, ledger)
        return self.telling.followed(told, change, ledger) if change else told

    def _file(
        self, model: str, heard: Heard, reply: str, exchange: str = ""
    ) -> "tuple[asyncio.Task[str | None], asyncio.Task[tuple[Told, wire.Remembered]]]":
        """
        Begin to journal the exchange, and to write what was told after that; a client's hang-up stops neither.

        Where a model is to draw the statements, what goes by pattern counts should it fail.
        """
        journaled = self._in_background(self._journal(f"{model}:memory", heard.words, reply, exchange))

        async def write() -> tuple[Told, wire.Remembered]:
            source = await journaled
            drawn = await self._drawn(heard, source)
            return drawn, await self.telling.write(drawn, source)

        return journaled, self._in_background(write())

    async def _note(self, model: str, heard: Heard, reply: str, exchange: str) -> tuple[Told, wire.Remembered]:
        """As `_file`, for a *reply* that says what is noted: journaled once that is true, else the words alone."""
        source = await asyncio.to_thread(self._memory.open_journal)
        drawn = await self._drawn(heard, source)
        try:
            filed = await self.telling.write(drawn, source)
        except StoreError:
            with contextlib.suppress(StoreError):
                await self._journal(f"{model}:memory", heard.words, "", exchange)
            raise
        await self._journal(f"{model}:memory", heard.words, reply, exchange)
        return drawn, filed

    async def _drawn(self, heard: Heard, source: str | None) -> Told:
        """What was told, as a model reads it where one is to."""
        if heard.reader is None:
            return heard.told
        return await self.telling.by_model(heard.reader, heard.words, heard.told, source)

    async def _journal(self, model: str, words: str, reply: str, exchange_id: str = "") -> str | None:
        """Append the exchange, on disk when this returns; the link under which it can be found."""
        if not words.strip():
            return None
        turns = [Said("user", words)] + ([Said("assistant", reply)] if reply.strip() else [])
        exchange = Exchange(exchange_id or uuid.uuid4().hex[:9], self._now(), model, turns)
        return await asyncio.to_thread(self._memory.journal, exchange)

    def _agreed(self, generation: Generation, words: str) -> Asked | None:
        """
        What *words* agree to have removed everywhere: they must answer our question, asked just before. Where a client
        sends no earlier turns, that is the last exchange with anybody, and the words must say what they agree to.
        """
        asked = self._asked
        if asked is None or not _AGREES.fullmatch(words.strip()) or time.monotonic() - asked.at > AGREED_WITHIN_S:
            return None
        before = [message.content for message in generation.messages[:-1] if message.role == "user"]
        meant = before[-1] == asked.words if before else asked.latest and _SAYS_WHAT.search(words) is not None
        return asked if meant else None

    async def _erase(self, asked: Asked) -> str:
        """Remove what is *asked* everywhere; what there is to say of it, at the latest once pages hold it no more."""
        gone = await self._memory.erasing.begin(asked.attributes or asked.sentences, FILED_WITHIN_S)
        self._feedback.forget()
        attributes = asked.attributes or [speech.WHAT_WAS_SAID]
        if gone is None:
            return speech.erasing(attributes)
        left = [place for forgotten in gone for place in forgotten.places if place.endswith("(kept)")]
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

    async def _caught_up(self) -> None:
        """Wait, for a while, until what was told just before is filed and found."""
        if self._finishing:
            await asyncio.wait(list(self._finishing), timeout=FILED_WITHIN_S)
        await self._memory.caught_up(FOUND_WITHIN_S)

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
        must_be_shorter(asked.question, LONGEST_QUESTION, "question")
        await self._caught_up()
        recall = await self._recall(asked.question)
        model = asked.model or self._default_model()
        found = await self._answer(asked, recall, model)
        if found.kind in ("unknown", "near", "passages"):
            await asyncio.to_thread(self._feedback.failed, asked.question)
        else:
            read = Exchanged(asked.question, found.text, sources=tuple(found.sources), model=found.kind == "model")
            await asyncio.to_thread(self._feedback.cited, read)
        return msgspec.structs.replace(found, took_ms=(time.monotonic() - started) * 1000)

    async def _answer(self, asked: wire.AskRequest, recall: Recall, model: str | None) -> wire.Answer:
        if direct := sure(recall.direct):
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
        if told := quoted(asked.question, recall, limit=asked.limit):
            return wire.Answer(text=told.text, kind=told.kind, sources=list(told.sources))
        if near := recall.direct:
            return wire.Answer(text=near.text, kind=near.kind, sources=list(near.sources))
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
            must_be_shorter(asked.text, LONGEST_TOLD, "text")
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
        for name, text in (("question", asked.question), ("correction", asked.correction)):
            must_be_shorter(text or "", LONGEST_QUESTION, name)
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
        Say what would go, or, confirmed, remove it everywhere.

        Raises:
            FactUnknown: no fact and no page has that name.
        """
        self._memory.must_be_open()
        forgotten = await self._memory.erasing.forget(asked.what, confirm=asked.confirm)
        if not forgotten.done and not forgotten.matches and not forgotten.places:
            await asyncio.to_thread(knowledge.must_be_known, self._memory, asked.what)
        if forgotten.done:
            self._feedback.forget()
        return forgotten
