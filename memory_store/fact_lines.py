"""
The grammar of single lines: `[attribute] value #tags (qualifiers) ^block` and `when [a] changes, [b] becomes V`.

Functions here take and give the text after the bullet; a value of several lines has them joined with `\\n`. Nothing is
rendered that does not read back as the same value: where plain writing would (a value that ends in `#word`, in
`(since 2019)`, or is `?`), the qualifier `verbatim` says that all before the brackets is the value as it stands.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from memory_store.errors import FactInvalid
from memory_store.fact_values import Fact, FactState, Ref, Rule, Trigger

_ATTRIBUTE = r"\[((?:\\.|[^\[\]\\\n])+)\]"
_REF = rf"(?:\[\[([^\[\]\n]+)\]\]\s*)?{_ATTRIBUTE}"
_DATE = r"\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d\S*)?)?)?"
_FACT = re.compile(rf"{_ATTRIBUTE}(?=\s|$)\s*")
_RULE = re.compile(
    rf"(?:when|whenever|if)\s+{_REF}\s+(?:(changes|(?:is|was)\s+changed)|is\s+(.+?))\s*,\s*(?:then\s+)?{_REF}"
    r"\s+(?:becomes|will\s+be)(?:\s+(.*))?",
    re.IGNORECASE | re.DOTALL,
)
_NESTED = re.compile(rf"depends[_\s-]on:?\s+{_REF}\s*(.*)", re.IGNORECASE | re.DOTALL)
_RULE_LIKE = re.compile(r"(?:when|whenever|if)\s+\[|.*\]\s+becomes\b|depends_on\b", re.IGNORECASE)
_TAG = re.compile(r"#([\w/-]*[^\W\d][\w/-]*)")
_BLOCK = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)$")
_COMMENT_END = {"-->": "<!--", "%%": "%%"}
_USUAL = 500  # characters of a line that is worth keeping read
_PIECE = re.compile(r"(?:\\.|\[\[.*?\]\]|\([^()\\]*\)|[^;\\]|\\$)+", re.DOTALL)


# -- facts ---


def is_attribute(text: str) -> bool:
    """
    Whether *text* can name a fact.

    Task marks (`[x]`, one ASCII character), footnotes (`[^1]`), callouts (`[!note]`) and numbers cannot.
    """
    name = " ".join(text.split())
    if not name or name[0] in "^!" or (len(name) == 1 and name.isascii()):
        return False
    return any(char.isalpha() or not char.isascii() for char in name)


def parse_fact(body: str, path: str = "", line: int = 0, end_line: int = 0) -> Fact | None:
    """
    The fact that a list item says at its place; None where it is none (a task, a link, prose).

    A fact without value, `?` or tombstone comes back with state known and value None: half of a line.
    """
    found = _read_fact(body) if len(body) <= _USUAL else _read_fact.__wrapped__(body)
    return replace(found, path=path, line=line, end_line=end_line) if found and (path or line) else found


@lru_cache(maxsize=4096)  # a page is read several times on its way through a change, most lines unchanged
def _read_fact(body: str) -> Fact | None:
    match = _FACT.match(body)
    if not match or not is_attribute(name := _unescape_attribute(match[1])):
        return None
    attribute = " ".join(name.split())
    rest, block_id, comment = _split_tail(body[match.end() :])
    text, pieces = _split_group(rest)
    marks = "verbatim" not in (piece.casefold() for piece in pieces)
    found = _Qualifiers.read(pieces, unsure=marks and _is_mark(text, "?"), empty=marks and _is_mark(text, ""))
    if not found.known_any and not found.unsure:
        text, found = rest, _Qualifiers()
    if found.verbatim:
        value, tags = text.strip(), found.tags
    elif found.forgotten:
        value, tags = "", tuple(word[1:] for word in text.split())
    else:
        value, tags = _split_tags(text)
    doubt = value == "?" and not found.verbatim
    state: FactState = "forgotten" if found.forgotten else "unsure" if doubt else "known"
    known = state == "known"
    return Fact(
        attribute,
        (_unguard_comment(value) or None) if known else None,
        state,
        tags=tags,
        since=found.since,
        until=found.until if known else None,
        source=found.source,
        cause=None if found.forgotten else found.cause,
        was=found.was if doubt else None,
        was_since=found.was_since if doubt else None,
        was_source=found.was_source if doubt else None,
        corrected=found.corrected if known else None,
        notes=tuple(found.notes),
        block_id=block_id,
        comment=comment,
    )


def render_fact(fact: Fact) -> str:
    """
    The text that `parse_fact` reads as *fact* (where it stands aside).

    Raises:
        FactInvalid: the attribute or value cannot stand in a line.
    """
    if not is_attribute(fact.attribute):
        raise FactInvalid(fact.attribute, "an attribute needs a letter, and more than one character")
    if fact.state == "known" and not fact.value:
        raise FactInvalid(fact.attribute, "a value cannot be empty")
    wanted = replace(fact, path="", line=0, end_line=0)
    for verbatim in (False, True):
        body = _fact_body(wanted, verbatim)
        if not body.endswith("\\") and parse_fact(body) == wanted:
            return body
    raise FactInvalid(fact.attribute, "it cannot be written so that it reads back the same")


def tidy_value(value: str) -> str:
    """*value* as a line can hold it: outer white space gone, every line end `\\n`."""
    return value.replace("\r\n", "\n").replace("\r", "\n").strip()


def _fact_body(fact: Fact, verbatim: bool) -> str:
    tags = " ".join(f"#{tag}" for tag in fact.tags)
    value = {"known": fact.value or "", "unsure": "?", "forgotten": ""}[fact.state]
    pieces = ["verbatim", *([tags] if tags else [])] if verbatim else []
    pieces += _pieces(fact)
    parts = [
        f"[{_escape_attribute(fact.attribute)}]",
        _guard_comment(value),
        "" if verbatim else tags,
        f"({'; '.join(pieces)})" if pieces else "",
        fact.comment or "",
        f"^{fact.block_id}" if fact.block_id else "",
    ]
    return " ".join(part for part in parts if part)


def _pieces(fact: Fact) -> Iterable[str]:
    """The qualifiers of *fact*, in the order in which they are written."""
    if fact.state == "forgotten":
        yield f"forgotten {fact.since}" if fact.since else "forgotten"
        yield from _source(fact.source)
    elif fact.state == "unsure":
        if fact.was is not None:
            yield f"was {_escape_piece(fact.was)}"
        if fact.was_since:
            yield f"since {fact.was_since}"
        yield from _source(fact.was_source)
        doubt = f"unsure since {fact.since}" if fact.since else "unsure"
        if fact.since or fact.cause or fact.source or fact.was_since or fact.was_source:
            yield f"{doubt}: {_escape_piece(fact.cause)}" if fact.cause else doubt
        yield from _source(fact.source)
    else:
        if fact.since and fact.until:
            yield f"{fact.since} to {fact.until}"
        elif fact.since or fact.until:
            yield f"since {fact.since}" if fact.since else f"until {fact.until}"
        if fact.corrected:
            yield f"corrected {fact.corrected}"
        yield from _source(fact.source)
        if fact.cause:
            yield f"by rule: {_escape_piece(fact.cause)}"
    yield from map(_escape_piece, fact.notes)


def _source(source: str | None) -> Iterable[str]:
    if source:
        yield f"from [[{source}]]"


# -- rules ---


def parse_rule(body: str) -> Rule | None:
    """The rule that a list item says in full (`when …, … becomes …`); None where it says none."""
    return _read_rule(body) if len(body) <= _USUAL else _read_rule.__wrapped__(body)


@lru_cache(maxsize=4096)
def _read_rule(body: str) -> Rule | None:
    match = _RULE.fullmatch(body.strip())
    if not match:
        return None
    when_page, when, changes, value, then_page, then, outcome = match.groups()
    refs = _ref(when_page, when), _ref(then_page, then)
    rest, block_id, _ = _split_tail(outcome or "")
    text, pieces = _split_group(rest)
    found = _Qualifiers.read(pieces, unsure=False, empty=False)
    if not found.known_any:
        text, found = rest, _Qualifiers()
        if _is_mark((parts := _split_group(rest))[0], "?"):
            text, found = "?", _Qualifiers(notes=[_unescape_piece(piece) for piece in parts[1]])
    becomes = _unguard_comment(text.strip())
    if refs[0] is None or refs[1] is None or not becomes:
        return None
    trigger: Trigger = "changes" if changes else "is"
    if trigger == "is" and " ".join(value.split()).casefold() == "forgotten":
        trigger, value = "forgotten", None
    return Rule(
        refs[0],
        trigger,
        refs[1],
        None if becomes == "?" and not found.verbatim else becomes,
        value=" ".join(_unescape_trigger(value).split()) if value else None,
        since=found.since,
        source=found.source,
        notes=tuple(found.notes),
        block_id=block_id,
    )


def parse_nested_rule(body: str, parent: str) -> Rule | None:
    """The rule that `depends_on [a]` says under the fact *parent*; None where the item says something else."""
    match = _NESTED.fullmatch(body.strip())
    if not match or (when := _ref(match[1], match[2])) is None:
        return None
    rest, block_id, _ = _split_tail(match[3])
    text, pieces = _split_group(rest)
    if text.strip(" .,;"):
        return None
    found = _Qualifiers.read(pieces, unsure=False, empty=False)
    return Rule(
        when,
        "changes",
        Ref(parent),
        None,
        since=found.since,
        source=found.source,
        notes=tuple(found.notes),
        block_id=block_id,
        nested=True,
    )


def seems_rule(body: str) -> bool:
    """Whether a list item looks as if it were meant to be a rule."""
    return bool(_RULE_LIKE.match(body))


def render_rule(rule: Rule) -> str:
    """
    The text that `parse_rule` (or, if nested, `parse_nested_rule`) reads as *rule*.

    Raises:
        FactInvalid: an attribute or value cannot stand in a line.
    """
    wanted = replace(rule, path="", line=0, end_line=0)
    for ref in (rule.when, rule.then):
        if not is_attribute(ref.attribute):
            raise FactInvalid(ref.attribute, "an attribute needs a letter, and more than one character")
    for verbatim in (False, True):
        for escaped in (False, True):
            body = _rule_body(wanted, verbatim, escaped)
            if body.endswith("\\"):
                continue
            if (parse_nested_rule(body, rule.then.attribute) if rule.nested else parse_rule(body)) == wanted:
                return body
    raise FactInvalid(rule.then.attribute, "the rule cannot be written so that it reads back the same")


def rule_text(rule: Rule) -> str:
    """*rule* for people, in one line and without its qualifiers. Not checked to read back."""
    condition = {"changes": "changes", "forgotten": "is forgotten", "is": f"is {rule.value}"}[rule.trigger]
    becomes = "?" if rule.becomes is None else _guard_comment(rule.becomes)
    return " ".join(f"when {render_ref(rule.when)} {condition}, {render_ref(rule.then)} becomes {becomes}".split())


def _rule_body(rule: Rule, verbatim: bool, escaped: bool) -> str:
    pieces = ["verbatim"] if verbatim else []
    if rule.since:
        pieces.append(f"since {rule.since}")
    pieces += [*_source(rule.source), *map(_escape_piece, rule.notes)]
    group = f" ({'; '.join(pieces)})" if pieces else ""
    block = f" ^{rule.block_id}" if rule.block_id else ""
    if rule.nested:
        return f"depends_on {render_ref(rule.when)}{group}{block}"
    value = _escape_trigger(rule.value or "") if escaped else rule.value
    condition = {"changes": "changes", "forgotten": "is forgotten", "is": f"is {value}"}[rule.trigger]
    becomes = "?" if rule.becomes is None else _guard_comment(rule.becomes)
    return f"when {render_ref(rule.when)} {condition}, {render_ref(rule.then)} becomes {becomes}{group}{block}"


def render_ref(ref: Ref) -> str:
    """*ref* as it stands in rules and causes."""
    page = f"[[{ref.page}]] " if ref.page is not None else ""
    return f"{page}[{_escape_attribute(ref.attribute)}]"


def parse_cause(cause: str) -> tuple[Ref, str] | None:
    """The fact that a cause such as `[team lead] changed` names, and what it says of it; None for free words."""
    match = re.match(rf"{_REF}\s*", cause)
    ref = _ref(match[1], match[2]) if match else None
    return (ref, cause[match.end() :]) if match and ref else None


def _ref(page: str | None, attribute: str) -> Ref | None:
    name = " ".join(_unescape_attribute(attribute).split())
    return Ref(name, page.strip() if page else None) if is_attribute(name) else None


# -- qualifiers ---

_QUALIFIERS = {
    "since": re.compile(rf"since\s+({_DATE})", re.IGNORECASE),
    "until": re.compile(rf"until\s+({_DATE})", re.IGNORECASE),
    "span": re.compile(rf"({_DATE})\s*(?:to|until|–|—|->|→)\s*({_DATE})", re.IGNORECASE),
    "source": re.compile(r"from\s+\[\[([^\[\]\n]+)\]\]", re.IGNORECASE),
    "cause": re.compile(r"by\s+rule:\s*(.+)", re.IGNORECASE | re.DOTALL),
    "corrected": re.compile(rf"corrected\s+({_DATE})", re.IGNORECASE),
    "verbatim": re.compile(r"verbatim", re.IGNORECASE),
}
_UNSURE = re.compile(rf"unsure(?:\s+since\s+({_DATE}))?(?::\s*(.+))?", re.IGNORECASE | re.DOTALL)
_WAS = re.compile(r"was\s+(.+)", re.IGNORECASE | re.DOTALL)
_FORGOTTEN = re.compile(rf"forgotten(?:\s+({_DATE}))?", re.IGNORECASE)


@dataclass(slots=True)
class _Qualifiers:
    """What the brackets at the end of a line say. On a `?`, what stands before `unsure since` is of what it was."""

    since: str | None = None
    until: str | None = None
    source: str | None = None
    cause: str | None = None
    corrected: str | None = None
    was: str | None = None
    was_since: str | None = None
    was_source: str | None = None
    verbatim: bool = False
    forgotten: bool = False
    unsure: bool = False
    tags: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    known_any: bool = False

    @classmethod
    def read(cls, pieces: Sequence[str], *, unsure: bool, empty: bool) -> "_Qualifiers":
        """*unsure*: they follow a `?`; *empty*: they follow no value. Only there do doubts and tombstones count."""
        found = cls(unsure=unsure)
        for piece in pieces:
            if found._read_state(piece, unsure, empty) or found._read_common(piece):
                found.known_any = True
            else:
                found.notes.append(_unescape_piece(piece))
        return found

    def _read_state(self, piece: str, unsure: bool, empty: bool) -> bool:
        if unsure and self.was is None and (match := _WAS.fullmatch(piece)):
            self.was = _unescape_piece(match[1])
        elif unsure and (match := _UNSURE.fullmatch(piece)):
            self.was_since, self.was_source = self.since, self.source
            self.since, self.source = match[1], None
            self.cause = _unescape_piece(match[2]) if match[2] else None
        elif empty and not self.forgotten and (match := _FORGOTTEN.fullmatch(piece)):
            self.forgotten, self.since = True, match[1]
        else:
            return False
        return True

    def _read_common(self, piece: str) -> bool:
        for name, pattern in _QUALIFIERS.items():
            if not (match := pattern.fullmatch(piece)):
                continue
            if name == "verbatim":
                self.verbatim = True
            elif name == "span":
                self.since, self.until = match[1], match[2]
            elif name == "cause":
                self.cause = _unescape_piece(match[1])
            elif getattr(self, name) is None:
                setattr(self, name, match[1])
            else:
                return False
            return True
        if self.verbatim and not self.tags and all(_TAG.fullmatch(word) for word in piece.split()):
            self.tags = tuple(word[1:] for word in piece.split())
            return bool(self.tags)
        return False


def _split_tail(text: str) -> tuple[str, str | None, str | None]:
    """*text* without the block id and the comment at its end, and these two."""
    block_id = comment = None
    text = text.rstrip()
    while True:
        match = _BLOCK.search(text, max(0, len(text) - 200))
        opening = next((start for end, start in _COMMENT_END.items() if text.endswith(end)), None)
        if match and block_id is None:
            block_id, text = match[1], text[: match.start()].rstrip()
        elif opening and comment is None and (start := text.rfind(opening, 0, len(text) - 2)) >= 0:
            if (start and not text[start - 1].isspace()) or "\n" in text[start:]:
                return text, block_id, comment
            comment, text = text[start:], text[:start].rstrip()
        else:
            return text, block_id, comment


def _split_group(text: str) -> tuple[str, list[str]]:
    """*text* without the brackets at its end, and what stands in these, parted at `;`. No brackets: no pieces."""
    text = text.rstrip()
    if not text.endswith(")") or (len(text) - len(text[:-1].rstrip("\\"))) % 2 == 0:
        return text, []
    depth = 0
    for match in reversed(list(re.finditer(r"\\.|[()]", text, re.DOTALL))):
        depth += {")": 1, "(": -1}.get(match[0], 0)
        if depth == 0:
            start = match.start()
            if start and not text[start - 1].isspace():
                return text, []
            pieces = [piece.strip() for piece in _PIECE.findall(text[start + 1 : -1])]
            return text[:start].rstrip(" \t"), [piece for piece in pieces if piece]
    return text, []


def _split_tags(text: str) -> tuple[str, tuple[str, ...]]:
    """*text* without the `#tags` at its end, and these. A text of tags alone keeps the first as its value."""
    text = text.strip()
    tags: list[str] = []
    while True:
        words = text.rsplit(None, 1)
        if len(words) < 2 or not _TAG.fullmatch(words[1]):
            return text, tuple(reversed(tags))
        tags.append(words[1][1:])
        text = words[0].rstrip()


def _is_mark(text: str, mark: str) -> bool:
    """Whether *text* is *mark* and nothing but tags after it."""
    words = text.split()
    rest = words[1:] if mark and words[:1] == [mark] else words
    return (not mark or words[:1] == [mark]) and all(_TAG.fullmatch(word) for word in rest)


# -- escapes ---


def _escape_attribute(text: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", text) if "[" in text or "]" in text or "\\" in text else text


def _unescape_attribute(text: str) -> str:
    return re.sub(r"\\([\[\]\\])", r"\1", text) if "\\" in text else text


def _escape_piece(text: str) -> str:
    """*text* as it stands between `;` and within brackets."""
    text = text.replace("\n", " ")
    plain = not re.search(r"[\\;]", text) and _balanced(text)
    return text if plain else re.sub(r"([\\();])", r"\\\1", text)


def _unescape_piece(text: str) -> str:
    return re.sub(r"\\([\\();])", r"\1", text.strip()) if "\\" in text else text.strip()


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0


def _escape_trigger(text: str) -> str:
    return "\\" + re.sub(r"(\\*)\[", r"\\\1[", text)


def _unescape_trigger(text: str) -> str:
    """Undoes `_escape_trigger`, which marks its work by a leading backslash."""
    return re.sub(r"\\(\\*)\[", r"\1[", text[1:]) if text.startswith("\\") else text


def _guard_comment(text: str) -> str:
    """*text* with `<!--` broken by a backslash, so that no page takes what follows for a comment."""
    return re.sub(r"<(\\*)!--", r"<\\\1!--", text) if "!--" in text else text


def _unguard_comment(text: str) -> str:
    return re.sub(r"<\\(\\*)!--", r"<\1!--", text) if "!--" in text else text
