"""Where a fact was told."""

from daemon.knowledge import sources_of
from memory_store.fact_pages import read_facts
from memory_store.page import Page, parse

JOURNAL = "journal/2026/2026-11-12.md"
TOLD = "# 2026-11-12\n\n## 09:00:00 tiny ^a1\n\n**User:**\n> Our team lead is Tom Vega.\n"


def _read(path: str) -> Page | None:
    return parse(TOLD.encode()) if path == JOURNAL else None


def test_a_line_that_told_another_value_is_no_source() -> None:
    """A fact whose value was edited by hand does not name the conversation that told the one before."""
    line = "- [team lead] {} (since 2026-11-12; from [[journal/2026/2026-11-12]])\n"
    for value, found in (("Tom Vega", [JOURNAL]), ("Mina Olsen", [])):
        (fact,) = read_facts("facts/Work.md", parse(line.format(value).encode())).facts
        assert [source.path for source in sources_of(fact, _read)] == found
