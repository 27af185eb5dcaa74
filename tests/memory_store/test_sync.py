"""From files and entries to actions, and the index in step with the files whatever happens to them."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_store.files import FileStat, Vault
from memory_store.index import Index
from memory_store.index.manifest import Entry, put_meta
from memory_store.sync import Add, Keep, Remove, Rename, Update, Withhold, looks_unmounted, plan


def _stat(path: str, size: int = 1, mtime: int = 1, inode: int = 1, role: str = "note") -> FileStat:
    return FileStat(path, size, mtime, inode, role)  # type: ignore[arg-type]


def _entry(path: str, size: int = 1, mtime: int = 1, inode: int = 1, **other: object) -> Entry:
    fields = {
        "racy": False,
        "hash": "h",
        "role": "note",
        "title": path,
        "tags": (),
        "problem": None,
        "indexed_at": None,
    }
    return Entry(1, path, size, mtime, inode, **{**fields, **other})  # type: ignore[arg-type]


def test_a_plan_is_plain_actions() -> None:
    """New, changed, gone and moved files give their actions; unchanged ones none."""
    known = [_entry("same.md"), _entry("edited.md", inode=2), _entry("gone.md", inode=3), _entry("old.md", inode=4)]
    files = [_stat("same.md"), _stat("edited.md", 9, 9, 2), _stat("new.md", inode=5), _stat("moved.md", inode=4)]
    by_path = {entry.path: entry for entry in known}
    assert plan(files, by_path) == [
        Update(files[1], known[1]),
        Add(files[2]),
        Rename(files[3], known[3]),
        Remove(known[2]),
    ]


def test_pain_12_a_file_that_may_be_hidden_is_not_removed() -> None:
    """pain 12: what lies behind an unreadable folder is kept, and the folder reported."""
    known = {"a/x.md": _entry("a/x.md")}
    actions = plan([], known, hides=lambda path: path.startswith("a/"), errors=[("a", "permission denied")])
    assert actions == [Keep("a", "permission denied")]


def test_pain_16_a_conflicted_copy_is_withheld() -> None:
    """pain 16: a conflicted copy is no Add, once withheld it gives no action any more."""
    stat = _stat("t (conflicted copy 2026-07-10).md", role="conflict")
    assert plan([stat], {}) == [Withhold(stat, None)]
    assert plan([stat], {stat.path: _entry(stat.path, role="conflict", hash=None)}) == []


def test_a_file_too_young_for_its_stat_is_read_again() -> None:
    """A file that changed just before it was read is looked at again though its stat is the same."""
    assert plan([_stat("a.md")], {"a.md": _entry("a.md", racy=True)}) == [
        Update(_stat("a.md"), _entry("a.md", racy=True))
    ]


@pytest.mark.parametrize(
    ("gone", "known", "suspicious"), [(3, 3, True), (1, 3, False), (90, 100, True), (50, 100, False)]
)
def test_when_nearly_everything_is_gone_a_mount_is_suspected(gone: int, known: int, suspicious: bool) -> None:
    """All pages, or more than four fifths of many, missing at once is not believed at once."""
    assert looks_unmounted([Remove(_entry(str(i))) for i in range(gone)], known) is suspicious


def test_pain_03_one_bad_file_is_reported_once_and_the_rest_indexed(make_bench: Callable) -> None:
    """pain 03: among many files, only those that are not UTF-8 or have broken frontmatter are named, once a content."""
    pages = {f"n{i}.md": f"# Note {i}\n\npalimpsest {i}\n" for i in range(60)}
    bench = make_bench()
    for path, text in pages.items():
        bench.write(path, text)
    bench.write("bad.md", b"caf\xe9 palimpsest\n")
    bench.write("tab.md", "---\ntitle:\tx\n\tkey: [1\n---\nbody of palimpsest\n")
    bench.write("null.md", "---\ntype:\n---\nplain palimpsest\n")
    report = bench.index.sync()
    assert report.added == 63
    assert sorted(failure.path for failure in report.failed) == ["bad.md", "tab.md"]
    assert len(bench.index.search("palimpsest", limit=100)) == 62
    assert bench.index.sync().failed == ()
    assert bench.index.status().failed == 1
    bench.write("bad.md", b"still caf\xe9\n")
    assert [failure.path for failure in bench.index.sync().failed] == ["bad.md"]
    bench.write("bad.md", "now palimpsest\n")
    assert bench.index.sync().failed == ()
    assert "bad.md" in bench.paths("palimpsest", limit=100)


def test_pain_15_a_name_that_is_no_unicode_stops_no_other_page(make_bench: Callable) -> None:
    """pain 15: a file whose name is not UTF-8 is left out, and all others are indexed."""
    bench = make_bench({"a.md": "the quokka sleeps\n"})
    (bench.root / os.fsdecode(b"caf\xe9.md")).write_bytes(b"quokka")
    bench.write("b.md", "the quokka eats\n")
    assert bench.index.sync().failed == ()
    assert sorted(bench.paths("quokka")) == ["a.md", "b.md"]


def test_pain_13_a_link_told_by_the_watcher_is_no_page(make_bench: Callable) -> None:
    """pain 13: a sync of single paths leaves links out, as a look at everything does."""
    bench = make_bench({"a.md": "the quokka sleeps\n"})
    outside = bench.root.parent / "outside.md"
    outside.write_text("quokka outside\n")
    (bench.root / "out.md").symlink_to(outside)
    (bench.root / "in.md").symlink_to("a.md")
    report = bench.index.sync(["out.md", "in.md", "a.md"])
    assert (report.added, report.failed) == (0, ())
    assert bench.paths("quokka") == ["a.md"]


def test_pain_10_a_hit_whose_file_is_gone_or_changed_is_never_returned(make_bench: Callable) -> None:
    """pain 10: before any sync, a search gives neither deleted pages nor words that an edit took out."""
    bench = make_bench(
        {"a.md": "the quokka sleeps\n", "b.md": "the quokka eats\n\n# Other\n\nyak\n", "c.md": "quokka\n"}
    )
    assert sorted(bench.paths("quokka")) == ["a.md", "b.md", "c.md"]
    (bench.root / "a.md").unlink()
    bench.write("b.md", "added line\n\nthe wombat eats\n\n# Other\n\nyak\n")
    assert bench.paths("quokka") == ["c.md"]
    moved = bench.index.search("yak")[0]
    assert (moved.path, moved.start_line, moved.text) == ("b.md", 7, "yak")
    bench.index.sync()
    assert bench.paths("wombat") == ["b.md"]


def test_an_edit_that_keeps_size_and_time_is_noticed_when_the_file_is_young(make_bench: Callable) -> None:
    """A second save within the clock's grain, same size and time, is neither missed by sync nor shown stale."""
    bench = make_bench()
    file = bench.write("a.md", "the quokka sleeps\n")
    bench.index.sync()
    before = file.stat()
    with file.open("r+b") as handle:
        handle.write(b"the wombat sleeps\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert bench.paths("quokka") == []
    bench.index.sync()
    assert bench.paths("wombat") == ["a.md"]


def test_pain_11_reindexing_one_file_leaves_the_others(make_bench: Callable) -> None:
    """pain 11: a sync of one path touches no other entry, not even of files that changed or went."""
    bench = make_bench({f"n{i}.md": f"narwhal {i}\n" for i in range(5)})
    bench.write("n1.md", "narwhal beluga\n")
    bench.write("n2.md", "changed too\n")
    report = bench.index.sync(["n1.md"])
    assert (report.updated, report.removed, report.changed) == (1, 0, frozenset({"n1.md"}))
    assert sorted(bench.paths("narwhal")) == ["n0.md", "n1.md", "n3.md", "n4.md"]
    assert bench.index.status().pages == 5
    (bench.root / "n3.md").unlink()
    assert bench.index.sync(["n3.md"]).removed == 1
    assert bench.index.status().pages == 4


def test_a_path_that_no_file_can_have_stops_no_sync(make_bench: Callable) -> None:
    """Paths longer than the system takes are passed over; the others are taken in."""
    bench = make_bench({"a.md": "the quokka sleeps\n"})
    bench.write("a.md", "the wombat sleeps\n")
    bench.index.sync(["x" * 300 + ".md", "y/" * 3000 + "z.md", "a.md"])
    assert bench.paths("wombat") == ["a.md"]


def test_pain_12_a_file_that_cannot_be_read_keeps_its_entry_and_is_retried(make_bench: Callable) -> None:
    """pain 12: a page replaced by something unreadable is named once, its entry stays, and comes back when readable."""
    bench = make_bench({"a.md": "the quokka sleeps\n", "b.md": "other\n"})
    file = bench.root / "a.md"
    file.unlink()
    os.mkfifo(file)
    first, second = bench.index.sync(["a.md"]), bench.index.sync(["a.md"])
    assert [failure.path for failure in first.failed] == ["a.md"]
    assert second.failed == ()
    status = bench.index.page_status("a.md")
    assert (status.state, status.chunks) == ("unreadable", 1)
    assert bench.paths("quokka") == []
    file.unlink()
    bench.write("a.md", "the quokka sleeps\n")
    bench.index.sync()
    assert bench.paths("quokka") == ["a.md"]
    assert bench.index.page_status("a.md").state == "indexed"


def test_pain_16_conflicted_copies_are_kept_out_of_recall(make_bench: Callable) -> None:
    """pain 16: neither form of conflicted copy is found; both can be asked about; the original is found."""
    names = ["todo (conflicted copy 2026-07-10).md", "todo.sync-conflict-20260710.md"]
    bench = make_bench({"todo.md": "buy gouda\n", **dict.fromkeys(names, "buy gouda and edam\n")})
    assert bench.paths("gouda") == ["todo.md"]
    assert bench.paths("edam") == []
    for name in names:
        status = bench.index.page_status(name)
        assert status.state == "ignored"
        assert "todo.md" in status.reason
    assert bench.index.status().pages == 1
    assert bench.index.status().failed == 0


def test_pain_17_a_restart_embeds_and_reads_nothing(make_bench: Callable, hash_embedder: object) -> None:
    """pain 17: with unchanged pages a restart embeds 0 texts and opens no file."""
    pages = {f"d{i % 7}/n{i}.md": f"# Note {i}\n\nunchanged page number {i}\n" for i in range(300)}
    bench = make_bench(embedder=hash_embedder)
    for path, text in pages.items():
        os.utime(bench.write(path, text), ns=(10**18, 10**18))
    assert bench.index.sync().added == 300
    assert bench.embed_all() == 300
    bench.reopen()
    hash_embedder.texts.clear()
    bench.vault.read = None
    report = bench.index.sync()
    assert (report.unchanged, report.failed, report.changed) == (300, (), frozenset())
    assert bench.index.embed_pending() == 0
    assert hash_embedder.texts == []


def test_pain_19_a_status_says_why(make_bench: Callable) -> None:
    """pain 19: for every kind of file: whether it is indexed, why (not), and since when."""
    bench = make_bench({"a.md": "one\n", "bad.md": "x\n"})
    bench.write("bad.md", b"\xff\n")
    bench.index.sync()
    bench.write("new.md", "fresh\n")
    bench.write("note.txt", "text\n")
    bench.write(".hidden.md", "hidden\n")
    assert bench.index.page_status("a.md").state == "indexed"
    assert bench.index.page_status("a.md").indexed_at is not None
    assert bench.index.page_status("bad.md").state == "unreadable"
    assert "UTF-8" in bench.index.page_status("bad.md").reason
    assert bench.index.page_status("new.md").state == "pending"
    assert bench.index.page_status("none.md").state == "missing"
    assert bench.index.page_status("note.txt").state == "ignored"
    bench.write("a.md", "edited by hand\n")
    assert bench.index.page_status("a.md").state == "pending"


def test_a_renamed_page_is_found_under_its_new_name_and_not_embedded_again(
    make_bench: Callable, hash_embedder: object
) -> None:
    """A moved file or folder keeps its vectors; the old path is never shown."""
    bench = make_bench({"x/a.md": "the quokka sleeps\n", "x/b.md": "yak\n", "c.md": "zebu\n"}, embedder=hash_embedder)
    bench.embed_all()
    hash_embedder.texts.clear()
    for path in bench.root.rglob("*.md"):
        os.utime(path, ns=(10**18, 10**18))
    bench.index.sync()
    (bench.root / "x").rename(bench.root / "y")
    report = bench.index.sync()
    assert (report.renamed, report.removed, report.added) == (2, 0, 0)
    assert bench.paths("quokka", mode="keyword") == ["y/a.md"]
    assert bench.embed_all() == 0
    assert hash_embedder.texts == []


def test_a_vault_that_looks_empty_is_believed_at_the_second_look(make_bench: Callable) -> None:
    """Pages gone all at once are dropped only when a second scan of the same disk agrees; till then not shown."""
    bench = make_bench({f"n{i}.md": f"quokka {i}\n" for i in range(4)})
    aside = bench.root.parent / "aside"
    bench.root.rename(aside)
    bench.root.mkdir()
    report = bench.index.sync()
    assert report.removed == 0
    assert report.refused is not None
    assert bench.index.status().pages == 4
    assert bench.paths("quokka") == []
    bench.root.rmdir()
    aside.rename(bench.root)
    assert bench.index.sync().refused is None
    assert len(bench.paths("quokka")) == 4
    shutil.rmtree(bench.root)
    bench.root.mkdir()
    assert bench.index.sync().refused is not None
    assert bench.index.sync().removed == 4


def test_a_vault_whose_disk_changed_is_not_believed_to_be_empty(make_bench: Callable) -> None:
    """While the vault's folder lies on another disk than when it was indexed, missing pages stay known."""
    bench = make_bench({f"n{i}.md": f"quokka {i}\n" for i in range(4)})
    volume = bench.index._volume
    with volume.manifest.transaction() as db:
        put_meta(db, "device", "another disk")
    for path in bench.root.iterdir():
        path.unlink()
    reports = [bench.index.sync() for _ in range(3)]
    assert all(report.refused and "mounted" in report.refused for report in reports)
    assert bench.index.status().pages == 4


def test_an_index_of_another_vault_is_not_taken_for_this_ones(
    make_bench: Callable, hash_embedder: object, tmp_path: Path
) -> None:
    """Where the state folder served another vault, nothing of it is counted or found; equal texts keep vectors."""
    bench = make_bench({f"n{i}.md": f"quokka {i}\n" for i in range(4)}, embedder=hash_embedder)
    bench.embed_all()
    bench.index.close()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "same.md").write_text("quokka 1\n")
    bench.vault = Vault(tmp_path / "other", owned=False)
    index = bench.reopen()
    assert index.status().pages == 0
    assert index.page_status("n1.md").state == "missing"
    report = index.sync()
    assert (report.added, report.removed, report.refused) == (1, 0, None)
    assert index.status().pages == 1
    assert bench.paths("quokka") == ["same.md"]
    assert bench.embed_all() == 0


def test_equal_texts_are_embedded_once(make_bench: Callable, hash_embedder: object) -> None:
    """A text that stands on many pages costs one embedding, also when it comes back later."""
    bench = make_bench({f"n{i}.md": "the very same words\n" for i in range(9)}, embedder=hash_embedder)
    assert bench.embed_all() == 1
    assert bench.index.status().vectors == 9
    bench.write("later.md", "the very same words\n")
    bench.index.sync()
    assert bench.embed_all() == 0
    assert len(hash_embedder.texts) == 1


def test_an_edit_indexes_only_what_changed(make_bench: Callable, hash_embedder: object) -> None:
    """Of a long page, one edited paragraph is one embedding; line numbers of the rest move along."""
    parts = [f"## Part {i}\n\nparagraph {i} on topic{i}\n" for i in range(50)]
    bench = make_bench({"long.md": "\n".join(parts)}, embedder=hash_embedder)
    bench.embed_all()
    hash_embedder.texts.clear()
    parts[3] = "## Part 3\n\nnew words\nand more\n"
    bench.write("long.md", "\n".join(parts))
    bench.index.sync()
    assert bench.embed_all() == 1
    hit = bench.index.search("topic40", mode="keyword")[0]
    assert (bench.root / "long.md").read_text().splitlines()[hit.start_line - 1] == hit.text


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_the_index_equals_a_rebuild(make_bench: Callable, seed: int) -> None:
    """Whatever was added, changed, moved and removed, with restarts: searches give what a fresh index gives."""
    rng = random.Random(seed)
    vocabulary = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "juniper"]
    bench = make_bench()
    names = [f"{folder}n{i}.md" for folder in ("", "a/", "b/c/") for i in range(3)]
    for _ in range(10):
        name, other = rng.sample(names, 2)
        file = bench.root / name
        action = rng.choice(["write", "write", "append", "unlink", "move", "reopen"])
        if action == "write":
            bench.write(name, f"# {rng.choice(vocabulary)}\n\n" + "\n\n".join(rng.choices(vocabulary, k=4)) + "\n")
        elif action == "append" and file.exists():
            file.write_text(file.read_text() + f"\n## More\n\n{rng.choice(vocabulary)}\n")
        elif action == "unlink":
            file.unlink(missing_ok=True)
        elif action == "move" and file.exists():
            (bench.root / other).parent.mkdir(parents=True, exist_ok=True)
            file.replace(bench.root / other)
        elif action == "reopen":
            bench.reopen()
        bench.index.sync()
    bench.index.sync()
    fresh = Index.open(bench.vault, bench.state.with_name("fresh"))
    fresh.sync()

    def found(index: Index, word: str) -> list[tuple[str, int, str, float]]:
        return sorted((h.path, h.start_line, h.text, round(h.score, 3)) for h in index.search(word, limit=100))

    for word in vocabulary:
        assert found(bench.index, word) == found(fresh, word)
    fresh.close()


def test_an_empty_vault_is_a_plain_success(make_bench: Callable) -> None:
    """No pages: a sync, a search and a restart without a word of complaint."""
    bench = make_bench()
    assert bench.index.sync().failed == ()
    assert list(bench.index.search("anything")) == []
    bench.reopen()
    assert list(bench.index.search("anything")) == []
    assert bench.index.status().pages == 0


def test_deleting_the_state_rebuilds_everything(make_bench: Callable) -> None:
    """The state folder is derived: without it a restart and a sync give the same hits."""
    bench = make_bench({f"n{i}.md": f"quokka {i}\n" for i in range(4)})
    before = sorted(bench.paths("quokka"))
    bench.index.close()
    shutil.rmtree(bench.state)
    bench.index = Index.open(bench.vault, bench.state)
    assert bench.index.status().rebuilding
    assert bench.index.sync().added == 4
    assert sorted(bench.paths("quokka")) == before


def test_names_beyond_ascii_are_one_entry_each(make_bench: Callable) -> None:
    """Emoji, composed and decomposed twins, spaces: each found under its raw name."""
    names = ["🦊.md", "caf\u00e9.md", "cafe\u0301.md", "n" * 250 + ".md", " spaced .md"]
    bench = make_bench(dict.fromkeys(names, "quokka\n"))
    assert sorted(bench.paths("quokka", limit=20)) == sorted(names)
