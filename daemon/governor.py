"""Whether now is a good time for work that nobody waits for."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from daemon.config import Night, quiet_spans
from models.supervisor import Supervisor


@dataclass(frozen=True)
class Moment:
    """What the governor looks at. *on_battery* None: the machine has none. *chat_ago_s* None: no chat yet.

    *minute* is that of the day, in the owner's zone.
    """

    on_battery: bool | None
    load_per_core: float
    busy_chats: int
    chat_ago_s: float | None
    minute: int = 0


def holds_back(moment: Moment, settings: Night) -> str | None:
    """Why background work should wait, in a few words; None when it may run."""
    if moment.busy_chats:
        return "a chat is running"
    if moment.chat_ago_s is not None and moment.chat_ago_s < settings.chat_quiet_s:
        return f"a chat {moment.chat_ago_s:.0f} s ago"
    if moment.on_battery and not settings.on_battery:
        return "on battery"
    if moment.load_per_core > settings.max_load:
        return f"the machine is busy (load {moment.load_per_core:.2f} a core)"
    if within(moment.minute, settings.quiet_hours):
        return f"quiet hours ({settings.quiet_hours})"
    return None


def within(minute: int, hours: str) -> bool:
    """Whether the *minute* of a day lies in *hours*, as `quiet_spans` reads them; the end does not count."""
    for begin, stop in quiet_spans(hours):
        if begin <= minute < stop or (stop <= begin and (minute >= begin or minute < stop)):
            return True
    return False


class Governor:
    """Looks at this machine at the moment of asking; wakes no model. *now* tells the time in the owner's zone."""

    def __init__(
        self,
        settings: Callable[[], Night],
        supervisor: Supervisor,
        last_chat: Callable[[], float | None],
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._settings = settings
        self._supervisor = supervisor
        self._last_chat = last_chat
        self._now = now

    def waits_for(self) -> str | None:
        """Why background work should wait; None when it may run."""
        return holds_back(self.moment(), self._settings())

    def moment(self) -> Moment:
        """This machine now."""
        import psutil

        battery = psutil.sensors_battery() if hasattr(psutil, "sensors_battery") else None
        last = self._last_chat()
        return Moment(
            on_battery=None if battery is None else battery.power_plugged is False,
            load_per_core=os.getloadavg()[0] / (os.cpu_count() or 1),
            busy_chats=sum(worker.active for worker in self._supervisor.status() if worker.kind == "chat"),
            chat_ago_s=None if last is None else time.monotonic() - last,
            minute=(now := self._now()).hour * 60 + now.minute,
        )
