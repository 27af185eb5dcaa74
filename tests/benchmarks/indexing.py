"""
Indexing, from save to found, restart, and the daemon at rest: reverie beside basic-memory, in one run.

usage: indexing.py [--notes 300,3000] [--vectors 300,3000] [--peer-vectors 300] [--saves 100] [--idle-s 30]

Both index the same folder with the same embedding model, each through its own command in processes of its own; times
include the start of the process. Vectors take long on two cores, basic-memory's about half a second a note: `--vectors`
and `--peer-vectors` name the sizes for which they are made.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from _basic_memory import Peer, install
from _home import Home, percentile, temporary_home
from _notes import write_notes

Row = tuple[str, str, str, str]
EMBED = ("all-minilm-l6-v2",)
LIMIT_S = 7200


def main() -> None:
    """Measure and print a markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", default="300,3000")
    parser.add_argument("--vectors", default="300,3000")
    parser.add_argument("--peer-vectors", default="300")
    parser.add_argument("--saves", type=int, default=100)
    parser.add_argument("--idle-s", type=float, default=30)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.notes.split(",")]
    vectors, peer_vectors = (
        {int(size) for size in listed.split(",") if size} for listed in (arguments.vectors, arguments.peer_vectors)
    )
    print("| measured | reverie | basic-memory | ratio |\n|---|---|---|---|", flush=True)
    if arguments.saves:
        show(saving(arguments.saves))
    for count in sizes:
        idle_s = arguments.idle_s if count == max(sizes) else None
        show(indexing(count, vectors=count in vectors, peer_vectors=count in peer_vectors, idle_s=idle_s))


def show(rows: list[Row]) -> None:
    """Print *rows* as they come: the whole takes long."""
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def indexing(count: int, *, vectors: bool, peer_vectors: bool, idle_s: float | None) -> list[Row]:
    """
    Notes a second, keyword only and with vectors, from a fresh home to everything found.

    With *idle_s* also what a restart on these notes and the daemon at rest cost.
    """
    rows: list[Row] = []
    rest: list[Row] = []

    def measure_rest(home: Home) -> None:
        if idle_s is not None:
            rest.extend(resting(home, count, idle_s, vectors=vectors))

    with tempfile.TemporaryDirectory(prefix="reverie-bench-notes-") as name:
        notes = Path(name) / "notes"
        size = write_notes(notes, count)
        say(f"{count} notes, {size / 1e6:.1f} MB")
        peer = Peer(Path(name), notes, model_files())
        keyword_s = ours(notes, count, models=(), then=None if vectors else measure_rest)
        peer_keyword_s = timed(lambda: peer.run("reindex", "--search"))
        rows.append(speed(f"{count} notes, keyword", count, keyword_s, peer_keyword_s))
        say(f"keyword: reverie {keyword_s:.1f} s, basic-memory {peer_keyword_s:.1f} s")
        if vectors:
            all_s = ours(notes, count, models=EMBED, then=measure_rest)
            peer_all_s = None
            if peer_vectors:
                peer_all_s = peer_keyword_s + timed(lambda: peer.run("reindex", "--embeddings"))
            rows.append(speed(f"{count} notes, keyword and vectors", count, all_s, peer_all_s))
            say(f"with vectors: reverie {all_s:.1f} s, basic-memory {peer_all_s or 0:.1f} s")
    return rows + rest


def ours(notes: Path, count: int, *, models: tuple[str, ...], then: Callable[[Home], None] | None = None) -> float:
    """
    Seconds from spawn until all *count* notes are found, with vectors where *models* holds an embedding model.

    *then* sees the home afterwards.
    """
    with temporary_home(vault=notes, models=models) as home:
        began = time.perf_counter()
        home.start()
        home.wait(lambda: _complete(home, count, vectors=bool(models)), within_s=LIMIT_S)
        took_s = time.perf_counter() - began
        if then is not None:
            then(home)
        return took_s


def _complete(home: Home, count: int, *, vectors: bool) -> bool:
    index = home.index()
    if index.pages < count or index.pending_pages:
        return False
    return not vectors or (index.vectors >= index.chunks and not index.pending_vectors)


def saving(saves: int) -> list[Row]:
    """Seconds from a save by an editor (a rename) to being found, over HTTP, 300 notes in the folder."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-notes-") as name:
        notes = Path(name) / "notes"
        write_notes(notes, 300)
        with temporary_home(vault=notes) as home:
            home.start()
            home.wait(lambda: _complete(home, 300, vectors=True), within_s=LIMIT_S)
            mine = [_until_found(home, notes, number) for number in range(saves)]
        say(f"reverie: save to found p50 {statistics.median(mine):.3f} s")
        peer = Peer(Path(name), notes, model_files())
        peer.run("reindex", "--search")
        script = Path(__file__).with_name("_basic_memory_watch.py")
        command = [install() / "python", script, install() / "basic-memory", notes, str(saves)]
        out = subprocess.run(command, env=peer.environ, stdout=subprocess.PIPE, text=True, check=True).stdout
        theirs = [
            30.0 if line == "lost" else float(line) for line in out.split() if line[0].isdigit() or line == "lost"
        ]
    rows = []
    for label, share in (("p50", 0.5), ("p95", 0.95)):
        a, b = percentile(mine, share), percentile(theirs, share)
        rows.append(
            (f"from save to found, {label} of {saves}", f"{a:.3f} s", f"{b:.3f} s", f"{b / a:.1f} times faster")
        )
    return rows


def _until_found(home: Home, notes: Path, number: int) -> float:
    word = f"zanzibar{number:04d}q"
    target = notes / f"saved-{number % 10}.md"
    temporary = target.with_suffix(".tmp~")
    temporary.write_text(f"# Saved\n\nThe word of this save is {word}.\n")
    began = time.perf_counter()
    temporary.replace(target)
    client = home.client
    home.wait(
        lambda: any(hit.path == target.name for hit in client.search(word, mode="keyword").hits),
        within_s=30,
        every_s=0.005,
    )
    return time.perf_counter() - began


def resting(home: Home, count: int, idle_s: float, *, vectors: bool) -> list[Row]:
    """Restart with unchanged notes, then the daemon's size and work at rest, and the command line's wall time."""
    before_stop = home.index().vectors
    home.stop()
    ready_s = home.start()
    home.wait(lambda: _complete(home, count, vectors=vectors), within_s=LIMIT_S)
    assert home.index().vectors == before_stop
    embedded = embedded_texts(home.client.metrics())
    process = psutil.Process(home.pid)
    home.client.search("warm up", mode="keyword")
    before, began = process.cpu_times(), time.perf_counter()
    time.sleep(idle_s)
    after, took = process.cpu_times(), time.perf_counter() - began
    cpu = 100 * (after.user + after.system - before.user - before.system) / took
    rss = process.memory_info().rss
    command = home.command("search", "--mode", "keyword", "camping trip")
    walls = [timed(lambda: _quiet(command, home)) for _ in range(11)]
    with temporary_home(models=()) as empty:
        empty_s = empty.start()
        empty_rss = psutil.Process(empty.pid).memory_info().rss
    return [
        ("start to ready, empty vault", f"{empty_s:.2f} s", "", ""),
        (f"restart to ready, {count} unchanged notes", f"{ready_s:.2f} s", "", ""),
        ("texts embedded at that restart", embedded, "", ""),
        ("RSS at rest, no model loaded, empty vault", f"{empty_rss / 1e6:.0f} MB", "", ""),
        (f"RSS at rest, no model loaded, {count} notes", f"{rss / 1e6:.0f} MB", "", ""),
        (f"CPU at rest, over {idle_s:.0f} s", f"{cpu:.2f}%", "", ""),
        ("`reverie search`, wall time, median of 11", f"{statistics.median(walls) * 1000:.0f} ms", "", ""),
    ]


def embedded_texts(metrics: str) -> str:
    """The counter of texts embedded since the start."""
    for line in metrics.splitlines():
        if line.startswith("reverie_embedded_texts_total"):
            return f"{float(line.split()[-1]):.0f}"
    raise SystemExit("/metrics does not tell how many texts were embedded")


def model_files() -> list[Path]:
    """The embedding model's files, for the peer."""
    from models.catalog import Catalog
    from models.pull import pull

    shared = Path(os.environ.get("REVERIE_TEST_MODELS") or Path(__file__).parents[2] / ".cache" / "models")
    spec = Catalog(shared).spec(EMBED[0])
    assert spec is not None
    for folder in (shared, shared / spec.name):
        if all((folder / file.name).is_file() for file in spec.files):
            return [folder / file.name for file in spec.files]
    pull(spec.name, catalog=Catalog(shared))
    return [shared / spec.name / file.name for file in spec.files]


def speed(label: str, count: int, mine_s: float, theirs_s: float | None) -> Row:
    """A row of notes a second."""
    theirs = "not run" if theirs_s is None else f"{count / theirs_s:.1f} notes/s"
    ratio = "" if theirs_s is None else f"{theirs_s / mine_s:.1f} times faster"
    return (label, f"{count / mine_s:.1f} notes/s", theirs, ratio)


def timed(call: object) -> float:
    """Seconds that *call* took."""
    began = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - began


def _quiet(command: list[str], home: Home) -> None:
    subprocess.run(command, env=home.environ, stdout=subprocess.DEVNULL, check=True)


def say(text: str) -> None:
    """Narration."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
