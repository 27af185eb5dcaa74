"""The index at the sizes it has to bear, and with the model it ships with."""

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from memory_store.index import upkeep
from memory_store.index.manifest import Entry
from memory_store.index.volume import PageChange, Volume
from memory_store.watch import Watcher

Bench = Any  # of conftest.py, which is no package


def _text(rng: random.Random, words: int) -> str:
    vocabulary = [
        f"{a}{b}{c}" for a in ("ka", "lo", "mi", "ne", "su") for b in ("ra", "to", "vi") for c in "bdgklmnprst"
    ]
    return " ".join(rng.choices(vocabulary, k=words))


@pytest.mark.parametrize("within_s", [60.0, pytest.param(1.0, marks=pytest.mark.slow)])
def test_a_save_is_found_within_a_second(make_bench: Callable, within_s: float) -> None:
    """From the editor's save by rename to the hit, debounce included; how fast is asked of a quiet machine only."""
    bench = make_bench({f"n{i}.md": f"# Note {i}\n\nquokka {i}\n" for i in range(50)})
    done = threading.Event()

    def take_in(paths: frozenset[str] | None) -> None:
        bench.index.sync(paths)
        if bench.paths("wombat") == ["n7.md"]:
            done.set()

    watcher = Watcher(bench.root, take_in)
    watcher.start()
    try:
        bench.write(".n7.md.tmp", "# Note 7\n\nwombat\n").replace(bench.root / "n7.md")
        assert done.wait(within_s)
    finally:
        watcher.stop()


def test_a_large_page_is_cut_in_linear_time(make_bench: Callable) -> None:
    """Twice the headings cost about twice the time, not four times."""
    rng = random.Random(1)
    times = []
    for sections in (500, 2000):
        page = "".join(f"## Section {i}\n\n{_text(rng, 20)}\n\n" for i in range(sections))
        bench = make_bench()
        bench.write("big.md", page)
        start = time.process_time()
        bench.index.sync()
        times.append(time.process_time() - start)
        assert bench.index.status().chunks == sections
    assert times[1] < times[0] * 10


def _sections(count: int) -> str:
    rng = random.Random(4)
    return "".join(f"## Section {i}\n\n{_text(rng, 20)} number{i}\n\n" for i in range(count))


def _order(bench: Bench) -> list[str]:
    """The sections of the page, as its chunks follow each other in the index."""
    view = bench.index._volume.view
    row = int(np.flatnonzero(view.scorer.postings.alive & (view.columns.previous < 0))[0])
    placed = bench.index._volume.manifest.chunks(range(len(view.columns.file)))
    order = []
    while row >= 0:
        order.append(placed[row].headings[-1])
        row = int(view.columns.following[row])
    return order


def test_a_page_of_many_chunks_is_committed_in_parts(make_bench: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of very many chunks is taken in by parts and ends as if taken in at once, new, changed and renamed."""
    monkeypatch.setattr(upkeep, "CHUNKS_A_COMMIT", 30)
    bench = make_bench()
    bench.write("big.md", _sections(100))
    assert bench.index.sync().added == 1
    assert bench.index.status().chunks == 100
    assert _order(bench) == [f"Section {i}" for i in range(100)]
    assert bench.index.search("number99")[0].text.endswith("number99")
    monkeypatch.setattr(upkeep, "CHUNKS_A_COMMIT", 5)
    changed = "## Opening\n\nzebu\n\n" + _sections(100).replace("number5", "numero5")
    bench.write("big.md", changed)
    assert bench.index.sync().updated == 1
    assert _order(bench) == ["Opening", *(f"Section {i}" for i in range(100))]
    assert [hit.start_line for hit in bench.index.search("numero50")][:1] == [207]
    assert len(bench.index.search("number50")) == 0
    report = bench.index.sync()
    assert (report.unchanged, report.changed) == (1, frozenset())


def test_pain_20_a_kill_between_the_parts_of_a_page(make_bench: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """pain 20: killed in the middle of a large page, the next start takes in what is missing, and only that."""
    monkeypatch.setattr(upkeep, "CHUNKS_A_COMMIT", 30)
    bench = make_bench()
    bench.write("big.md", _sections(100))
    commit, calls = Volume.commit, []

    def killed(volume: Volume, pages: Sequence[PageChange], removed: Sequence[Entry]) -> None:
        calls.append(sum(len(page.new) for page in pages))
        if len(calls) == 3:
            raise KeyboardInterrupt
        commit(volume, pages, removed)

    monkeypatch.setattr(Volume, "commit", killed)
    with pytest.raises(KeyboardInterrupt):
        bench.index.sync()
    bench.reopen()
    assert bench.index.sync().updated == 1
    assert calls == [30, 30, 30, 30, 10]  # of which the third was lost
    assert _order(bench) == [f"Section {i}" for i in range(100)]
    assert bench.index.search("number99")[0].text.endswith("number99")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_page_of_50_mb_is_taken_in_with_little_memory(tmp_path: Path) -> None:
    """What indexing needs at its peak beyond the start is less than six times the page."""
    (tmp_path / "vault").mkdir()
    paragraph = [_text(random.Random(i), 100) for i in range(200)]
    page = "\n".join(f"## Section {i}\n\n{paragraph[i % 200]} number{i}\n" for i in range(80_000))
    (tmp_path / "vault" / "big.md").write_text(page)
    script = (
        "import resource, sys; from pathlib import Path; from memory_store.files import Vault\n"
        "from memory_store.index import Index\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "index = Index.open(Vault(Path(sys.argv[1]), owned=False), Path(sys.argv[2])); before = peak()\n"
        "assert index.sync().added == 1; print((peak() - before) * (1 if sys.platform == 'darwin' else 1024))\n"
    )
    places = [str(tmp_path / "vault"), str(tmp_path / "state")]
    done = subprocess.run([sys.executable, "-c", script, *places], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 6 * len(page)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_page_of_50_mb_is_a_plain_success(make_bench: Callable) -> None:
    """One page of 50 MB is indexed, found by its last line, and changed in one place at a small cost."""
    rng = random.Random(2)
    paragraph = [_text(rng, 100) for _ in range(200)]
    lines = [f"## Section {i}\n\n{paragraph[i % 200]} number{i}\n" for i in range(80_000)]
    text = "\n".join(lines)
    assert len(text) > 50_000_000
    bench = make_bench()
    bench.write("big.md", text)
    assert bench.index.sync().failed == ()
    hit = bench.index.search("number79999")[0]
    assert hit.text.endswith("number79999")
    bench.write("big.md", "opening words of a zebu\n\n" + text)
    bench.index.sync()
    assert bench.index.search("zebu")[0].start_line == 1
    assert bench.index.search("number79999")[0].start_line == hit.start_line + 2


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_20_000_pages_are_a_plain_success(make_bench: Callable) -> None:
    """Twenty thousand pages: indexed, found, looked through again without reading any, in bounded memory."""
    rng = random.Random(3)
    bench = make_bench()
    for i in range(20_000):
        bench.write(f"d{i % 100}/n{i}.md", f"# Note {i}\n\n{_text(rng, 60)} number{i}\n")
    assert bench.index.sync().added == 20_000
    assert bench.paths("number19999") == ["d99/n19999.md"]
    report = bench.index.sync()
    assert report.unchanged == 20_000
    assert report.changed == frozenset()
    assert psutil.Process().memory_info().rss < 1_000_000_000


@pytest.mark.slow
def test_real_vectors_find_what_shares_no_word(make_bench: Callable, minilm_dir: Path) -> None:
    """With the shipped model a question leads to a passage that says it in other words."""
    from models.embed import OnnxEmbedder

    pages = {
        "a.md": "My daughter adopted a kitten from the shelter.\n",
        "b.md": "The server was restarted after the disk filled up.\n",
        "c.md": "We booked a flight to Lisbon for Easter.\n",
    }
    bench = make_bench(pages, embedder=OnnxEmbedder(minilm_dir))
    assert bench.embed_all() == 3
    assert bench.paths("which pet does my girl have", mode="vector")[0] == "a.md"
    assert bench.paths("holiday travel plans")[0] == "c.md"
    assert bench.paths("why was the machine rebooted")[0] == "b.md"


def test_a_large_page_that_was_just_saved_is_searched_without_being_cut_anew(
    make_bench: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the sync is done what a large page says still is found, at its new lines; what it no longer says is not."""
    parts = [f"## Part {number}\n\nword{number} stands in a line of its own here\n" for number in range(50)]
    parts[0] = "# Large\n\n" + parts[0]
    bench = make_bench({"large.md": "\n".join(parts)})
    saved = [*parts[:30], "a line about zebrafishes\n", *parts[30:]]
    saved[41] = saved[41].replace("word40 stands", "word40 walked")
    bench.write("large.md", "\n".join(saved))
    lines = (bench.root / "large.md").read_text().splitlines()
    with monkeypatch.context() as patch:
        patch.setattr("memory_store.index.hits._LARGE_BYTES", 1000)
        patch.delattr("memory_store.index.hits.chunk_page")
        for number in (7, 28, 30, 49):
            (hit,) = bench.index.search(f"word{number}", limit=1)
            assert lines[hit.start_line - 1] == f"word{number} stands in a line of its own here"
        assert bench.index.search("word40") == []
    bench.index.sync(["large.md"])
    assert len(bench.index.search("word40")) == 1
