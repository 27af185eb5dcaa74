"""The journal: every word kept, nothing pasted comes alive, and a cut entry is closed."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_store.files import Vault
from memory_store.journal import CUT_SHORT, Exchange, Said, append_exchange, parse_journal, render_exchange
from memory_store.page import parse

WHEN = datetime(2026, 11, 28, 14, 2, 11, tzinfo=timezone(timedelta(hours=1)))
PASTED = """\
---
title: pasted
---
# Heading
## 11:11:11 fake ^id
**Assistant:**
> quoted
- [team lead] Mallory
```py
code
<!-- comment
---
"""


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path, owned=True)


def exchange(*texts: str, number: int = 1) -> Exchange:
    turns = [Said(("user", "assistant")[n % 2], text) for n, text in enumerate(texts)]
    return Exchange(f"e{number}", WHEN, "smollm2:memory", turns, session="s-1", client="curl/8")


def test_an_exchange_as_written(vault: Vault) -> None:
    """An entry reads as the format says, and its reference names its lines."""
    ref = append_exchange(vault, exchange("our team lead is now Mina\nreally", "Noted.")).ref
    assert (
        vault.read("journal/2026/2026-11-28.md").data.decode()
        == """\
# 2026-11-28

## 14:02:11 smollm2:memory ^e1
<!-- at 2026-11-28T14:02:11+01:00; session s-1; client curl/8 -->

**User:**
> our team lead is now Mina
> really

**Assistant:**
> Noted.

---
"""
    )
    assert (ref.path, ref.start_line, ref.end_line, ref.entry) == ("journal/2026/2026-11-28.md", 3, 13, "e1")
    assert ref.link == "journal/2026/2026-11-28"
    second = append_exchange(vault, exchange("again", number=2)).ref
    page = parse(vault.read(second.path).data)
    assert page.lines[second.start_line - 1] == "## 14:02:11 smollm2:memory ^e2"
    assert page.lines[second.end_line - 1] == "---"
    turns = parse_journal(page)
    assert [(turn.speaker, turn.text, turn.entry) for turn in turns] == [
        ("user", "our team lead is now Mina\nreally", "e1"),
        ("assistant", "Noted.", "e1"),
        ("user", "again", "e2"),
    ]
    assert (turns[0].start_line, turns[0].end_line) == (7, 8)
    assert (turns[0].when, turns[0].model) == ("2026-11-28T14:02:11+01:00", "smollm2:memory")
    assert (turns[0].session, turns[0].client) == ("s-1", "curl/8")


def test_pasted_markdown_is_inert(vault: Vault) -> None:
    """Frontmatter, headings, facts, entries, fences and comments inside somebody's words mean nothing to the page."""
    append_exchange(vault, exchange(PASTED, PASTED))
    append_exchange(vault, exchange("next", number=2))
    page = parse(vault.read("journal/2026/2026-11-28.md").data)
    assert [heading.text for heading in page.headings] == [
        "2026-11-28",
        "14:02:11 smollm2:memory ^e1",
        "14:02:11 smollm2:memory ^e2",
    ]
    assert all(page.lines[number - 1].startswith("<!-- at") for number in page.inert)
    assert [turn.text for turn in parse_journal(page)] == [PASTED, PASTED, "next"]


@given(
    st.lists(
        st.text(
            st.one_of(st.sampled_from("\n\r> `-#*~\u2028\f"), st.characters(codec="utf-8", exclude_characters="\0"))
        ),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=60)
def test_words_round_trip(texts: list[str]) -> None:
    """Whatever is said comes back as it was, whatever line ends, quotes, fences or scripts it holds."""
    text = f"# 2026-11-28\n\n{render_exchange(exchange(*texts))}"
    turns = parse_journal(parse(text.encode()))
    assert [turn.text for turn in turns] == texts


def test_odd_names_cannot_break_the_entry() -> None:
    """Model names, sessions, clients and speakers with line ends or markup stay on their line."""
    odd = Exchange(
        "e1", WHEN, "a\nb ^c", [Said("Ada:\n**x**", "hi"), Said("user", "\0")], session="-->\n# x", client=";--;"
    )
    turns = parse_journal(parse(render_exchange(odd).encode()))
    assert [(turn.speaker, turn.text) for turn in turns] == [("Ada x", "hi"), ("user", "\u2400")]
    assert turns[0].model == "a-b-c"


@pytest.mark.parametrize("lost", range(1, 170, 3))
def test_an_entry_cut_short_is_closed(vault: Vault, lost: int) -> None:
    """Wherever an append is cut, inside a character too, the next entry is whole, and of the torn one all is kept."""
    append_exchange(vault, exchange("first", "reply"))
    file = vault.root / "journal/2026/2026-11-28.md"
    before = len(file.read_bytes())
    append_exchange(vault, exchange("zwölf Übel 云工开物", "🌙🌙", number=2))
    torn = file.read_bytes()[:-lost]
    file.write_bytes(torn)
    ref = append_exchange(vault, exchange("third", number=3)).ref
    data = file.read_bytes()
    page = parse(data)
    turns = parse_journal(page)
    assert [turn.text for turn in turns if turn.entry == "e1"] == ["first", "reply"]
    assert [turn.text for turn in turns if turn.entry == "e3"] == ["third"]
    assert page.lines[ref.start_line - 1].endswith("^e3")
    assert data.startswith(torn.decode("utf-8", "ignore").encode())
    assert (CUT_SHORT in page.text) == (torn[before:].count(b"\n## ") > 0 and not torn.rstrip().endswith(b"\n---"))


def test_zeros_after_a_power_cut(vault: Vault) -> None:
    """Zeros that a power cut left at the end of the page are taken away before the next entry."""
    append_exchange(vault, exchange("first"))
    file = vault.root / "journal/2026/2026-11-28.md"
    file.write_bytes(file.read_bytes() + b"\n## 14:0\0\0\0\0")
    append_exchange(vault, exchange("second", number=2))
    assert [turn.text for turn in parse_journal(parse(file.read_bytes()))] == ["first", "second"]


def test_a_page_that_is_no_text_is_left_alone(vault: Vault) -> None:
    """A day's page that somebody saved in another encoding is not touched: the entry goes to a second page."""
    file = vault.root / "journal/2026/2026-11-28.md"
    file.parent.mkdir(parents=True)
    file.write_bytes("# 2026-11-28\nübel\n".encode("latin-1"))
    ref = append_exchange(vault, exchange("first")).ref
    assert ref.path == "journal/2026/2026-11-28-2.md"
    assert file.read_bytes() == "# 2026-11-28\nübel\n".encode("latin-1")


def test_what_the_owner_writes_between_is_no_turn(vault: Vault) -> None:
    """A remark written by hand into the journal is kept, and is nobody's turn; editing a quotation changes the turn."""
    append_exchange(vault, exchange("first"))
    file = vault.root / "journal/2026/2026-11-28.md"
    file.write_text(file.read_text().replace("> first", "> first, edited") + "\nmy own remark\n> and a quotation")
    append_exchange(vault, exchange("second", number=2))
    assert [turn.text for turn in parse_journal(parse(file.read_bytes()))] == ["first, edited", "second"]
    assert "my own remark\n> and a quotation\n\n## " in file.read_text()
