"""Pages -> chunks."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_store.chunk import LONGEST_CHARS, chunk_page, shown_text
from memory_store.files import Vault
from memory_store.journal import Exchange, Said, append_exchange
from memory_store.page import parse


def test_a_chunk_carries_its_lines_its_headings_and_the_day() -> None:
    """Line ranges, heading path and the date of the nearest dated heading come with each chunk."""
    page = parse(
        b"---\ntitle: Trip\n---\n# Trip\n\nintro\n\n## 8 May 2023\n\nWe flew.\nIt rained.\n\n### Food\nSoup.\n"
    )
    chunks = chunk_page("trip.md", page)
    assert [(c.start_line, c.end_line, c.headings, c.when) for c in chunks] == [
        (6, 6, ("Trip",), None),
        (10, 11, ("Trip", "8 May 2023"), "2023-05-08"),
        (14, 14, ("Trip", "8 May 2023", "Food"), "2023-05-08"),
    ]


def test_every_fact_line_is_a_chunk() -> None:
    """On a page of facts each fact can be found by itself, past ones included; tasks and links are no facts."""
    text = b"# Work\n\n- [team lead] Mina\n- [editor] Zed\n\n- [ ] call\n\n## Past\n- [team lead] Tom (to 2026-01-02)\n"
    chunks = chunk_page("facts/Work.md", parse(text), "facts")
    assert [(c.kind, c.start_line, c.headings) for c in chunks] == [
        ("fact", 3, ("Work",)),
        ("fact", 4, ("Work",)),
        ("note", 6, ("Work",)),
        ("fact", 9, ("Work", "Past")),
    ]


def test_a_turn_of_the_journal_knows_who_spoke_and_when(tmp_path: Path) -> None:
    """Turns of the journal come with speaker and time, without quotation marks; pasted conversations stay inside."""
    vault = Vault(tmp_path, owned=True)
    said = (Said("user", "Ann: hi\nBob: yo\nAnn: bye\nBob: bye"), Said("assistant", "Noted."))
    when = datetime.fromisoformat("2026-11-28T14:02:11+01:00")
    source = append_exchange(vault, Exchange("e1", when, "m:memory", said)).ref
    data = vault.read(source.path).data
    chunks = chunk_page(source.path, parse(data), "journal")
    assert [(c.kind, c.speaker, c.when, c.text) for c in chunks] == [
        ("turn", "User", "2026-11-28T14:02:11+01:00", "Ann: hi\nBob: yo\nAnn: bye\nBob: bye"),
        ("turn", "Assistant", "2026-11-28T14:02:11+01:00", "Noted."),
    ]
    assert shown_text(data[chunks[0].start_byte : chunks[0].end_byte], "turn") == chunks[0].text
    assert "User: " in chunks[1].embed_text


@pytest.mark.parametrize(
    "form", ["**{}:** {}", "{}: {}", "- **{}**: {}", "[10:32] {}: {}", "8/5/23, 13:56 - {}: {}", "> **{}:** {}"]
)
def test_conversations_in_notes_are_cut_by_turn(form: str) -> None:
    """A pasted conversation, in the forms people and chat programs write, gives a chunk a turn with its speaker."""
    lines = [form.format(name, f"words {i}") for i, name in enumerate(["Ann", "Ben Lee", "Ann", "Ben Lee"])]
    chunks = chunk_page("chat.md", parse(("# Chat\n\n" + "\n\n".join(lines)).encode()))
    assert [(c.kind, c.speaker, c.text) for c in chunks] == [
        ("turn", name, f"words {i}") for i, name in enumerate(["Ann", "Ben Lee", "Ann", "Ben Lee"])
    ]


def test_key_and_value_lines_are_no_conversation() -> None:
    """`Name: value` lines whose names never come back stay one note."""
    chunks = chunk_page("card.md", parse(b"Name: Ann\nEmail: a@b\nPhone: 1\nCity: Riga\n"))
    assert [c.kind for c in chunks] == ["note"]


def test_what_the_frontmatter_says_is_a_chunk() -> None:
    """Keys with their values are text with lines; titles, tags, aliases and dates are kept otherwise, and are none."""
    lines = (
        "---",
        "title: Ana",
        "tags:",
        "  - people",
        "status: active",
        "born: 1988-04-02",
        "created: 2026-01-02",
        "---",
    )
    page = "\n".join([*lines, "Body.", ""]).encode()
    found = [(c.start_line, c.end_line, c.text) for c in chunk_page("Ana.md", parse(page))]
    assert found == [(5, 6, "status: active\nborn: 1988-04-02"), (9, 9, "Body.")]
    assert len(chunk_page("Ana.md", parse(b"---\ntitle: Ana\naliases: [a b c d]\n---\nBody.\n"))) == 1
    listed = chunk_page("Ana.md", parse(b"---\nskills:\n  - welding\n  - brakes\n---\n"))
    assert [(c.start_line, c.end_line) for c in listed] == [(2, 4)]


def test_an_empty_page_is_still_found_by_its_title() -> None:
    """Every page has a chunk, be it without text."""
    assert [c.text for c in chunk_page("Ideas.md", parse(b""))] == [""]
    assert len(chunk_page("Ideas.md", parse(b"# Ideas\n"))) == 1


def test_a_long_line_is_cut_at_sentences() -> None:
    """A paragraph in one long line gives chunks of bounded size that share its line number and miss nothing."""
    line = " ".join(f"Sentence number {i} says a little." for i in range(400))
    data = f"# T\n\n{line}\n".encode()
    chunks = chunk_page("t.md", parse(data))
    assert len(chunks) > 8
    assert {(c.start_line, c.end_line) for c in chunks} == {(3, 3)}
    assert all(len(c.text) <= LONGEST_CHARS for c in chunks)
    assert "".join(c.text for c in chunks) == line


@given(
    st.lists(
        st.sampled_from(
            [
                "# A",
                "## B é",
                "",
                "words and more",
                "日本語の文章。つづき。",
                "- item " * 40,
                "---",
                "**Ann:** hi",
                "Ann: yes",
                "x" * 3000,
            ]
        ),
        max_size=40,
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_bytes_of_a_chunk_hold_its_text(lines: list[str], end: str, bom: bool) -> None:
    """For any page, line ends and byte-order mark: the byte range read back from the file gives the text's words."""
    data = (b"\xef\xbb\xbf" if bom else b"") + end.join(lines).encode()
    page = parse(data)
    last = 0
    for chunk in chunk_page("p.md", page):
        shown = shown_text(data[chunk.start_byte : chunk.end_byte], chunk.kind)
        assert chunk.text in shown
        assert 1 <= chunk.start_line <= chunk.end_line <= max(len(page.lines), 1)
        assert chunk.start_byte >= last
        last = chunk.end_byte


def test_all_words_of_a_page_are_in_some_chunk() -> None:
    """Nothing a page says, its frontmatter's sentences included, is left out."""
    data = b"---\ndescription: a page on the zebra\n---\npre\n# H1\nalpha\n## H2\n\n```\ncode_word\n```\n> quote\n"
    found = " ".join((" ".join(c.headings) + " " + c.text) for c in chunk_page("p.md", parse(data)))
    for word in ("zebra", "pre", "H1", "alpha", "H2", "code_word", "quote"):
        assert word in found
