"""Pages and facts by the command line: `memory`, `search`, `remember`, `ask`, `forget`, `undo`."""

import json
from pathlib import Path

import pytest

from daemon.errors import Exit


@pytest.fixture
def vault(running_home: Path) -> Path:
    """The vault of the running daemon."""
    return running_home / "memory"


@pytest.fixture
def page(vault: Path, reverie):
    """Save a page and have it read."""

    def save(path: str, text: str) -> Path:
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        done = reverie("memory", "reindex", path)
        assert done.code == 0, done.err
        return file

    return save


def test_search_prints_place_and_snippet(page, reverie):
    """A hit is shown as `path:line` with its title and the words that match."""
    page("notes/Boat.md", "# Boat\n\nThe spinnaker lies in the forepeak.\n")
    done = reverie("search", "spinnaker")
    assert done.code == 0
    first, second = done.out.splitlines()[:2]
    assert first.startswith("notes/Boat.md:")
    assert "Boat" in first
    assert "spinnaker" in second
    hit = json.loads(reverie("search", "spinnaker", "--json").out)["hits"][0]
    assert hit["path"] == "notes/Boat.md"
    assert hit["start_line"] <= 3 <= hit["end_line"]


def test_search_options(page, reverie):
    """`--query` speaks Whoosh's language, `--prefix` keeps to a folder, `--limit` bounds, `--explain` tells why."""
    page("notes/Kite.md", "# Kite\n\nA sled kite needs no spars.\n")
    page("other/Kite.md", "# Kite\n\nA delta kite needs three spars.\n")

    def paths(*arguments: str) -> list[str]:
        return [hit["path"] for hit in json.loads(reverie("search", "--json", *arguments).out).get("hits", [])]

    assert paths("--query", "sled AND kite") == ["notes/Kite.md"]
    assert paths("--prefix", "other/", "kite") == ["other/Kite.md"]
    assert len(paths("--limit", "1", "kite")) == 1
    assert "score" in reverie("search", "--explain", "--mode", "keyword", "kite").out


def test_nothing_found_is_no_failure(page, reverie):
    """A search without hits succeeds, says so on stderr, and leaves stdout empty for programs."""
    page("notes/Any.md", "# Any\n\nwords\n")
    done = reverie("search", "--mode", "keyword", "qqqzzzxxx")
    assert (done.code, done.out) == (0, "")
    assert "nothing found" in done.err


def test_pain_11_reindex_one_file(page, reverie):
    """pain 11: reading one page anew touches that page alone; what is known of every other page stays."""
    page("notes/Left.md", "# Left\n\nA rarebird sits here.\n")
    right = page("notes/Right.md", "# Right\n\nAnother rarebird.\n")
    before = json.loads(reverie("status", "--json").out)["index"]["pages"]
    right.write_text("# Right\n\nA changed rarebird.\n")
    done = json.loads(reverie("memory", "reindex", "notes/Right.md", "--json").out)
    assert done["added"] + done["updated"] + done["unchanged"] == 1
    assert done["removed"] == 0
    assert json.loads(reverie("status", "--json").out)["index"]["pages"] == before
    found = {hit["path"] for hit in json.loads(reverie("search", "--json", "rarebird").out)["hits"]}
    assert {"notes/Left.md", "notes/Right.md"} <= found


def test_pain_19_why_is_a_page_not_found(page, vault: Path, reverie):
    """pain 19: `memory status PATH` says of any path whether it is indexed, and why it is or is not."""
    file = page("notes/Seen.md", "# Seen\n")
    (vault / "notes" / ".Hidden.md.swp").write_text("# Hidden\n")
    (vault / "notes" / "Wide.md").write_text("# Wide\n", "utf-16")
    reverie("memory", "reindex", "notes/Wide.md")
    expected = {
        "notes/Seen.md": ("indexed", 0),
        "notes/.Hidden.md.swp": ("ignored", 0),
        "notes/Wide.md": ("unreadable", 0),
        "notes/Nowhere.md": ("missing", Exit.NOT_FOUND),
    }
    for path, (state, code) in expected.items():
        done = reverie("memory", "status", path, "--json")
        status = json.loads(done.out)
        assert (status["state"], done.code) == (state, code), path
        assert status["reason"], path
    shown = reverie("memory", "status", str(file)).out
    assert shown.startswith("notes/Seen.md: indexed\n")


def test_pages_by_any_path(page, vault: Path, reverie, monkeypatch):
    """A page is named by its path in the vault, by an absolute path, or from where one stands; not beyond the vault."""
    file = page("notes/Here.md", "# Here\n\ntext\n")
    monkeypatch.chdir(vault / "notes")
    for path in ("notes/Here.md", str(file), "Here.md"):
        assert reverie("memory", "show", path).out == "# Here\n\ntext\n"
    done = reverie("memory", "show", "/etc/passwd")
    assert done.code == Exit.REFUSED
    assert reverie("memory", "show", "../../../etc/passwd").code != 0


def test_list_pages(page, reverie):
    """`memory ls` lists paths, one a line, below a prefix."""
    page("list/B.md", "# B\n")
    page("list/A.md", "# A\n")
    rows = reverie("memory", "ls", "list/").out.splitlines()
    assert [row.split("  ")[0] for row in rows] == ["list/A.md", "list/B.md"]


def test_edit_opens_the_file_itself(page, vault: Path, reverie, monkeypatch, tmp_path):
    """`memory edit` runs $EDITOR on the file; nothing outside the vault can be opened so."""
    page("notes/Edit.md", "# Edit\n")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "added by $1" >> "$2"\n')
    editor.chmod(0o755)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{editor} 'the owner'")
    assert reverie("memory", "edit", "notes/Edit.md").code == 0
    assert (vault / "notes/Edit.md").read_text() == "# Edit\nadded by the owner\n"
    assert reverie("memory", "edit", "../outside.md").code == Exit.REFUSED
    monkeypatch.setenv("EDITOR", "no-such-editor")
    assert "not installed" in reverie("memory", "edit", "notes/Edit.md").err


def test_tell_ask_and_undo(reverie, vault: Path):
    """What is remembered is answered from its line, and `undo` takes it back."""
    told = json.loads(reverie("remember", "Our harbour master is Ines Roth.", "--json").out)
    assert told["changes"][0]["after"] == "Ines Roth"
    done = reverie("ask", "Who is our harbour master?")
    assert done.code == 0
    assert "Ines Roth" in done.out
    assert f"{told['changes'][0]['path']}:{told['changes'][0]['line']}" in done.out
    assert told["commit"][:7] in reverie("memory", "history").out
    taken = reverie("undo", told["commit"])
    assert taken.code == 0
    assert f"undone: {told['commit'][:10]} of 20" in taken.out
    assert not any("Ines Roth" in file.read_text() for file in vault.glob("facts/*.md"))


def test_ask_what_is_not_known(reverie):
    """A question that memory cannot answer has an exit code of its own, so that scripts can tell."""
    done = reverie("ask", "What is the airspeed of an unladen swallow?")
    assert done.code == Exit.UNSURE
    assert done.out.strip()


def test_forget_asks_once(reverie, monkeypatch):
    """Forgetting asks first; without anybody to ask it refuses unless told `--yes`; then the fact is gone."""
    reverie("remember", "The gate code is 4711.")
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: PTH123, SIM115 - nobody is there
    refused = reverie("forget", "gate code")
    assert refused.code == Exit.REFUSED
    assert "--yes" in refused.err
    assert "4711" in reverie("ask", "What is the gate code?").out
    done = reverie("forget", "--yes", "gate code")
    assert done.code == 0, done.err
    assert "4711" not in reverie("ask", "What is the gate code?").out


def test_words_from_stdin(reverie, monkeypatch, tmp_path):
    """`-` reads the words from stdin; an empty stdin is refused."""
    text = tmp_path / "words"
    text.write_text("Our ferry leaves from pier nine.\n")
    with text.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert reverie("remember", "-").code == 0
    with Path("/dev/null").open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert reverie("remember", "-").code == Exit.INVALID
