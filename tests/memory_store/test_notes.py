"""On which page a note is put."""

from pathlib import Path

import pytest

from memory_store.errors import NotContained, NotForNotes
from memory_store.files import Vault
from memory_store.notes import page_for_notes


def vault_with(root: Path, *paths: str, owned: bool = True) -> Vault:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("# A page\n", "utf-8")
    root.mkdir(exist_ok=True)
    return Vault(root, owned=owned)


def test_a_page_is_named_with_or_without_its_suffix(tmp_path: Path) -> None:
    """`Ideas` and `Ideas.md` are one page; without any name it is ours for notes."""
    vault = vault_with(tmp_path / "vault", "Ideas.md", "old.markdown")
    named = [page_for_notes(vault, page) for page in ("Ideas", "Ideas.md", "old.markdown", "new", None)]
    assert named == ["Ideas.md", "Ideas.md", "old.markdown", "new.md", "Notes.md"]
    assert page_for_notes(vault_with(tmp_path / "other", owned=False), None) == "reverie/Notes.md"


def test_a_page_is_not_made_twice_in_another_case(tmp_path: Path) -> None:
    """`notes` beside `Notes.md` means that page, as it must where case makes no other file; of two none is guessed."""
    vault = vault_with(tmp_path / "vault", "Notes.md", "Work/Plan.md")
    assert page_for_notes(vault, "notes.md") == "Notes.md"
    assert page_for_notes(vault, "work/PLAN") == "Work/Plan.md"
    assert page_for_notes(vault, "work/other") == "Work/other.md"
    assert page_for_notes(vault, "gone/plan") == "gone/plan.md"
    vault_with(tmp_path / "vault", "notes.md")
    assert page_for_notes(vault, "notes") == "notes.md"


@pytest.mark.parametrize("path", ["journal/2026/2026-11-28", "journal/new.md", "Journal/2026/2026-11-28", "dreams/x"])
def test_records_take_no_notes(tmp_path: Path, path: str) -> None:
    """A note is written into no conversation and into no dream, however the page is spelled."""
    vault = vault_with(tmp_path / "vault", "journal/2026/2026-11-28.md", "dreams/2026-11-28.md")
    with pytest.raises(NotForNotes) as refused:
        page_for_notes(vault, path)
    assert "is a record" in str(refused.value)


def test_a_page_lies_in_the_vault(tmp_path: Path) -> None:
    """What leads out of it is refused before anything is looked at."""
    vault = vault_with(tmp_path / "vault")
    for path in ("../x", "/etc/x", "a/../../x"):
        with pytest.raises(NotContained):
            page_for_notes(vault, path)
