"""Facts and replies of memory as a person, or a program that reads text, sees them: one line a thing. No colours."""

from collections.abc import Iterator

from daemon import wire

LONGEST = 400  # characters of a value in one line


def fact(told: wire.FactLine) -> str:
    """A fact with its value and the time for which it holds: `[name] value (since …)`."""
    if told.forgotten:
        value = "(forgotten)"
    elif told.unsure:
        value = "?" + (f" (was {line(told.was)})" if told.was else "")
    else:
        value = line(told.value or "")
    if told.until:
        span = f"{told.since} to {told.until}" if told.since else f"until {told.until}"
    else:
        span = f"since {told.since}" if told.since else ""
    return f"[{told.attribute}] {value}" + (f" ({span})" if span else "")


def fact_place(told: wire.FactLine) -> str:
    """`path:line`."""
    return f"{told.path}:{told.line}"


def place(source: wire.Source | wire.Hit) -> str:
    """`path:line`, or `path:first-last`: what an editor and a person can follow."""
    lines = str(source.start_line)
    if source.end_line > source.start_line:
        lines += f"-{source.end_line}"
    return f"{source.path}:{lines}"


def change(made: wire.FactChanged) -> str:
    """`[name] before -> after  path:line  reason`."""
    before = made.before if made.before is not None else "(nothing)"
    after = made.after if made.after is not None else "(forgotten)" if made.forgotten else "?"
    why = f"  {made.reason}" if made.reason else ""
    where = f"{made.path}:{made.line}" if made.line else made.path  # what is only supposed may stand nowhere yet
    return f"[{made.attribute}] {line(before)} -> {line(after)}  {where}{why}"


def line(text: str) -> str:
    """*text* in one line, cut where it is very long."""
    words = " ".join(text.split())
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def recalled(found: wire.Recalled) -> Iterator[str]:
    """What is known of a fact, past first, then now, the lines it was told in, and what is odd."""
    for told in (*found.past, *found.facts):
        why = f"  because {told.reason}" if told.reason else ""
        yield f"{fact(told)}  {fact_place(told)}{why}"
    if not found.facts:
        yield f"[{found.attribute}] had no value on {found.at}" if found.at else f"[{found.attribute}] has no value now"
    for source in found.sources:
        yield f"told: {line(source.text)}  {place(source)}"
    if found.conflict:
        yield f"conflict: {found.conflict}"


def reasons(found: wire.Why) -> Iterator[str]:
    """The chain of causes, each indented under what it explains."""
    for cause in found.causes:
        indent = "  " * cause.depth
        yield f"{indent}{fact(cause.fact)}  {fact_place(cause.fact)}"
        if cause.rule is not None:
            yield f"{indent}  by rule: {cause.rule.text}  {place(cause.rule)}"
        elif cause.said:
            yield f"{indent}  because: {cause.said}"
        for source in cause.sources:
            yield f"{indent}  told: {line(source.text)}  {place(source)}"
        if cause.rule is None and not cause.said and not cause.sources:
            yield f"{indent}  {f'told in {cause.fact.source}' if cause.fact.source else 'written by hand'}"
    if not found.causes:
        yield f"[{found.attribute}] has no value any more"
