"""The store's values as the wire shows them."""

from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from daemon import wire
from memory_store.doctor import unified
from memory_store.facts import Fact
from memory_store.forget import Forgotten
from memory_store.index.hits import Hit
from memory_store.values import PageInfo
from memory_store.writer import Proposal

T = TypeVar("T")


def like(value: object, shape: type[T]) -> T:
    """*value* as a *shape*: each field from the attribute of the same name, lists from any sequence."""
    return msgspec.convert(value, shape, from_attributes=True)


def hit(found: Hit) -> wire.Hit:
    """A hit, with the evidence behind it where that was asked for."""
    return wire.Hit(
        path=found.path,
        start_line=found.start_line,
        end_line=found.end_line,
        title=found.title,
        heading=found.heading,
        snippet=found.snippet,
        score=found.score,
        text=found.text,
        parts=[like(part, wire.Part) for part in found.parts],
    )


def fact_line(fact: Fact) -> wire.FactLine:
    """A fact, with the place of its line."""
    return wire.FactLine(
        attribute=fact.attribute,
        value=fact.value,
        path=fact.path,
        line=fact.line,
        since=fact.since,
        until=fact.until,
        reason=fact.cause,
        source=fact.source,
        unsure=fact.state == "unsure",
        forgotten=fact.state == "forgotten",
        was=fact.was,
        tags=list(fact.tags),
    )


def parked(proposal: Proposal) -> wire.ParkedChange:
    """A parked change, with what it would do to the page."""
    return wire.ParkedChange(
        id=proposal.id,
        when=proposal.when,
        path=proposal.path,
        message=proposal.message.partition("\n")[0],
        diff=unified(proposal),
    )


def page_info(page: PageInfo) -> wire.PageInfo:
    """A page in a listing; its time in this machine's zone."""
    modified = datetime.fromtimestamp(page.modified_ns / 1e9, UTC).astimezone()
    return wire.PageInfo(
        path=page.path,
        title=page.title,
        size_bytes=page.size,
        modified=modified.isoformat(timespec="seconds"),
        chunks=page.chunks,
        tags=list(page.tags),
    )


def forgotten(found: Forgotten) -> wire.Forgotten:
    """What went or would go."""
    return wire.Forgotten(
        done=found.done,
        matches=[fact_line(fact) for fact in found.matches],
        changes=[like(change, wire.FactChanged) for change in found.changes],
        places=[*found.places, *(f"{place} (kept)" for place in found.left)],
    )
