"""
What the owner tells becomes facts: statements by pattern or by a model, linked, recalculated and written.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from daemon import context, wire
from daemon.extraction import EXTRACT, NotRead, draw, own_sentences
from daemon.memory import Memory
from daemon.named_to_go import named_to_go
from daemon.questions import is_question
from daemon.trust import Trust
from daemon.unread import Unread
from memory_store.facts import Change, FactChange
from memory_store.familiar import Familiar
from memory_store.ledger import Ledger
from memory_store.linking import changes as link
from memory_store.pleas import pleas
from memory_store.recalc import recalculate
from memory_store.statements import Statement, extract
from models.requests import Generation
from models.supervisor import Supervisor

log = logging.getLogger(__name__)
READ_AGAIN_S = 900.0
FOLLOWED_BACK = 4  # messages; more corrections of one thing in a row are not followed


@dataclass(frozen=True)
class Told:
    """What a message told: its statements, the changes they come to, and what follows from these by rule."""

    statements: tuple[Statement, ...] = ()
    changes: tuple[Change, ...] = ()
    consequences: tuple[FactChange, ...] = ()
    unclear: tuple[str, ...] = ()  # what a request to forget may have meant
    together: tuple[str, ...] = ()  # the facts of somebody of whom everything is to be forgotten, if that is agreed to

    @property
    def forgotten(self) -> tuple[str, ...]:
        """The facts that are to be forgotten."""
        return tuple(c.attribute for c in self.changes if isinstance(c, FactChange) and c.kind == "forget")

    @property
    def to_go(self) -> tuple[str, ...]:
        """The facts of which it is asked whether they are to go from everywhere."""
        return self.forgotten or self.together

    @property
    def corrects(self) -> bool:
        """Whether it changes what was told before."""
        return bool(self.changes) and any(statement.kind == "correction" for statement in self.statements)


class Telling:
    """From words to facts."""

    def __init__(
        self,
        memory: Memory,
        supervisor: Supervisor,
        trust: Trust,
        unread: Unread,
        default_model: Callable[[], str | None],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._memory = memory
        self._supervisor = supervisor
        self._trust = trust
        self._unread = unread
        self._default_model = default_model
        self._now = now
        self.soon: Callable[[str, float], None] = lambda _job, _delay_s: None

    def by_pattern(self, words: str, ledger: Ledger, source: str | None = None, *, before: Sequence[str] = ()) -> Told:
        """
        What *words* tell, by pattern, and what they come to in *ledger*.

        *before*: the owner's messages before it, of which the last may be what *words* correct.
        """
        after: Sequence[Statement] = ()
        for message in before[-FOLLOWED_BACK:]:
            told = extract(message, after=after)
            after = told if told or not is_question(message) else after
        if not words.strip():
            return Told()
        found = extract(words, after=after, before=before[-FOLLOWED_BACK:], known=Familiar.of(ledger))
        return _with_what_it_names(words, self.linked(found, ledger, source), ledger, source)

    def linked(self, statements: Sequence[Statement], ledger: Ledger, source: str | None = None) -> Told:
        """What *statements* come to in *ledger*."""
        if not statements:
            return Told()
        today = self._today()
        linked = self._memory.meaning.with_similarity(
            lambda near: link(statements, ledger, today=today, source=source, similarity=near, base=self._memory.base)
        )
        consequences = recalculate(ledger, linked.changes).consequences if linked.changes else ()
        unclear = next((one.attributes for one in linked.ambiguous if one.statement.kind == "deletion"), ())
        return Told(tuple(statements), linked.changes, consequences, unclear, linked.together)

    def followed(self, told: Told, change: FactChange, ledger: Ledger) -> Told:
        """*told* with *change* and what follows from it."""
        consequences = recalculate(ledger, [change]).consequences
        return replace(told, changes=(change,), consequences=consequences)

    async def by_model(self, model: str, words: str, fallback: Told, source: str | None = None) -> Told:
        """What *words* tell, as *model* reads them; where it fails, they are queued, and *fallback* is what counts."""
        try:
            statements = await draw(partial(self._complete, model), words)
        except NotRead as error:
            log.warning("%s gave no statements that can be used; the words are kept to be read again", model)
            log.debug("%s: %s", model, error)
            await asyncio.to_thread(self._unread.add, words, self._today(), source, model)
            self.soon("unread", READ_AGAIN_S)
            return fallback
        ledger = context.without_experiences(self._memory.ledger())
        return await asyncio.to_thread(self.linked, statements, ledger, source)

    async def read_again(self) -> str | None:
        """Try the words that no model could read so far with the default model, if that is trusted with it."""
        model = self._default_model()
        if (
            not model
            or not self._memory.is_open
            or EXTRACT not in (await asyncio.to_thread(self._trust.of, model) or ())
        ):
            return None
        read = failed = 0
        for kept in await asyncio.to_thread(self._unread.waiting, model):
            try:
                statements = await draw(partial(self._complete, model), kept.words)
            except NotRead:
                failed += 1
                await asyncio.to_thread(self._unread.failed, kept, model)
                continue
            ledger = context.without_experiences(self._memory.ledger())
            told = await asyncio.to_thread(self.linked, statements, ledger, kept.source)
            fresh = tuple(change for change in told.changes if not _overtaken(change, ledger, kept.when))
            await self.write(replace(told, changes=fresh), kept.source)
            await asyncio.to_thread(self._unread.done, kept)
            read += 1
        if failed:
            self.soon("unread", READ_AGAIN_S)
        return f"{read} read, {failed} not" if read or failed else None

    def waiting(self) -> int:
        """How many messages wait for a model that can read them."""
        return len(self._unread.waiting())

    async def _complete(self, model: str, generation: Generation) -> str:
        """The whole text that *model* answers."""
        async with aclosing(self._supervisor.generate(model, generation)) as deltas:
            return "".join([delta.text async for delta in deltas])

    async def write(self, told: Told, source: str | None) -> wire.Remembered:
        """File what was told, with its source line; its consequences are worked out by the store, in one commit."""
        if not told.changes:
            return wire.Remembered(changes=[])
        changes = [_sourced(change, source) for change in told.changes]
        why = told.statements[0].sentence if told.statements else "What the owner put right"
        return await asyncio.to_thread(self._memory.write, changes, why, source)

    def forget(self, values: Iterable[str]) -> None:
        """Keep no words that hold one of *values*."""
        self._unread.scrub(values)

    def _today(self) -> str:
        return self._now().date().isoformat()


def _with_what_it_names(words: str, told: Told, ledger: Ledger, source: str | None) -> Told:
    """*told* with the facts that *words* ask to forget by words that are not their names."""
    asked = next((one for one in told.statements if one.kind == "deletion"), None)
    if asked is None or told.together or (told.forgotten and len(pleas(words)) < 2):
        return told
    named = named_to_go(words, ledger)
    fresh = tuple(
        FactChange(one.path, one.attribute, "forget", one.value, None, asked.sentence, source)
        for one in named.facts
        if one.attribute not in told.forgotten
    )
    unclear = () if fresh or told.forgotten else told.unclear or named.among
    changes = (*told.changes, *fresh)
    consequences = recalculate(ledger, changes).consequences if fresh else told.consequences
    return replace(told, changes=changes, consequences=consequences, unclear=unclear)


def is_worth_reading(words: str, told: Told) -> bool:
    """
    Whether a model is to read *words*, which came to *told* by pattern: not where they state nothing, nor where they
    ask to forget something, which is not left to how a model reads it, nor where they only correct what was told
    before, which the model would not see.
    """
    kinds = [statement.kind for statement in told.statements]
    return bool(own_sentences(words)) and "deletion" not in kinds and (not kinds or set(kinds) != {"correction"})


def _overtaken(change: Change, ledger: Ledger, day: str) -> bool:
    """Whether what *change* changes, told on *day*, was changed on that day or after it by something else."""
    if not isinstance(change, FactChange):
        return False
    return any((fact.since or "") >= day or fact.state == "forgotten" for fact in ledger.current(change.attribute))


def _sourced(change: Change, source: str | None) -> Change:
    return replace(change, source=source) if change.source is None else change
