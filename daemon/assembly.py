"""The one place where the daemon's parts are made and handed to each other."""

import asyncio
import os
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Literal

import psutil

from daemon.assistant import Assistant
from daemon.config import Config, Models
from daemon.embedding import Embedders
from daemon.errors import ConfigInvalid
from daemon.events import Events
from daemon.feedback import Feedback
from daemon.governor import Governor
from daemon.http.mcp import McpPoint
from daemon.memory import Memory
from daemon.metrics import Metrics
from daemon.night.job import Dreaming
from daemon.night.mind import Mind
from daemon.night.night import Night
from daemon.night.state import NightState
from daemon.night.teaching import Teaching
from daemon.parts import Parts
from daemon.paths import Paths
from daemon.scheduler import Job, Scheduler
from daemon.telling import Telling
from daemon.trust import Trust
from daemon.unread import Unread
from daemon.upkeep import tidy
from models.catalog import Catalog
from models.names import normalise
from models.remote import Remote, Remotes
from models.requests import ModelSettings, WorkerEvent
from models.supervisor import Supervisor

PREFIXES_S = 60.0
DAY_S = 86_400.0
LOOK_FOR_DREAMS_S = 600.0
LOOK_TO_COMPACT_S = 3600.0
SETTLED_S = 300.0


async def assemble(config: Config, paths: Paths, stack: AsyncExitStack) -> Parts:
    """
    All parts, models ready to load on demand; memory is not open yet and no job runs.

    On leaving *stack* they end in reverse.
    """
    events, metrics = Events(), Metrics()
    remotes = Remotes(lambda: remote_models(parts.config), lambda: parts.config.models.offline)
    catalog = Catalog(config.models_path(paths), remotes)

    def on_worker(event: WorkerEvent) -> None:
        if event.kind == "died":
            metrics.worker_deaths.add(model=event.model)
        events.publish(f"model_{event.kind}", event.message, event.severity, model=event.model, **event.data)

    supervisor = Supervisor(catalog, model_settings(config, paths), on_worker, remotes)
    memory = Memory(
        config.vault_path(paths),
        paths.state_dir,
        owned=config.owns_vault(paths),
        settings=lambda: parts.config,
        events=events,
        metrics=metrics,
        embedders=Embedders(catalog, supervisor, paths.state_dir / "embedders.json", metrics),
    )
    trust = Trust(catalog, supervisor, paths.state_dir / "trust.json")

    def busy() -> bool:
        return any(worker.active for worker in supervisor.status() if worker.kind == "chat")

    async def check_chat_model() -> str | None:
        if time.monotonic() - parts.started < SETTLED_S:
            return None  # whoever just started it is about to use it
        return await trust.check_unchecked(parts.chat_model())

    governor = Governor(lambda: parts.config.night, supervisor, lambda: parts.last_chat)
    loop = asyncio.get_running_loop()
    mind = Mind(supervisor, trust, lambda: parts.chat_model(), lambda: loop)
    night = Night(
        memory.store,
        NightState(paths.state_dir / "night"),
        lambda: parts.config.night,
        now=lambda: datetime.now().astimezone(),
        mind=mind,
        publish=events.publish,
    )
    memory.night = night

    def answers() -> bool:
        return supervisor.answers() and not night.is_hushed

    dreaming = Dreaming(
        night,
        events,
        is_open=lambda: memory.is_open,
        answers=answers,
    )
    teaching = Teaching(
        night,
        memory,
        mind,
        events,
        lambda: parts.config.memory,
        answers=answers,
        now=lambda: datetime.now().astimezone(),
    )
    telling = Telling(memory, supervisor, trust, Unread(paths.state_dir / "unread"), lambda: parts.chat_model())

    def drop_prefixes(values: Sequence[str]) -> None:
        asyncio.run_coroutine_threadsafe(supervisor.drop_prefixes(values), loop).result(PREFIXES_S)

    memory.also_forget += [telling.forget, drop_prefixes]
    jobs = [
        Job("rescan", memory.rescan, config.vault.rescan_s, background=False),
        Job("commit", memory.commit_owner, None, background=False),
        Job("upkeep", lambda: asyncio.to_thread(tidy, catalog.dir, paths.log, config.log.keep), DAY_S),
        Job("compact", memory.compact, LOOK_TO_COMPACT_S),
        Job("dream", dreaming.run, LOOK_FOR_DREAMS_S),
        Job("decay", dreaming.decay, LOOK_FOR_DREAMS_S),
        Job("reflect", teaching.reflect, LOOK_FOR_DREAMS_S),
        Job("rules", teaching.evolve, LOOK_FOR_DREAMS_S),
        Job("ranking", dreaming.learn_ranking, LOOK_FOR_DREAMS_S),
        Job("check", check_chat_model, LOOK_FOR_DREAMS_S),
        Job("unread", telling.read_again, DAY_S),
        Job("embed", lambda: memory.embed_backlog(busy), None, background=False),
    ]
    scheduler = Scheduler(
        jobs, paths.state_dir / "jobs.json", events=events, metrics=metrics, waits_for=governor.waits_for
    )
    memory.soon = telling.soon = scheduler.soon

    assistant = Assistant(
        memory,
        supervisor,
        trust,
        settings=lambda: parts.config.memory,
        default_model=lambda: parts.chat_model(),
        feedback=Feedback(night.state, night.uses),
        telling=telling,
    )
    parts = Parts(
        paths=paths,
        config=config,
        events=events,
        metrics=metrics,
        catalog=catalog,
        supervisor=supervisor,
        memory=memory,
        trust=trust,
        assistant=assistant,
        scheduler=scheduler,
        night=night,
        dreaming=dreaming,
        teaching=teaching,
        mcp=McpPoint(),
        process=psutil.Process(),
    )
    parts.process.cpu_percent(None)  # the first reading only sets the mark that the next one measures from
    await supervisor.start(stack)
    stack.push_async_callback(parts.mcp.close)
    return parts


def model_settings(config: Config, paths: Paths) -> ModelSettings:
    """The `[models]` section as the supervisor takes it."""
    return ModelSettings(
        keep_alive_s=config.models.keep_alive,
        threads=config.models.threads,
        context_tokens=config.models.context_tokens,
        slots=config.models.slots,
        gpu=_gpu(config.models, config.sources["models.gpu"]),
        memory_budget_bytes=config.models.memory_budget,
        prefix_dir=str(paths.state_dir / "prefixes"),
    )


def remote_models(config: Config) -> list[Remote]:
    """The models on other machines, with their keys, which stay out of the configuration."""
    return [
        Remote(
            name=normalise(each.name),
            base_url=each.base_url,
            model=each.model,
            kind="embed" if each.kind == "embed" else "chat",
            api_key=os.environ.get(each.api_key_env, "") if each.api_key_env else "",
        )
        for each in config.models.remote
    ]


def _gpu(models: Models, place: str) -> Literal["auto", "off"] | int:
    match models.gpu:
        case "auto":
            return "auto"
        case "off":
            return "off"
        case layers if layers.isdecimal():
            return int(layers)
    raise ConfigInvalid(place, "models.gpu", f"models.gpu is {models.gpu!r}, expected auto, off or a number of layers")
