"""
What a model would read for a question, by day and in the night's trials: rules, experiences, facts and passages.

A view of memory: a rule or an experience is tried on it without anything being written.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from daemon.context import EXPERIENCES, Block, Passage, build, is_experiences, without_experiences
from daemon.directives import joined
from daemon.night.experiences import Candidate, Experience, changed
from daemon.night.loop import Found, Outcome, Probe, Source
from daemon.night.meta_page import MetaRule, advice_of, in_force
from daemon.night.metamem import Sample
from daemon.night.verdict import holds
from daemon.passages import Read, choose
from memory_store.facts import Fact, PageFacts
from memory_store.ledger import Ledger

_PREFERRED = 3
_WHOLE_ORDER = 0.5


@dataclass(frozen=True)
class Blocks:
    """
    Builds the block for any question. *find* gives so many passages, best first; *read* a page as it is now.

    Where the *ledger* has a page of experiences, these are it, unless *experiences* says otherwise.
    """

    ledger: Ledger
    find: Callable[[str, int], Sequence[Passage]]
    read: Read
    rules: tuple[MetaRule, ...]
    budget_tokens: int
    passages: int
    base: str = ""

    def recall(self, question: str) -> tuple[list[Passage], Block]:
        """The passages that are read for *question*, and the block, as the rules want them."""
        rules = in_force(self.rules, question)
        directive = joined([rule.directive for rule in rules])
        count = self.passages if directive.hits is None else directive.hits
        found = self.find(question, count * (_PREFERRED if directive.prefer else 2))
        passages = choose(found, directive, count=self.passages, read=self.read)
        block = build(
            question,
            self.ledger,
            passages,
            budget_tokens=self.budget_tokens,
            advice=advice_of(rules, self.budget_tokens // 4),
            directive=directive,
        )
        return passages, block

    def retrieve(self, question: str, limit: int) -> Sequence[Found]:
        """What the block shows, in the order in which it is read."""
        _, block = self.recall(question)
        return [
            Found(source.text, Source(source.path, source.start_line, source.end_line)) for source in block.sources
        ][:limit]

    def under(self, rules: Sequence[MetaRule]) -> "Blocks":
        """The same memory under other rules."""
        return replace(self, rules=tuple(rules))

    @property
    def experiences(self) -> tuple[Experience, ...]:
        """What was learned from conversations so far."""
        facts = [fact for fact in self.ledger.facts() if is_experiences(fact.path) and fact.value]
        return tuple(Experience(fact.attribute, fact.value or "", fact.source or "", fact.line) for fact in facts)

    def with_(self, proposal: Candidate) -> "Blocks":
        """The same memory with an experience more, or another in its place."""
        return self.knowing(changed(self.experiences, proposal))

    def knowing(self, experiences: Sequence[Experience]) -> "Blocks":
        """The same memory with *experiences* and no others."""
        path = f"{self.base}{EXPERIENCES}"
        facts = tuple(
            Fact(
                each.topic,
                each.value,
                tags=("experience",),
                source=each.source or None,
                path=path,
                line=each.line or -n,
            )
            for n, each in enumerate(experiences, start=1)
        )
        return replace(self, ledger=without_experiences(self.ledger).replace(path, PageFacts(path, facts=facts)))


def evidence(probe: Probe, block: Block, experiences: Sequence[Experience] = ()) -> float:
    """
    The share of the probe's sources that *block* shows, or an experience that was drawn from them and holds the answer.

    For a question of several sources that asks for their order, out of order is half.
    """
    if not probe.sources:
        return float(holds(block.text, probe.answer))
    read = [Source(one.path, one.start_line, one.end_line) for one in block.sources]
    held = {one.start_line: one.text for one in block.sources if is_experiences(one.path)}
    learned = {each.source.removesuffix(".md"): each.value for each in experiences if each.line in held}
    places: list[int] = []
    for source in probe.sources:
        place = next((n for n, one in enumerate(read) if one.meets(source)), None)
        if place is None and holds(learned.get(source.path.removesuffix(".md"), ""), probe.answer):
            place = -1
        if place is not None:
            places.append(place)
    shown = len(places) / len(probe.sources)
    if probe.pattern == "order" and len(places) > 1 and places != sorted(places):
        shown *= _WHOLE_ORDER
    return shown


@dataclass(frozen=True)
class RetrievalTrial:
    """Tries rules on what is read alone: a question succeeds as far as its evidence is in the block."""

    blocks: Blocks
    samples: int = 1

    def __call__(self, probe: Probe, rules: Sequence[MetaRule], seed: int) -> Sample:  # noqa: ARG002 - no chance in it
        """One sample is as good as many."""
        return self.sample(probe, self.blocks.under(rules))

    def sample(self, probe: Probe, view: Blocks) -> Sample:
        """How *view* does on *probe*."""
        _, block = view.recall(probe.question)
        shown = tuple(Source(one.path, one.start_line, one.end_line) for one in block.sources)
        return Sample(evidence(probe, block, view.experiences), "", block.text, shown)


def retrieved(view: Blocks, probe: Probe) -> Outcome:
    """A judge for the loop: evidence in the block, and the block's length."""
    _, block = view.recall(probe.question)
    return Outcome(evidence(probe, block, view.experiences), len(block.text))
