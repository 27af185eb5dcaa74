"""What dreams teach about passages: weights and ties, applied to rankings without touching a page."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from memory_store.store import Store
from memory_store.tuning import Tuned, Tuning

NOTES = """# Trip

What did you pack for the long trip to Norway?

## Answer

A red tent and two lamps.

## Other

The harbour of Bergen was full of boats in Norway.
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store over one page of three passages."""
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Trip.md").write_text(NOTES)
    made = Store.open(vault, tmp_path / "state", owned=True, now=lambda: datetime.now(UTC))
    made.sync()
    return made


def lines(store: Store, query: str) -> list[int]:
    """First lines of the hits."""
    return [hit.start_line for hit in store.search(query, limit=5)]


def keys(store: Store) -> dict[int, int]:
    """The key of each passage by its first line."""
    return {passage.start_line: passage.key for passage in store.corpus().passages.values()}


def test_a_weight_lowers_a_passage_and_hides_it_only_at_zero(store: Store) -> None:
    """A decayed passage ranks below what it outranked and is still found; a weight of 0 hides it."""
    asked = "what was packed for the trip to Norway"
    assert lines(store, asked)[0] == 3
    store.use_tuning(Tuning({keys(store)[3]: 0.008}))
    assert lines(store, asked)[0] != 3
    assert 3 in lines(store, asked)
    store.use_tuning(Tuning({keys(store)[3]: 0.0}))
    assert 3 not in lines(store, asked)
    store.use_tuning(Tuning())
    assert lines(store, asked)[0] == 3


def test_a_tie_leads_to_a_passage_that_shares_no_word(store: Store) -> None:
    """The answer is found by the words of its question once the two are tied, and shown with it as one hit."""
    by_line = keys(store)
    assert 7 not in lines(store, "packed Norway")[:1]
    store.use_tuning(Tuning({by_line[3]: 0.04}, {by_line[3]: {by_line[7]: 1.0}}))
    hits = store.search("packed for Norway", limit=5, explain=True)
    assert (hits[0].start_line, hits[0].end_line) == (3, 7)
    assert "red tent" in hits[0].text
    assert hits[0].parts[-1].name == "dream"


def test_what_was_learned_of_a_passage_ends_with_it(store: Store, tmp_path: Path) -> None:
    """After the owner rewrites a passage, its weight does nothing any more."""
    store.use_tuning(Tuning({keys(store)[3]: 0.0}))
    (tmp_path / "vault" / "Trip.md").write_text(NOTES.replace("long trip", "very long trip"))
    store.sync()
    assert lines(store, "what was packed for the trip to Norway")[0] == 3


def test_ties_and_weights_reach_equal_passages_alike() -> None:
    """Two passages that say the same share a key, so both are weighed; dead rows are not."""
    tuned = Tuned.of(Tuning({5: 0.2}), np.array([5, 6, 5, 5]), np.array([True, True, True, False]))
    rows, scores = tuned.apply(np.array([0, 1, 2]), np.array([3.0, 2.0, 1.0], np.float32))
    assert list(rows) == [0, 1, 2]
    assert scores == pytest.approx([3 - 0.8047, 2, 1 - 0.8047], abs=1e-3)


def test_a_corpus_ranks_drafts_beside_what_is_written(store: Store) -> None:
    """A draft that holds a question's words scores above a passage that holds none of them."""
    corpus = store.corpus()
    asked = corpus.ask(["packed for the trip to Norway"])[0]
    good = corpus.score(asked, corpus.draft("On the trip to Norway a red tent was packed"))
    bad = corpus.score(asked, corpus.draft("Nothing of the kind"))
    assert good > bad
    assert good > float(np.median(asked.found.total[np.isfinite(asked.found.total)]))


def test_a_corpus_is_asked_for_before_the_first_sync(tmp_path: Path) -> None:
    """A night that begins while the daemon starts sees every passage: what is missing is built first."""
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Trip.md").write_text(NOTES)
    made = Store.open(vault, tmp_path / "state", owned=True, now=lambda: datetime.now(UTC))
    assert len(made.corpus().passages) == 3
    assert made.sync().removed == 0
