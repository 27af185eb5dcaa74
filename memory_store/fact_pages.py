"""What a page says in facts and rules: its list items, section by section, read by the grammar of `fact_lines`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memory_store.fact_lines import parse_fact, parse_nested_rule, parse_rule, seems_rule
from memory_store.fact_values import Fact, PageFacts, Problem, ProblemKind, Rule, attribute_key
from memory_store.list_items import Bullet, join_lines, split_bullet
from memory_store.page import Page, parse

PAST = "past"
RULES = "rules"
LARGE_BYTES = 64 * 1024
# Qualifiers that are opened and never closed, so that they count as a part of the value.
_OPEN = re.compile(
    r"\((?:(?:unsure )?since|from \[\[|by rule\b|was\b|forgotten\b|until|\d{4}-\d\d|verbatim\b)[^()]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: where its text stands (continued lines included), what it says, and the items it stands under."""

    bullet: Bullet
    body: str
    line: int
    end_line: int
    parents: tuple[int, ...]
    section: str


def read_facts(path: str, page: Page) -> PageFacts:
    """
    Facts, past facts, rules and problems of *page*, each in line order. Never fails; what is no fact is left alone.

    Code, comments, quotations, tasks and links are no facts. Under a heading `Past` stand values that ended; one that
    carries its end (`A to B`) is past wherever it stands. A page that cannot be parsed has none.
    """
    title = page.title(PurePosixPath(path).stem)
    if page.problem:
        return PageFacts(path, title)
    facts: list[Fact] = []
    past: list[Fact] = []
    rules: list[Rule] = []
    problems: list[Problem] = []
    at_line: dict[int, Fact] = {}

    def report(line: int, message: str, kind: ProblemKind) -> None:
        problems.append(Problem(path, line, message, kind))

    for item in read_items(page):
        fact = parse_fact(item.body, path, item.line, item.end_line) if item.body.startswith("[") else None
        if fact is not None:
            if fact.state == "known" and fact.value is None:
                report(item.line, f"[{fact.attribute}] stands without a value", "half-deleted")
                continue
            if fact.value and len(fact.value) * 4 > LARGE_BYTES and (size := len(fact.value.encode())) > LARGE_BYTES:
                report(item.line, f"[{fact.attribute}] has a value of {size // 1000} kB", "large-value")
            if fact.value and "(" in fact.value and _OPEN.search(item.body):
                report(item.line, f"a bracket is never closed: {_short(item.body)}", "half-deleted")
            ended = item.section == PAST or fact.until is not None
            if ended and item.section != PAST:
                report(item.line, f"[{fact.attribute}] ended {fact.until} but stands outside Past", "half-deleted")
            at_line[item.line] = fact
            (past if ended else facts).append(fact)
            continue
        rule = _rule(item, at_line)
        if rule is not None:
            rules.append(replace(rule, path=path, line=item.line, end_line=item.end_line))
        elif seems_rule(item.body):
            report(item.line, f"not understood as a rule: {_short(item.body)}", "malformed-rule")
        elif item.section == RULES and "[" in item.body:
            report(item.line, f"stands among the rules but is none: {_short(item.body)}", "malformed-rule")
        elif _half_attribute(item.body):
            report(item.line, f"a bracket is missing: {_short(item.body)}", "half-deleted")
    if (opened := _hides_facts(page)) is not None:
        report(opened, "what begins here is never closed, so that the facts below it are not read", "half-deleted")
    return PageFacts(path, title, tuple(facts), tuple(past), tuple(rules), tuple(problems))


def _hides_facts(page: Page) -> int | None:
    """The line where code or a comment begins that goes on to the end of the page, with facts or rules in it."""
    last = len(page.lines)
    if last not in page.inert:
        return None
    first = last
    while first - 1 in page.inert:
        first -= 1
    opening, ending = page.lines[first - 1].strip(), page.lines[last - 1].strip()
    mark = next((mark for mark in ("<!--", "%%") if opening.startswith(mark)), None)
    if mark == "<!--":
        closed = any("-->" in line for line in page.lines[first - 1 :])
    elif mark == "%%":
        closed = any("%%" in line for line in page.lines[first:]) or "%%" in opening[2:]
    else:
        closed = last > first and len(set(ending)) == 1 and ending[0] in "`~" and len(ending) >= 3
    if closed:
        return None
    bodies = (split[1] for line in page.lines[first:] if (split := split_bullet(line)))
    hidden = any(parse_fact(body, "", 0, 0) if body.startswith("[") else parse_rule(body) for body in bodies)
    return first if hidden else None


def read_items(page: Page) -> Iterator[Item]:
    """Every list item of the body, outside code and comments, in line order."""
    sections = _sections(page)
    section = ""
    open_items: list[tuple[int, int]] = []  # column and line of the items that a deeper one would stand under
    after_blank = True
    number = page.body_start
    last = len(page.lines)
    while number <= last:
        line = page.lines[number - 1]
        if number in sections:
            section, open_items = sections[number], []
        text = line.strip()
        if not text or number in page.inert:
            after_blank = not text or after_blank
            number += 1
            continue
        split = split_bullet(line)
        column = _column(line)
        if split is None:
            if after_blank and column == 0:
                open_items = []
            after_blank = False
            number += 1
            continue
        while open_items and open_items[-1][0] >= column:
            open_items.pop()
        after_blank = False
        if not open_items and column >= 4:  # indented code
            number += 1
            continue
        bullet, body = split
        end = number
        if body.endswith("\\"):
            body, end = _whole_body(page, number, column, body)
        yield Item(bullet, body, number, end, tuple(parent for _, parent in open_items), section)
        open_items.append((column, number))
        number = end + 1


def block_end(page: Page, item_line: int, end_line: int) -> int:
    """The last line that belongs to the list item at *item_line*: deeper lines that follow without a gap."""
    column = _column(page.lines[item_line - 1])
    end = end_line
    for number in range(end_line + 1, len(page.lines) + 1):
        line = page.lines[number - 1]
        if not line.strip() or _column(line) <= column:
            break
        end = number
    return end


def section_lines(page: Page, name: str) -> tuple[int, int] | None:
    """The heading line and the last line of the first section called *name* (case aside); None where there is none."""
    for index, heading in enumerate(page.headings):
        if attribute_key(heading.text) != name:
            continue
        following = (later.line for later in page.headings[index + 1 :] if later.level <= heading.level)
        return heading.line, next(following, len(page.lines) + 1) - 1
    return None


def new_page(title: str) -> Page:
    """An empty page of facts: frontmatter with the title, and a heading."""
    name = " ".join(title.split()) or "Facts"
    return parse(f"---\ntitle: Facts\n---\n# {name}\n".encode()).set_key("title", name)


def _rule(item: Item, at_line: dict[int, Fact]) -> Rule | None:
    rule = parse_rule(item.body)
    if rule is None and item.parents and (parent := at_line.get(item.parents[-1])) and parent.until is None:
        rule = parse_nested_rule(item.body, parent.attribute)
    return rule


def _whole_body(page: Page, number: int, column: int, body: str) -> tuple[str, int]:
    """What the item at line *number* says over all its lines, and the last of these."""
    parts = [body]
    while parts[-1].endswith("\\") and number < len(page.lines):
        line = page.lines[number]
        if not line.strip() or number + 1 in page.inert or _column(line) <= column or split_bullet(line):
            break
        parts.append(line)
        number += 1
    return join_lines(parts), number


def _sections(page: Page) -> dict[int, str]:
    """The section that begins at each heading's line: `past`, `rules`, or none; deeper headings stay within."""
    found: dict[int, str] = {}
    name, level = "", 0
    for heading in page.headings:
        key = attribute_key(heading.text)
        if key in (PAST, RULES):
            name, level = key, heading.level
        elif heading.level <= level:
            name, level = "", 0
        found[heading.line] = name
    return found


def _column(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def _half_attribute(body: str) -> bool:
    return body.startswith("[") and "]" not in body and len(body) > 2 and body[1:3].strip().isalpha()


def _short(body: str) -> str:
    line = body.partition("\n")[0]
    return line if len(line) <= 80 else f"{line[:77]}…"
