"""The loop's values: what counts as success, and which proposal is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from daemon.night.loop import Found, Kind, Outcome, Probe, Source, choose, marginal_utility, nearest, retrieval_f1


@dataclass(frozen=True)
class Answers:
    """A proposal that sets what is found for some questions."""

    key: str
    found: dict[str, list[Found]]
    kind: Kind = "repair"

    def describe(self) -> str:
        """Its key."""
        return self.key


@dataclass(frozen=True)
class Table:
    """A view that looks questions up."""

    found: dict[str, list[Found]] = field(default_factory=dict)

    def retrieve(self, question: str, limit: int) -> Sequence[Found]:
        """What the table holds."""
        return self.found.get(question, [])[:limit]

    def with_(self, proposal: Answers) -> Self:
        """The table with the proposal's entries over it."""
        return type(self)({**self.found, **proposal.found})


def line(number: int, text: str = "x", cites: tuple[Source, ...] = ()) -> Found:
    """A hit of one line on page `a.md`."""
    return Found(text, Source("a.md", number, number), cites=cites)


def probe(name: str, *lines: int, answer: str = "x") -> Probe:
    """A probe answered on *lines* of page `a.md`."""
    return Probe(name, name, answer, tuple(Source("a.md", n, n) for n in lines))


def test_f1_falls_with_what_must_be_read_first() -> None:
    """A source at rank 1 gives 1; at rank 2 half of what was read is of use; beyond the limit it is 0."""
    assert retrieval_f1(Table({"q": [line(3)]}), probe("q", 3)).success == 1.0
    assert retrieval_f1(Table({"q": [line(1), line(3)]}), probe("q", 3)).success == 2 / 3
    assert retrieval_f1(Table({"q": [line(n) for n in range(10, 15)] + [line(3)]}), probe("q", 3)).success == 0.0


def test_a_citation_counts_only_with_the_words() -> None:
    """A line that cites the source but does not hold the answer is no success."""
    cited = (Source("j.md", 7, 7),)
    asked = Probe("q", "q", "Riga", cited)
    assert retrieval_f1(Table({"q": [line(1, "moved to Riga", cited)]}), asked).success == 1.0
    assert retrieval_f1(Table({"q": [line(1, "moved", cited)]}), asked).success == 0.0


def test_shorter_counts_only_where_nothing_got_worse() -> None:
    """A shorter context adds to the utility of a change that loses nothing, and to no other."""
    better = marginal_utility([Outcome(1, 100)], [Outcome(1, 50)])
    worse = marginal_utility([Outcome(1, 100), Outcome(0, 100)], [Outcome(0.5, 10), Outcome(1, 10)])
    assert better.utility == 0.05
    assert worse.harmed == 0.5
    assert worse.utility == worse.gain


def test_a_proposal_that_harms_a_neighbour_is_dropped() -> None:
    """Of two proposals that find the answer, the one is kept that costs the neighbour nothing; none if both do."""
    base = Table({"n": [line(5)]})
    harmful = Answers("harmful", {"q": [line(3)], "n": []})
    good = Answers("good", {"q": [line(1), line(3)]})
    assert choose(base, probe("q", 3), [harmful, good], [probe("n", 5)]) == good
    assert choose(base, probe("q", 3), [harmful], [probe("n", 5)]) is None


def test_neighbours_are_the_nearest_others() -> None:
    """The nearest by words, never the probe itself."""
    asked = probe("where does Ann live", 1)
    near, far = probe("where does Ann work", 2), probe("favourite dish", 3)
    assert nearest(asked, [far, asked, near], count=1) == (near,)
