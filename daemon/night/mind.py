"""
The model's part in the night: only what its own check trusts it with, always after the owner's requests, never needed.

Called from the night's thread. A model that is silent, slow or gone counts as having said nothing; after three silences
in a row, or six answers that were of no use, it is not asked again. It spends no more than the night has left.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Protocol

from daemon.context import to_read
from daemon.night import experiences, reflection
from daemon.night.blocks import Blocks, evidence
from daemon.night.experiences import Candidate, Conversation, Experience
from daemon.night.loop import Outcome, Probe, Source
from daemon.night.meta_page import MetaRule
from daemon.night.metamem import SAMPLES, TEMPERATURE, Lesson, Reflect, Sample
from daemon.night.triggers import Allowance
from daemon.night.verdict import score as compare
from daemon.night.verdict import words
from daemon.trust import Trust
from models.errors import ModelError
from models.exam import Ability
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling
from models.supervisor import Supervisor

TIMEOUT_S = 120.0
LOOK_S = 0.2
SILENCES = 3
USELESS = 6
_VERBATIM_WORDS = 12
_JUDGE = (
    "Question: {question}\nRight answer: {gold}\nGiven answer: {answer}\n"
    "Do both answers say the same? Reply with one word: same or different."
)


class Says(Protocol):
    """A mind that can be asked."""

    def can(self, ability: Ability) -> bool:
        """Whether it is trusted with *ability*, and still answers."""

    def say(
        self, content: str, *, schema: dict[str, Any] | None = None, temperature: float = 0.0, seed: int = 1
    ) -> str | None:
        """What it says; None where it says nothing."""

    def judged(self, useful: bool) -> None:
        """What it last said was of use, or not: a mind that is of no use many times in a row is asked no more."""


class NoMind:
    """A mind that is trusted with nothing."""

    tokens = 0
    complaint = ""

    def wake(self, left: Allowance) -> None:
        """Nothing wakes."""

    def can(self, ability: Ability) -> bool:  # noqa: ARG002
        """It is not."""
        return False

    def say(
        self,
        content: str,  # noqa: ARG002 - as `Says` has it
        *,
        schema: dict[str, Any] | None = None,  # noqa: ARG002
        temperature: float = 0.0,  # noqa: ARG002
        seed: int = 1,  # noqa: ARG002
    ) -> str | None:
        """Nothing."""
        return None

    def judged(self, useful: bool) -> None:
        """It says nothing that could be."""


class Mind:
    """The chat model, asked in the background. *tokens* counts what it has read and written."""

    def __init__(
        self,
        supervisor: Supervisor,
        trust: Trust,
        model: Callable[[], str | None],
        loop: Callable[[], asyncio.AbstractEventLoop | None],
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._supervisor = supervisor
        self._trust = trust
        self._model = model
        self._loop = loop
        self._timeout_s = timeout_s
        self._silences = self._useless = 0
        self._left = Allowance()
        self.tokens = 0

    def wake(self, left: Allowance) -> None:
        """Begin a run that has *left* to spend: what the model did before is forgiven, tokens are counted anew."""
        self._silences = self._useless = self.tokens = 0
        self._left = left

    def can(self, ability: Ability) -> bool:
        """Whether the model is trusted with *ability*, still answers, and may spend more."""
        model = self._model()
        return bool(model) and not self.complaint and ability in (self._trust.of(model or "") or ())

    @property
    def complaint(self) -> str:
        """Why the model is asked no more, in a few words; empty while it may be."""
        if self._silences >= SILENCES:
            return "the model did not answer"
        if self._useless >= USELESS:
            return "what the model said could not be used"
        return self._left.exhausted(self.tokens)

    def judged(self, useful: bool) -> None:
        """Count answers that were of no use, in a row."""
        self._useless = 0 if useful else self._useless + 1

    def say(
        self, content: str, *, schema: dict[str, Any] | None = None, temperature: float = 0.0, seed: int = 1
    ) -> str | None:
        """What the model says, None where it fails or takes too long."""
        model, loop = self._model(), self._loop()
        if model is None or loop is None or self.complaint:
            return None
        generation = Generation(
            messages=(ChatMessage(role="user", content=content),),
            sampling=Sampling(temperature=temperature, seed=seed),
            max_tokens=400 if schema else 160,
            reasoning=False,
            priority="background",
            response_format=ResponseFormat(kind="json_schema", schema=schema) if schema else ResponseFormat(),
        )
        asked = asyncio.run_coroutine_threadsafe(self._generate(model, generation), loop)
        while not wait((asked,), LOOK_S).done:
            if self._left.pause():
                asked.cancel()
                return None
        try:
            text = asked.result()
        except (ModelError, TimeoutError):
            self._silences += 1
            return None
        self._silences = 0 if text else self._silences + 1
        return text or None

    async def _generate(self, model: str, generation: Generation) -> str:
        parts: list[str] = []
        async with (
            asyncio.timeout(min(self._timeout_s, max(0.0, self._left.seconds()))),
            aclosing(self._supervisor.generate(model, generation)) as deltas,
        ):
            async for delta in deltas:
                parts.append(delta.text)
                if delta.usage:
                    self.tokens += delta.usage.prompt_tokens + delta.usage.completion_tokens
        return "".join(parts).strip()


@dataclass(frozen=True)
class ReadingTrial:
    """Tries rules on what a trusted model answers: sampled, judged word for word, or by it where it may judge."""

    blocks: Blocks
    mind: Says
    samples: int = SAMPLES

    def __call__(self, probe: Probe, rules: Sequence[MetaRule], seed: int) -> Sample:
        """One answer under *rules*."""
        return self.sample(probe, self.blocks.under(rules), seed)

    def sample(self, probe: Probe, view: Blocks, seed: int) -> Sample:
        """One answer out of what *view* gives to read."""
        _, block = view.recall(probe.question)
        shown = tuple(Source(one.path, one.start_line, one.end_line) for one in block.sources)
        answer = self.mind.say(to_read(block, probe.question), temperature=TEMPERATURE, seed=seed + 1) or ""
        return Sample(self._score(probe, answer), answer, block.text, shown)

    def outcome(self, view: Blocks, probe: Probe) -> Outcome:
        """A judge for the loop: what is read out of the block, and its length; half of it is whether it was there."""
        sample = self.sample(probe, view, 0)
        _, block = view.recall(probe.question)
        return Outcome((sample.success + evidence(probe, block, view.experiences)) / 2, len(block.text))

    def _score(self, probe: Probe, answer: str) -> float:
        if answer and len(words(probe.answer)) > _VERBATIM_WORDS and self.mind.can("judge"):
            said = self.mind.say(_JUDGE.format(question=probe.question, gold=probe.answer, answer=answer)) or ""
            return float(said.casefold().lstrip(" \"'*").startswith("same"))
        return compare(answer, probe.answer)


def reflecting(mind: Says, careful: Reflect) -> Reflect:
    """
    Reflection by *mind* where it is trusted, beside the fixed grammar's.

    An answer in the wrong form is asked for once more, then done without.
    """

    def reflect(probe: Probe, samples: Sequence[Sample], rules: Sequence[MetaRule]) -> list[Lesson]:
        found = list(careful(probe, samples, rules))
        for attempt in (1, 2):
            if not mind.can("reflect"):
                break
            said = mind.say(reflection.prompt(probe, samples, rules), schema=reflection.SCHEMA, seed=attempt)
            lessons = reflection.read_reply(said, probe, rules) if said else None
            if said:
                mind.judged(lessons is not None)
            if lessons is not None:
                return [*found, *lessons]
        return found

    return reflect


def drawing(mind: Says) -> experiences.Propose:
    """Candidates by *mind* where it is trusted to extract, else by pattern."""

    def propose(conversation: Conversation, probe: Probe, known: Sequence[Experience]) -> Sequence[Candidate]:
        for attempt in (1, 2):
            if not mind.can("extract"):
                break
            asked = experiences.prompt(conversation, probe, known)
            said = mind.say(asked, schema=experiences.SCHEMA, seed=attempt)
            found = experiences.read_reply(said, conversation, known) if said else None
            if said:
                mind.judged(bool(found))
            if found:
                return found
        return experiences.by_pattern(conversation, probe, known)

    return propose
