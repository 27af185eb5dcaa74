"""Lines that are put at the end of a page: notes, and whatever else is told there."""

from collections.abc import Sequence

from memory_store.errors import NotForNotes
from memory_store.files import Vault
from memory_store.page import Page, signed


def page_for_notes(vault: Vault, page: str | None) -> str:
    """
    The path of the page that is asked for as *page*, with or without its suffix; of ours for notes where none is.

    Raises:
        NotForNotes: conversations and dreams are records.
        NotContained.
    """
    path = page or f"{vault.base}Notes.md"
    path = vault.spelled(path if path.endswith((".md", ".markdown")) else f"{path}.md")
    if vault.classify(path) in ("journal", "dream"):
        raise NotForNotes(path)
    return path


def note_lines(text: str, today: str) -> list[str]:
    """*text* word for word as a note of *today*: one line as a list item, several as a quotation."""
    lines = signed(text).replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    if len(lines) == 1:
        return [f"- {lines[0]} ({today})"]
    return [f"**{today}**", *(f"> {line}".rstrip() for line in lines)]


def appended(page: Page, lines: Sequence[str]) -> tuple[Page, int]:
    """*page* with *lines* at its end, a blank one before them unless a list goes on; and the first one's number."""
    at = len(page.lines)
    in_list = at and page.lines[-1][:2] == lines[0][:2] == "- "
    blank = [""] if at and page.lines[-1].strip() and not in_list else []
    return ended(page.insert_after(at, [*blank, *lines])), at + len(blank) + 1


def ended(page: Page) -> Page:
    """*page* with its last line ended."""
    if not page.ends or page.ends[-1]:
        return page
    return Page(page.lines, (*page.ends[:-1], "\n"), page.bom)
