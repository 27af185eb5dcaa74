"""What one night may use of time and of a model's tokens, and what it has used."""

import contextlib
import time
from collections.abc import Callable, Iterator
from datetime import datetime

from daemon.config import Night as Settings
from daemon.night import triggers
from daemon.night.state import NightState
from daemon.night.triggers import Allowance, Ledgered

KEPT = "kept"


class Budget:
    """Kept in *state*, with what is remembered of the last dream. *clock* counts seconds."""

    def __init__(
        self,
        state: NightState,
        settings: Callable[[], Settings],
        *,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._state = state
        self._settings = settings
        self._now = now
        self.clock = clock
        self._granted = triggers.NOTHING

    def kept(self) -> Ledgered:
        """What is remembered between dreams; a last one in the future was now, as the clock was set back."""
        kept = self._state.read(KEPT, Ledgered) or Ledgered()
        last = triggers.not_after(kept.last, self._now())
        if last != kept.last:
            kept.last = last
            self._state.write(KEPT, kept)
        return kept

    def spent(self) -> Ledgered:
        """What is remembered between dreams, as of this night."""
        kept = self.kept()
        triggers.spend(kept, self._now())
        return kept

    def spend(self, seconds: float, tokens: int = 0) -> Ledgered:
        """Count *seconds* and *tokens* against this night."""
        kept = self.kept()
        triggers.spend(kept, self._now(), seconds=seconds, tokens=tokens)
        self._state.write(KEPT, kept)
        return kept

    def dreamt(self, pages: int, *, kept_some: bool) -> int:
        """Count a dream that was made to its end over so many *pages*; how many in a row kept nothing."""
        kept = self.kept()
        kept.last, kept.pages = self._now().isoformat(timespec="seconds"), pages
        kept.empty = 0 if kept_some else kept.empty + 1
        self._state.write(KEPT, kept)
        return kept.empty

    def waits_for(self) -> str | None:
        """What the night's budget says against more work."""
        return triggers.exhausted(self.kept(), self._settings(), self._now(), self._granted)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """What runs within was asked for by the owner: it has a whole night's budget, whatever was spent before."""
        spent = self.spent()
        self._granted = triggers.Granted(spent.spent_s, spent.spent_tokens)
        try:
            yield
        finally:
            self._granted = triggers.NOTHING

    def left(self, began: float, pause: Callable[[], str | None]) -> Allowance:
        """What a run that *began* at that count of the clock may still use."""
        kept, settings = self.spent(), self._settings()
        seconds = settings.budget_s - kept.spent_s + self._granted.seconds
        tokens = settings.budget_tokens - kept.spent_tokens + self._granted.tokens
        return Allowance(lambda: seconds - (self.clock() - began), tokens, pause)
