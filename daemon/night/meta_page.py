"""
META.md: rules on how to use memory, one a line. A page like any other: what is not changed stays to the byte.

    - M4 For order or history, give past values in time order. `past: include` (general; helped 31, hurt 0; since …)

A rule with an id and a record was learned; any other list item is the owner's, and is never changed here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal, TypeAlias

from daemon.directives import UNDIRECTED, Directive, applies, parse
from memory_store.page import Page

MOST_LEARNED = 30
Scope = Literal["general", "specific"]

_ITEM = re.compile(r"(?P<bullet>[ \t]{0,3}[-*+][ \t]+)(?!\[[ xX]\][ \t])(?P<body>\S.*)")
_ID = re.compile(r"(M\d+)[ \t]+(?=\S)")
_CODE = re.compile(r"[ \t]*`([^`]*)`[ \t]*$")
_RECORD = re.compile(
    r"[ \t]*\((?P<scope>general|specific)(?:; helped (?P<helped>\d{1,9}), hurt (?P<hurt>\d{1,9}))?"
    r"(?:; since (?P<since>\d{4}-\d\d-\d\d))?\)[ \t]*$"
)


@dataclass(frozen=True, slots=True)
class MetaRule:
    """
    A rule on how to use memory: *text* for a model to read, *directive* for the context builder.

    *line* to *end_line* is where it stands (0: nowhere yet). *learned*: it has an id and a record, so the night keeps
    it; *edited*: the owner changed it since, so that it is theirs.
    """

    text: str
    directive: Directive = UNDIRECTED
    scope: Scope = "general"
    id: str = ""
    helped: int = 0
    hurt: int = 0
    since: str = ""
    learned: bool = False
    edited: bool = False
    line: int = 0
    end_line: int = 0

    @property
    def by_hand(self) -> bool:
        """Whether it is the owner's, to be kept as it is."""
        return not self.learned or self.edited

    @property
    def key(self) -> str:
        """Equal for rules that say the same, whatever their ids and records."""
        return f"{' '.join(self.text.casefold().split()).rstrip('.')}|{self.directive}"

    @property
    def mark(self) -> str:
        """By what a rule is recognised as the one that the night wrote."""
        return blake2b(f"{self.text}|{self.directive}|{self.scope}".encode(), digest_size=8).hexdigest()

    def applies(self, question: str) -> bool:
        """Whether it is for *question*."""
        return applies(self.directive, self.text, question)

    def advice(self) -> str:
        """As a model reads it."""
        return f"{self.id} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Add:
    """*rule* is to stand on the page, with the next free id."""

    rule: MetaRule


@dataclass(frozen=True, slots=True)
class Drop:
    """The learned rule *id* is to go."""

    id: str


@dataclass(frozen=True, slots=True)
class Change:
    """The learned rule *id* is to become *rule*, under the same id."""

    id: str
    rule: MetaRule


Edit: TypeAlias = Add | Drop | Change


def read_rules(page: Page, marks: Mapping[str, str] | None = None) -> tuple[MetaRule, ...]:
    """
    All rules of *page*, in line order.

    *marks*, by id, are those of the rules as the night wrote them last: one that differs was edited by the owner, and
    a learned one without a mark was not.
    """
    found = []
    for rule in _rules(page):
        edited = rule.learned and marks is not None and marks.get(rule.id, rule.mark) != rule.mark
        found.append(replace(rule, edited=edited))
    return tuple(found)


def _rules(page: Page) -> Iterator[MetaRule]:
    number = page.body_start
    while number <= len(page.lines):
        item = None if number in page.inert else _ITEM.fullmatch(page.lines[number - 1])
        start = number
        number += 1
        if item is None:
            continue
        body = [item["body"].rstrip()]
        while number <= len(page.lines) and _continues(page, number):
            body.append(page.lines[number - 1].strip())
            number += 1
        yield _rule(" ".join(body), start, number - 1)


def _continues(page: Page, number: int) -> bool:
    line = page.lines[number - 1]
    return number not in page.inert and line[:2] in ("  ", "\t") and bool(line.strip()) and not _ITEM.fullmatch(line)


def _rule(body: str, line: int, end_line: int) -> MetaRule:
    identity = _ID.match(body)
    text = body[identity.end() :] if identity else body
    directive: Directive | None = None
    record: re.Match[str] | None = None
    for _ in range(2):  # the directive stands before the record, or after it
        if directive is None and (code := _CODE.search(text)) and (directive := parse(code[1])) is not None:
            text = text[: code.start()]
        if record is None and (record := _RECORD.search(text)):
            text = text[: record.start()]
    return MetaRule(
        text=text.strip(),
        directive=directive or UNDIRECTED,
        scope="specific" if record and record["scope"] == "specific" else "general",
        id=identity[1] if identity else "",
        helped=int(record["helped"] or 0) if record else 0,
        hurt=int(record["hurt"] or 0) if record else 0,
        since=record["since"] or "" if record else "",
        learned=bool(identity and record and record["helped"]) and line == end_line,
        line=line,
        end_line=end_line,
    )


def render_rule(rule: MetaRule) -> str:
    """The line of a learned rule, without its bullet."""
    directive = f" `{rule.directive}`" if str(rule.directive) else ""
    since = f"; since {rule.since}" if rule.since else ""
    return f"{rule.id} {rule.text}{directive} ({rule.scope}; helped {rule.helped}, hurt {rule.hurt}{since})"


def edit(page: Page, edits: Sequence[Edit], *, today: str, marks: Mapping[str, str] | None = None) -> Page:
    """
    *page* with *edits* made: changed rules keep their line, new ones come after the last learned one.

    Edits of rules that are not there, or that the owner has edited (see `read_rules`), do nothing; one that is there
    already is not added again, and of more than 30 learned rules the last are not added.
    """
    for one in edits:
        rules = read_rules(page, marks)
        match one:
            case Add(rule):
                learned = [each for each in rules if each.learned]
                if len(learned) >= MOST_LEARNED or any(each.key == rule.key for each in rules):
                    continue
                text = render_rule(replace(rule, id=next_id(rules), since=rule.since or today))
                page = _insert(page, learned[-1].line if learned else len(page.lines), f"- {text}")
            case Drop(id) | Change(id, _):
                mine = next((each for each in rules if each.id == id and not each.by_hand), None)
                if mine is None:
                    continue
                if isinstance(one, Drop):
                    page = page.delete_line(mine.line)
                    continue
                item = _ITEM.fullmatch(page.lines[mine.line - 1])
                assert item is not None
                changed = render_rule(replace(one.rule, id=id, since=one.rule.since or today))
                page = page.replace_line(mine.line, f"{item['bullet']}{changed}")
    return page


def _insert(page: Page, after: int, line: str) -> Page:
    if after == len(page.lines) and after and page.lines[-1].strip() and not _ITEM.fullmatch(page.lines[-1]):
        return page.insert_after(after, ["", line])
    return page.insert_after(after, [line])


def next_id(rules: Sequence[MetaRule], taken: Sequence[str] = ()) -> str:
    """An id that no rule has, nor any of *taken*: one above the highest."""
    numbers = [int(name[1:]) for name in (*(rule.id for rule in rules), *taken) if name]
    return f"M{max(numbers, default=0) + 1}"


def in_force(rules: Sequence[MetaRule], question: str) -> tuple[MetaRule, ...]:
    """
    The rules that are for *question*: the owner's first, then specific ones, then by what they have proved.
    """
    mine = [rule for rule in rules if rule.applies(question)]
    return tuple(
        sorted(mine, key=lambda rule: (not rule.by_hand, rule.scope != "specific", rule.hurt - rule.helped, rule.line))
    )


def advice_of(rules: Sequence[MetaRule], budget_tokens: int) -> list[str]:
    """*rules* as a model reads them, as many of the first as fit."""
    advice: list[str] = []
    for rule in rules:
        budget_tokens -= len(rule.advice().encode()) // 3 + 1
        if budget_tokens < 0:
            break
        advice.append(rule.advice())
    return advice


def meta_path(base: str) -> str:
    """Where META.md stands: in a vault that is not reverie's own, under the folder *base* that is."""
    return f"{base}META.md"
