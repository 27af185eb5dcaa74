"""When a dream is due, and how much of the night is left for it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import fmean

import msgspec

from daemon.config import Night as Settings

FEW_SEARCHES = 10


class Ledgered(msgspec.Struct):
    """What is remembered between dreams: the last one's end, the pages it saw, the spending of one night."""

    last: str = ""
    pages: int = 0
    night: str = ""
    spent_s: float = 0.0
    spent_tokens: int = 0
    empty: int = 0


@dataclass(frozen=True)
class Granted:
    """What was spent of a night before its owner asked for a run at once: it does not count against that run."""

    seconds: float = 0.0
    tokens: int = 0


NOTHING = Granted()


@dataclass(frozen=True)
class Allowance:
    """What a run may still use of the night: *seconds*, counted down, and a model's *tokens*; *pause* ends it."""

    seconds: Callable[[], float] = lambda: float("inf")
    tokens: float = float("inf")
    pause: Callable[[], str | None] = lambda: None

    def __call__(self) -> bool:
        """Whether to go on."""
        return not self.over()

    def over(self) -> str:
        """Why the run must end, in a few words; empty while it may go on."""
        return self.exhausted(0) or self.pause() or ""

    def exhausted(self, spent_tokens: int) -> str:
        """What is used up, in a few words; empty while something is left."""
        if self.seconds() <= 0:
            return "the night's minutes are used up"
        return "the night's tokens are used up" if spent_tokens >= self.tokens else ""


def why_due(kept: Ledgered, *, pages: int, confidence: list[float], settings: Settings, now: datetime) -> str | None:
    """
    Why a dream should run now, in a few words; None where nothing calls for one.

    A last run that lies in the future counts as now: who keeps it sets it back by `not_after`, so that time goes on.
    """
    added = pages - kept.pages
    if pages and not kept.last:
        return "The first dream"
    if added > settings.dream_pages:
        return f"{added} pages were added"
    recent = confidence[-FEW_SEARCHES:]
    if (
        len(recent) == FEW_SEARCHES
        and fmean(recent) < settings.dream_confidence
        and since(kept.last, now) > timedelta(hours=1)
    ):
        return f"searches are unsure ({fmean(recent):.2f})"
    if pages and since(kept.last, now) >= timedelta(seconds=settings.dream_every_s):
        return "The usual time has come"
    return None


def since(when: str, now: datetime) -> timedelta:
    """How long ago *when* (ISO 8601) was: nothing where it lies in the future, for ever where it cannot be read."""
    try:
        last = datetime.fromisoformat(when)
    except ValueError:
        return timedelta.max
    if last.tzinfo is None:
        return timedelta.max
    return max(timedelta(0), now - last)


def moment(when: str) -> datetime:
    """*when* (ISO 8601) as a moment, whatever its offset; one without an offset is local, what is none is long ago."""
    try:
        return datetime.fromisoformat(when).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.min.replace(tzinfo=UTC)


def not_after(when: str, now: datetime) -> str:
    """*when*, or *now* where it lies in the future: the clock was set back, and nothing is to wait until it is then."""
    return now.isoformat(timespec="seconds") if moment(when) > now else when


def night_of(now: datetime) -> str:
    """The night that *now* belongs to: named by the day on whose noon it began, so that midnight does not split it."""
    return (now - timedelta(hours=12)).date().isoformat()


def spend(kept: Ledgered, now: datetime, *, seconds: float = 0.0, tokens: int = 0) -> None:
    """Add to what this night has used; a new night begins at nothing."""
    night = night_of(now)
    if kept.night != night:
        kept.night, kept.spent_s, kept.spent_tokens = night, 0.0, 0
    kept.spent_s += max(0.0, seconds)
    kept.spent_tokens += max(0, tokens)


def exhausted(kept: Ledgered, settings: Settings, now: datetime, granted: Granted = NOTHING) -> str | None:
    """Why nothing more may be spent this night; None where something is left."""
    if kept.night != night_of(now):
        return None
    if kept.spent_s - granted.seconds >= settings.budget_s:
        return f"the night's {settings.budget_s / 60:.0f} minutes are used up"
    if kept.spent_tokens - granted.tokens >= settings.budget_tokens:
        return f"the night's {settings.budget_tokens} tokens are used up"
    return None
