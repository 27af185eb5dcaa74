"""The keyword scorer in arrays against a plain one."""

import math
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memory_store.index.analysis import LANGUAGES, language_of, query_words, stemmer, words
from memory_store.index.bm25 import (
    FIELD_WEIGHTS,
    K1,
    B,
    FieldPostings,
    Postings,
    Segment,
    SegmentDamaged,
    build_segment,
    merge_segments,
)
from memory_store.index.scoring import Scorer, Term, best_rows
from memory_store.index.words import DROPPED

SAID = [
    "the",
    "boat",
    "sails",
    "sailed",
    "sailing",
    "harbour",
    "harbours",
    "storm",
    "night",
    "light",
    "keeper",
    "went",
    "go",
    "gone",
    "tide",
    "rope",
    "and",
    "of",
]


def plain_scores(texts: dict[int, dict[str, list[str]]], question: list[list[str]]) -> dict[int, float]:
    """
    BM25F as its authors write it, one chunk and one term at a time; the average length in steps of a hundredth, and
    the nearest heading, here the only one, twice.
    """
    stem = stemmer("en")
    counts: dict[int, Counter[str]] = {}
    for row, fields in texts.items():
        counts[row] = Counter()
        for name, found in fields.items():
            for word in found:
                if word not in DROPPED:
                    counts[row][stem(word)] += FIELD_WEIGHTS[name] * (2 if name == "headings" else 1)
    lengths = {row: sum(c.values()) for row, c in counts.items()}
    mean = sum(lengths.values()) / max(len(lengths), 1)
    average = 1.01 ** round(math.log(mean, 1.01)) if mean else 1.0
    scores = dict.fromkeys(texts, 0.0)
    for stems in question:
        weight = {row: sum(c[s] for s in stems) for row, c in counts.items()}
        holding = sum(1 for w in weight.values() if w > 0)
        idf = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for row, w in weight.items():
            if w > 0:
                scores[row] += idf * w / (w + K1 * (1 - B + B * lengths[row] / average))
    return scores


def _random_texts(rng: random.Random, rows: range) -> dict[int, dict[str, list[str]]]:
    return {
        row: {
            "title": rng.choices(SAID, k=rng.randint(1, 3)),
            "headings": rng.choices(SAID, k=rng.randint(0, 3)),
            "body": rng.choices(SAID, k=rng.randint(1, 30)),
        }
        for row in rows
    }


@pytest.mark.parametrize("seed", range(4))
def test_scores_stay_equal_to_plain_ones_through_changes(make_bench: Callable, seed: int) -> None:
    """After any run of added, changed and removed pages, array scores equal a plain BM25F over the files."""
    rng = random.Random(seed)
    bench = make_bench()
    pages: dict[str, dict[str, list[str]]] = {}
    for _ in range(9):
        for _ in range(rng.randint(1, 4)):
            name = f"p{rng.randint(0, 7)}.md"
            action = rng.random()
            if action < 0.6:
                fields = _random_texts(rng, range(1))[0]
                pages[name] = fields
                title, heading, body = (" ".join(fields[f]) for f in ("title", "headings", "body"))
                bench.write(name, f"---\ntitle: {title}\n---\n{f'# {heading}' if heading else ''}\n\n{body}\n")
            elif name in pages:
                del pages[name]
                (bench.root / name).unlink()
        bench.index.sync()
    bench.index.sync()
    volume = bench.index._volume
    rows = {hit.row: hit for hit in volume.manifest.chunks(np.flatnonzero(volume.view.columns.alive)).values()}
    files = volume.manifest.files_by_id(c.file for c in rows.values())
    texts = {row: pages[files[c.file].path] for row, c in rows.items()}
    assert len(texts) == len(pages)
    for _ in range(5):
        asked = query_words(" ".join(rng.choices(SAID, k=3)))
        terms = [Term(w.word, tuple((s, 1.0) for s in w.stems)) for w in asked]
        scorer = volume.view.scorer
        scores = scorer.score(scorer.find(terms))
        expected = plain_scores(texts, [list(w.stems) for w in asked])
        assert {row: pytest.approx(score, rel=1e-4, abs=1e-5) for row, score in expected.items()} == {
            row: float(scores[row]) for row in texts
        }
        assert np.count_nonzero(scores) == sum(1 for s in expected.values() if s > 0)


def test_common_terms_score_and_mark_as_rare_ones_do() -> None:
    """A term that stands in a large part of many chunks is added as an array: to the same scores, marks and shares."""
    rng = np.random.default_rng(3)
    count = 6000
    held = [np.flatnonzero(rng.random(count) < share).astype(np.int32) for share in (0.7, 0.4, 0.02, 0.001)]
    rows = np.concatenate(held)
    weights = rng.integers(1, 5, len(rows)).astype(np.float32)
    starts = np.concatenate([[0], np.cumsum([len(part) for part in held])])
    alive = rng.random(count) < 0.9
    lengths = np.bincount(rows, weights, count).astype(np.float32) * alive
    segment = Segment({name: i for i, name in enumerate("abcd")}, starts, rows, weights)
    scorer = Scorer.of(Postings.of([segment], lengths, alive))
    found = scorer.find([Term(name, ((name, 1.0),)) for name in "abcd"])
    assert [term.parts[0].spread is not None for term in found] == [True, True, False, False]
    expected, marks, covered = np.zeros(count), np.zeros(count, np.uint8), np.zeros(count)
    norms = scorer.postings.norms()
    for number, part in enumerate(held):
        live = alive[part]
        idf = np.log1p((alive.sum() - live.sum() + 0.5) / (live.sum() + 0.5))
        w = weights[starts[number] : starts[number + 1]]
        expected[part] += live * idf * w / (w + norms[part])
        marks[part] |= 1 << number
        covered[part] += idf
    assert np.allclose(scorer.score(found), expected, rtol=1e-5)
    there = np.flatnonzero(alive)
    assert np.array_equal(scorer.marks(found, there), marks[there])
    assert np.allclose(scorer.covered(found, there), covered[there] / sum(term.idf for term in found), rtol=1e-5)


@pytest.mark.parametrize("size", [0, 5, 90, 5000, 26013])
def test_the_best_rows_are_those_of_a_plain_sort(size: int) -> None:
    """However many scores there are and whatever ties, the best are those that sorting by score, then row, gives."""
    rng = np.random.default_rng(size)
    for levels in (3, 40, 10_000):
        scores = (rng.integers(0, levels, size) / levels).astype(np.float32)
        scores[rng.random(size) < 0.5] = 0
        for count in (0, 1, 7, 200):
            order = [int(row) for row in np.lexsort((np.arange(size), -scores)) if scores[row] > 0]
            assert best_rows(scores, count).tolist() == sorted(order[:count])


def test_the_arrays_can_be_read_back_from_whoosh(make_bench: Callable) -> None:
    """The Whoosh index is the record: segments built from it equal those that were built while indexing."""
    bench = make_bench(
        {f"n{i}.md": f"# Note {i}\n\nthe keeper sailed {i % 3} harbours in the storm {i}\n" for i in range(30)}
    )
    bench.write("n3.md", "# Note 3\n\nrewritten by night\n")
    (bench.root / "n4.md").unlink()
    bench.index.sync()
    volume = bench.index._volume
    postings = volume.view.scorer.postings
    languages = volume.view.columns.language
    back, present, lengths = build_segment(volume.whoosh.word_postings(), languages, lambda n: stemmer(LANGUAGES[n]))
    held = merge_segments(postings.segments, postings.alive)
    assert list(back.terms) == list(held.terms)
    assert np.array_equal(back.rows, held.rows)
    assert np.allclose(back.weights, held.weights)
    assert np.allclose(lengths, postings.lengths[present])


def test_a_segment_loads_no_stemmer_but_those_of_its_languages() -> None:
    """Where pages are English and German no other language is loaded: a save need not wait for what it does not use."""
    asked = []

    def stemmer_of(number: int) -> Callable[[str], str]:
        asked.append(LANGUAGES[number])
        return stemmer(LANGUAGES[number])

    held = FieldPostings(
        "body", ["boats", "boote"], np.array([1, 1]), np.array([0, 1], np.uint32), np.ones(2, np.float32)
    )
    languages = np.array([LANGUAGES.index("en"), LANGUAGES.index("de")], np.uint8)
    segment, _, _ = build_segment([held], languages, stemmer_of)
    assert list(segment.terms) == ["boat", "boot"]
    assert sorted(asked) == ["de", "en"]


def test_a_segment_survives_its_file_and_a_damaged_one_is_known(tmp_path: Path) -> None:
    """Loaded arrays equal saved ones; a truncated, foreign or missing file is `SegmentDamaged`."""
    segment = Segment({"a": 0, "b": 1}, np.array([0, 1, 3]), np.array([4, 1, 4], np.int32), np.ones(3, np.float32))
    path = tmp_path / "one.seg"
    segment.save(path)
    loaded = Segment.load(path)
    assert loaded.terms == segment.terms
    assert np.array_equal(loaded.rows, segment.rows)
    data = path.read_bytes()
    for bad in (data[:-1], data[:10], b"", b"other" + data):
        path.write_bytes(bad)
        with pytest.raises(SegmentDamaged):
            Segment.load(path)
    path.unlink()
    with pytest.raises(SegmentDamaged):
        Segment.load(path)


def test_no_postings_score_nothing() -> None:
    """An empty vault is searched without an error."""
    scorer = Scorer.of(Postings.of([], np.zeros(0, np.float32), np.zeros(0, np.bool_)))
    assert len(scorer.score(scorer.find([Term("a", (("a", 1.0),))]))) == 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the cat and the dog were in the house with their friend", "en"),
        ("der Hund und die Katze sind nicht mit dem Kind auf der Straße", "de"),
        ("le chat et les chiens sont dans la maison avec vous pour une fête", "fr"),
        ("el perro y los gatos están en la casa con una niña por la tarde", "es"),
        ("кошка и собака не были в доме и это все что он знал", "ru"),
        ("Mina Olsen, Riga, 2026", "en"),
        ("e.on('end', f) e.on('data', g) e.on('close', h) e.on('error', i) --no-color --no-cache at a.js", "en"),
    ],
)
def test_the_language_is_told_by_function_words(text: str, language: str) -> None:
    """A sentence's own small words tell its language; names and code leave the default."""
    assert language_of(words(text)) == language
