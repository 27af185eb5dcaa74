"""What changes leave behind in the index, and how it is made good while searches go on."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memory_store.errors import NoSpace
from memory_store.index.upkeep import is_much
from memory_store.index.vectors import Vectors
from memory_store.index.whoosh_index import WhooshIndex

PAGES = {f"n{i}.md": f"# Note {i}\n\nquokka number {i}\n" for i in range(320)}


def test_nothing_is_done_before_it_is_worth_it(make_bench: Callable) -> None:
    """A new index has nothing to make good, nor has one of which a little was removed."""
    bench = make_bench(PAGES)
    assert bench.index.tidy() is None
    (bench.root / "n1.md").unlink()
    bench.index.sync()
    assert bench.index.tidy() is None
    assert is_much(200, 1000)
    assert not is_much(199, 200)
    assert not is_much(200, 1001)


def test_an_index_of_empty_rows_is_built_anew_beside_itself(make_bench: Callable, hash_embedder: object) -> None:
    """Most pages go: rows and vectors of what is left remain alone, nothing is embedded again, all is found."""
    bench = make_bench(PAGES, embedder=hash_embedder)
    bench.embed_all()
    for i in range(40, 320):
        (bench.root / f"n{i}.md").unlink()
    bench.index.sync()
    bench.index.sync()
    found = bench.paths("quokka number 7", limit=20)
    embedded = len(hash_embedder.texts)  # type: ignore[attr-defined]
    assert bench.index.tidy() == "280 empty rows dropped, 280 vectors dropped"
    assert bench.index.tidy() is None
    assert bench.index._volume.empty_rows() == (0, 40)
    assert bench.paths("quokka number 7", limit=20) == found
    assert len(hash_embedder.texts) == embedded + 1  # type: ignore[attr-defined]
    assert (bench.index.status().vectors, bench.index.status().pending_vectors) == (40, 0)
    bench.reopen()
    assert bench.paths("quokka number 7", limit=20) == found
    assert next((bench.state / "vectors").glob("*/keys")).stat().st_size == 8 * 40


def test_what_was_removed_leaves_the_files_of_words(make_bench: Callable) -> None:
    """A page rewritten again and again leaves removed chunks among the words; merging drops them."""
    bench = make_bench({"one.md": "# One\n", "many.md": "\n\n".join(f"## {i}\n\nwombat {i}" for i in range(500))})
    (bench.root / "many.md").write_text("\n\n".join(f"## {i}\n\nwombat {i + 200}" for i in range(500)))
    bench.index.sync()
    removed = bench.index._volume.whoosh.removed()[0]
    assert removed >= 200
    assert "segments merged" in str(bench.index.tidy())
    assert bench.index._volume.whoosh.removed()[0] == 0
    assert bench.index._volume.whoosh.segments() == 1
    assert "wombat 699" in bench.index.search("wombat 699", mode="keyword")[0].text
    assert "wombat 699" in bench.index.search('"wombat 699"', syntax=True)[0].text


def test_no_search_waits_or_fails_while_the_index_is_made_good(
    make_bench: Callable, hash_embedder: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Searches of every kind go on through a merge, a rebuild and the dropping of vectors, and find what is there."""
    bench = make_bench(PAGES, embedder=hash_embedder)
    bench.embed_all()
    for i in range(30, 320):
        (bench.root / f"n{i}.md").unlink()
    bench.index.sync()
    bench.index.sync()
    ended, found, wrong = threading.Event(), threading.Event(), []
    rebuild, rebuilt = bench.index.rebuild, []

    def searching() -> None:
        while not ended.is_set():
            for options in ({}, {"mode": "keyword"}, {"syntax": True}):
                hits = bench.index.search("quokka", limit=5, **options)
                if len(hits) != 5 or any("quokka" not in hit.text for hit in hits):
                    wrong.append([hit.text for hit in hits])
            found.set()

    def rebuild_while_searched() -> object:
        for _ in range(2):  # the second round began and ended while the index was being made good
            found.clear()
            rebuilt.append(found.wait(60))
        return rebuild()

    monkeypatch.setattr(bench.index, "rebuild", rebuild_while_searched)
    searcher = threading.Thread(target=searching)
    searcher.start()
    assert bench.index.tidy()
    bench.index.compact()
    ended.set()
    searcher.join()
    assert not wrong
    assert rebuilt == [True, True]


def test_files_of_vectors_are_replaced_under_who_reads_them(make_bench: Callable, tmp_path: Path) -> None:
    """Vectors that were open before others were dropped still read as they were."""
    old = Vectors(tmp_path / "v", "d", 2)
    old.add([1, 2, 3], np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32))
    new = old.keep_only(np.array([3], np.int64))
    assert np.allclose(old.rows(np.arange(3)), [[1, 0], [0, 1], [0.6, 0.8]], atol=1e-3)
    assert np.allclose(new.near(np.array([0.6, 0.8], np.float32))[1], [1.0], atol=1e-3)
    assert (len(old), len(new)) == (3, 1)


def test_while_its_files_are_merged_the_index_says_that_it_takes_nothing_in(
    make_bench: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nobody waits for what was saved just now to be found; after it, be it cut short, it takes in again."""
    bench = make_bench({"a.md": "quokka\n"})
    bench.write("a.md", "wombat\n")
    bench.index.sync()
    seen: list[bool] = []
    real = WhooshIndex.compact

    def compact(self: WhooshIndex, *, whole: bool) -> None:
        seen.append(bench.index.takes_in)
        real(self, whole=whole)
        if len(seen) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(WhooshIndex, "compact", compact)
    assert bench.index.takes_in
    bench.index.compact()
    assert bench.index.takes_in
    with pytest.raises(NoSpace):
        bench.index.compact()
    assert bench.index.takes_in
    assert seen == [False, False]
