"""The running daemon's parts, as the HTTP handlers and jobs see them."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from daemon import wire
from daemon.config import Config
from daemon.events import Events
from daemon.metrics import Metrics
from daemon.paths import Paths
from daemon.trust import Trust, most_capable
from models.catalog import Catalog
from models.supervisor import Supervisor

if TYPE_CHECKING:
    import psutil

    from daemon.assistant import Assistant
    from daemon.http.mcp import McpPoint
    from daemon.memory import Memory
    from daemon.night.job import Dreaming
    from daemon.night.night import Night
    from daemon.night.teaching import Teaching
    from daemon.scheduler import Scheduler

State = Literal["starting", "ok", "draining"]


@dataclass
class Parts:
    """
    Everything assembled. *config* is replaced by a reload; parts keep what cannot change live.

    *started* and *last_chat* are readings of the monotonic clock; None: nobody has chatted yet.
    """

    paths: Paths
    config: Config
    events: Events
    metrics: Metrics
    catalog: Catalog
    supervisor: Supervisor
    memory: "Memory"
    trust: Trust
    assistant: "Assistant"
    scheduler: "Scheduler"
    night: "Night"
    dreaming: "Dreaming"
    teaching: "Teaching"
    mcp: "McpPoint"
    process: "psutil.Process"
    address: str | None = None
    token: str | None = None
    state: State = "starting"
    started: float = field(default_factory=time.monotonic)
    last_chat: float | None = None

    def chat_model(self) -> str | None:
        """The chat model used where a caller names none: the configured one, else the most capable one here."""
        if self.config.models.chat:
            return self.config.models.chat
        chosen = most_capable(self.catalog.installed(), self.trust.of)
        return chosen.name if chosen else None

    def problems(self) -> list[str]:
        """What the daemon serves without, each with the next step."""
        found = [*self.memory.problems(), *self.memory.left_behind()]
        installed = {model.name: model for model in self.catalog.installed()}
        chat, embed = self.chat_model(), self.config.models.embed
        if chat is None:
            found.append("no chat model is installed: reverie models pull smollm2-135m-instruct")
        elif chat not in installed:
            found.append(f"the chat model {chat} is not installed: reverie models pull {chat}")
        if embed and embed not in installed:
            found.append(f"the embedding model {embed} is not installed: reverie models pull {embed}")
        found += [f"{model.name}: {warning}" for model in installed.values() for warning in model.warnings]
        return found

    def health(self) -> wire.Health:
        """What `/health` says."""
        from daemon import VERSION

        return wire.Health(status=self.state, version=VERSION, problems=self.problems())


Handler: TypeAlias = Callable[[Parts, Request], Awaitable[Response]]
