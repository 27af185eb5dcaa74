"""
Raw conversations in `journal/YYYY/YYYY-MM-DD.md`: only ever appended to, every word quoted so that it stays inert.

```
# 2026-11-28

## 14:02:11 smollm2-135m-instruct:memory ^e3f9a1c20
<!-- at 2026-11-28T14:02:11+01:00; session s-12; client curl -->

**User:**
> our team lead is now Mina Olsen

**Assistant:**
> Noted.

---
```
The closing `---` tells a whole entry from one that a kill or a full disk cut short.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import PurePosixPath

from memory_store.errors import NotText, PageMissing
from memory_store.files import Vault
from memory_store.page import BOM, Page, parse, signed

_ENTRY = re.compile(r"## (\d\d:\d\d:\d\d) (.*?) \^([A-Za-z0-9-]+)[ \t]*")
_DETAILS = re.compile(r"<!-- at (\S+?)(?:; session ([^;]*))?(?:; client ([^;]*))? -->")
_SPEAKER = re.compile(r"\*\*(.+?):\*\*[ \t]*")
_DAY = re.compile(r"# (\d{4}-\d\d-\d\d)[ \t]*")
_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")
_CLOSED = re.compile(rb"(?:^|[\r\n])---[ \t]*(?:\r\n|\n|\r)+$")
_ROLES = {"user": "User", "assistant": "Assistant", "system": "System", "tool": "Tool"}
_LABELS = {label: role for role, label in _ROLES.items()}
CUT_SHORT = "*(this entry was cut short)*"


@dataclass(frozen=True)
class Said:
    """What one speaker said: *speaker* is `user`, `assistant`, `system`, `tool`, or a name."""

    speaker: str
    text: str


@dataclass(frozen=True)
class Exchange:
    """One request and its reply, as it is to be remembered. *when* knows its offset; *id* is letters, digits, `-`."""

    id: str
    when: datetime
    model: str
    turns: Sequence[Said]
    session: str = ""
    client: str = ""


@dataclass(frozen=True)
class Turn:
    """What one speaker said, as the journal holds it; the lines are those of the words. *when* is ISO 8601."""

    speaker: str
    when: str
    text: str
    start_line: int
    end_line: int
    entry: str = ""
    model: str = ""
    session: str = ""
    client: str = ""


@dataclass(frozen=True)
class SourceRef:
    """Where an exchange was written: a line range of a journal page. *link* is what a wikilink to it holds."""

    path: str
    start_line: int
    end_line: int
    entry: str

    @property
    def link(self) -> str:
        return self.path.removesuffix(".md")


@dataclass(frozen=True)
class Appended:
    """An exchange that was written: its *entry*, and what its page held *before* and *after*."""

    ref: SourceRef
    entry: bytes
    before: bytes
    after: bytes


def journal_path(vault: Vault, day: str) -> str:
    """The page that holds the conversations of *day* (`YYYY-MM-DD`)."""
    return f"{vault.base}journal/{day[:4]}/{day}.md"


def render_exchange(exchange: Exchange) -> str:
    """The entry of *exchange*, from its heading to its closing line, with `\\n` but for line ends within the words."""
    details = [f"at {exchange.when.isoformat(timespec='seconds')}"]
    details += [
        f"{name} {value}"
        for name, value in (("session", _word(exchange.session)), ("client", _word(exchange.client)))
        if value
    ]
    parts = [f"## {exchange.when:%H:%M:%S} {_model(exchange.model)} ^{exchange.id}\n<!-- {'; '.join(details)} -->\n"]
    parts += [f"\n**{_label(said.speaker)}:**\n{_quoted(said.text)}" for said in exchange.turns]
    return "".join(parts) + "\n---\n"


def append_exchange(vault: Vault, exchange: Exchange) -> Appended:
    """
    Write *exchange* at the end of its day's page, on the disk when this returns; close an entry that was cut short.

    Raises:
        VaultReadOnly, NoSpace, PageUnreadable, PageUnwritable: nothing of it was written.
    """
    path, data = _ready_page(vault, exchange.when.date().isoformat())
    entry = render_exchange(exchange).encode("utf-8", "replace")
    after = append_entry(vault, path, data, entry)
    last = len(parse(after).lines)
    ref = SourceRef(path, last - len(parse(entry).lines) + 1, last, exchange.id)
    return Appended(ref, entry, data, after)


def append_entry(vault: Vault, path: str, data: bytes, entry: bytes) -> bytes:
    """
    Write *entry* at the end of the page at *path*, which holds *data*; what it holds then.

    Raises:
        As `append_exchange`.
    """
    head = _closing(data) if data else f"# {PurePosixPath(path).stem[:10]}\n\n"
    vault.append(path, head.encode() + entry)
    return data + head.encode() + entry


def open_page(vault: Vault, day: str) -> SourceRef:
    """
    Make the page that takes the next entry of *day*, where there is none, so that what comes first can name it.

    Raises:
        As `append_exchange`.
    """
    path, _ = _ready_page(vault, day)
    vault.append(path, b"")
    return SourceRef(path, 1, 1, "")


def _ready_page(vault: Vault, day: str) -> tuple[str, bytes]:
    """The page that takes the next entry of *day*, and what it holds. One that is no text is left alone."""
    path = journal_path(vault, day)
    for number in count(2):
        try:
            snapshot = vault.read(path)
        except PageMissing:
            return path, b""
        whole = _without_torn_bytes(snapshot.data)
        try:
            parse(whole)
        except NotText:
            path = journal_path(vault, day).removesuffix(".md") + f"-{number}.md"
            continue
        if whole != snapshot.data:
            vault.replace(path, whole, snapshot.hash, may_shrink=True)
        return path, whole
    raise AssertionError("unreachable")


def parse_journal(page: Page, day: str = "") -> list[Turn]:
    """
    What was said on *page*, in order. *day* (`YYYY-MM-DD`) counts where the page does not name its own.

    Whatever the owner wrote or changed by hand between entries is left out; a changed quotation is read as changed.
    """
    turns: list[Turn] = []
    entry: re.Match[str] | None = None
    details: re.Match[str] | None = None
    speaker = ""
    number = 0
    while number < len(page.lines):
        line = page.lines[number]
        number += 1
        if named := _DAY.fullmatch(line):
            day, entry = named[1], None
        elif found := _ENTRY.fullmatch(line):
            entry, details, speaker = found, None, ""
        elif line == "---":
            entry = None
        elif entry is None:
            continue
        elif found := _DETAILS.fullmatch(line):
            details = found
        elif found := _SPEAKER.fullmatch(line):
            speaker = _LABELS.get(found[1], found[1])
        elif line.startswith(">") and speaker:
            start = number
            while number < len(page.lines) and page.lines[number].startswith(">"):
                number += 1
            text = _unquoted(page, start - 1, number)
            when = details[1] if details else f"{day}T{entry[1]}"
            session, client = (details[2] or "", details[3] or "") if details else ("", "")
            turns.append(Turn(speaker, when, text, start, number, entry[3], entry[2], session, client))
            speaker = ""
    return turns


def _quoted(text: str) -> str:
    return "".join(_quoted_lines(signed(text)))


def _quoted_lines(text: str) -> Iterator[str]:
    for match in _LINE.finditer(text):
        line, end = match[1], match[2]
        yield f"> {line}{end or chr(10)}" if line else f">{end or chr(10)}"
        if not end:
            return


def _unquoted(page: Page, start: int, stop: int) -> str:
    lines = (line[2:] if line.startswith("> ") else line[1:] for line in page.lines[start:stop])
    ends: Iterable[str] = (*page.ends[start : stop - 1], "")
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


def _label(speaker: str) -> str:
    return _ROLES.get(speaker) or re.sub(r"[*:\s\0]+", " ", speaker).strip() or "User"


def _model(name: str) -> str:
    return re.sub(r"[\s^\0]+", "-", name.strip()) or "none"


def _word(text: str) -> str:
    return re.sub(r"[^\w.@/+-]+|--+", "-", text).strip("-")[:80]


def _without_torn_bytes(data: bytes) -> bytes:
    """*data* without what a cut in the middle of a character, or a power cut that left zeros, has put at its end."""
    data = data.rstrip(b"\0")
    for length in range(1, min(len(data), 3) + 1):
        lead = data[-length]
        if lead >= 0xC0:
            needed = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            return data[:-length] if needed > length else data
        if lead < 0x80:
            break
    return data


def _closing(data: bytes) -> str:
    """What is to be written before the next entry, so that it starts on a line of its own after a whole one."""
    if _CLOSED.search(data):
        return "\n"
    lines = parse(data).lines
    last_close = max((n for n, line in enumerate(lines) if line == "---"), default=-1)
    newline = "" if data.endswith((b"\n", b"\r")) or data == BOM else "\n"
    if any(line.startswith("## ") for line in lines[last_close + 1 :]):
        return f"{newline}\n{CUT_SHORT}\n\n---\n\n"
    return f"{newline}\n"
