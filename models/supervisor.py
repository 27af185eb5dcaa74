"""Workers from the daemon's side: one process a model, started when needed, restarted when dead, unloaded when idle."""

import asyncio
import logging
import os
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
import psutil

from models.errors import MemoryBudgetExceeded, ModelFileCorrupt, ShuttingDown, WorkerDied, WrongModelKind
from models.gguf import read_header
from models.ipc import Count, Drop, Embed, Embedded, Generate, Number
from models.prefixes import drop_all
from models.process import WorkerProcess
from models.remote import Remotes
from models.requests import (
    ChatMessage,
    Delta,
    Generation,
    ModelSettings,
    Priority,
    Tool,
    WorkerEvent,
    WorkerSpec,
    WorkerState,
)

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)

SLOTS = 4
CONTEXT_TOKENS = 4096
STARTING_BYTES = 200 << 20  # an interpreter with its libraries, and working memory
FAKE_BYTES = 50 << 20


class Models(Protocol):
    """What the supervisor needs of the catalog."""

    def worker_spec(self, name: str) -> WorkerSpec:
        """
        How to load the installed model *name*: model, kind, backend, path, digest and overrides; the rest is ours.

        Raises:
            ModelUnknown: no such name.
            ModelMissing: known, not installed.
        """
        ...


class Supervisor:
    """Loads, serves and unloads models, each in a worker process of its own."""

    def __init__(
        self,
        models: Models,
        settings: ModelSettings,
        on_event: Callable[[WorkerEvent], None] | None = None,
        remotes: Remotes | None = None,
    ) -> None:
        self._remotes = remotes or Remotes()
        self._models = models
        self._settings = settings
        self._on_event = on_event
        self._workers: dict[str, WorkerProcess] = {}
        self._loads: dict[str, asyncio.Task[WorkerProcess]] = {}
        self._canonical: dict[str, str] = {}
        self._restarts: dict[str, int] = {}
        self._failures: dict[str, str] = {}
        self._room = asyncio.Lock()
        self._closing = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, stack: AsyncExitStack) -> None:
        """Ready to load on demand; on leaving *stack* every worker has ended."""
        self._closing = False
        stack.push_async_callback(self._stop)

    async def _stop(self) -> None:
        self._closing = True
        for load in list(self._loads.values()):
            load.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await load
        await asyncio.gather(*(worker.stop() for worker in list(self._workers.values())))
        for task in list(self._tasks):
            task.cancel()

    # -- requests ---

    async def generate(self, model: str, generation: Generation) -> AsyncGenerator[Delta]:
        """
        Stream the answer of *model*, loading it first when needed. Closing the iterator cancels within one step.

        Raises (at the first step, or later when the worker dies):
            PromptTooLong, GrammarInvalid, RequestInvalid, TemplateFailed, QueueFull, WorkerDied, ModelLoadFailed,
            MemoryBudgetExceeded, RemoteFailed, RemoteOffline, and what the catalog raises.
        """
        if remote := self._remotes.get(model):
            async with aclosing(remote.generate(generation)) as deltas:
                async for piece in deltas:
                    yield piece
            return
        begun = time.monotonic()
        worker = await self._ready(model, generation.context_tokens)
        waited_ms = (time.monotonic() - begun) * 1e3
        request_id, mailbox = worker.open()
        self._hold(worker, generation.keep_alive_s)
        left = generation.n
        try:
            worker.send(Generate(id=request_id, generation=generation))
            while left:
                delta = await mailbox.get()
                assert isinstance(delta, Delta)
                if delta.finish_reason is not None:
                    left -= 1
                    if delta.timings is not None and waited_ms > 1.0:
                        timings = msgspec.structs.replace(delta.timings, load_ms=waited_ms)
                        delta = msgspec.structs.replace(delta, timings=timings)
                yield delta
        finally:
            worker.close(request_id, cancel=left > 0)
            self._settle(worker)

    async def embed(
        self, model: str, texts: Sequence[str], priority: Priority = "interactive", *, whole: bool = False
    ) -> "np.ndarray":
        """
        Unit rows, float32 (n, dim); row i is texts[i]. A text too long for the model is represented by its beginning.

        Raises:
            TextTooLong: with *whole*, one is too long.
        """
        import numpy as np

        if texts and (remote := self._remotes.get(model)):
            return await remote.embed(texts)
        worker = await self._ready(model)
        if not texts:
            return np.zeros((0, worker.loaded.dim), dtype=np.float32)
        answer = await self._ask(worker, lambda i: Embed(id=i, texts=tuple(texts), priority=priority, whole=whole))
        assert isinstance(answer, Embedded)
        return np.frombuffer(answer.data, dtype=np.float32).reshape(-1, answer.dim)

    async def rerank(self, model: str, query: str, texts: Sequence[str]) -> "np.ndarray":
        """How well each text answers *query* by a cross-encoder: float32 (n,), higher is better."""
        import numpy as np

        worker = await self._ready(model)
        answer = await self._ask(worker, lambda i: Embed(id=i, texts=tuple(texts), query=query))
        assert isinstance(answer, Embedded)
        return np.frombuffer(answer.data, dtype=np.float32)

    async def count_tokens(self, model: str, messages: Sequence[ChatMessage] | str, tools: Sequence[Tool] = ()) -> int:
        """
        Tokens of *messages* as the model's template renders them, or of a plain text.

        Raises:
            WrongModelKind: the model does not tell.
        """
        if self._remotes.get(model):
            raise WrongModelKind(model, "use on another machine", "counting tokens")
        worker = await self._ready(model)
        text, turns = (messages, ()) if isinstance(messages, str) else ("", tuple(messages))
        answer = await self._ask(worker, lambda i: Count(id=i, messages=turns, text=text, tools=tuple(tools)))
        assert isinstance(answer, Number)
        return answer.value

    async def _ask(
        self, worker: WorkerProcess, message: Callable[[int], Embed | Count | Drop]
    ) -> Delta | Embedded | Number:
        """Send one message and wait for its one answer."""
        request_id, mailbox = worker.open()
        self._hold(worker, None)
        answered = False
        try:
            worker.send(message(request_id))
            answer = await mailbox.get()
            answered = True
            return answer
        finally:
            worker.close(request_id, cancel=not answered)
            self._settle(worker)

    # -- loading and unloading ---

    async def load(self, model: str, keep_alive_s: float | None = None) -> WorkerState:
        """Load *model* now (a no-op when loaded) and restart its idle timer."""
        worker = await self._ready(model)
        self._hold(worker, keep_alive_s)
        self._settle(worker)
        return self._state(worker)

    def is_loaded(self, model: str) -> bool:
        """Whether a request to *model* would be served without loading it."""
        worker = self._workers.get(self._canonical.get(model, model))
        return worker is not None and worker.ready and not worker.stopping

    async def unload(self, model: str) -> bool:
        """End the worker of *model*; requests in it fail with WorkerDied. False when it was not loaded."""
        worker = self._workers.get(self._canonical.get(model, model))
        if worker is None:
            return False
        await self._end(worker, "asked to")
        return True

    async def drop_prefixes(self, texts: Sequence[str]) -> int:
        """
        Forget every kept prompt state that contains one of *texts*; how many went.

        Workers search theirs. States of models that are not loaded cannot be read here: all of those go.
        """
        wanted = tuple(text for text in texts if text.strip())
        if not wanted:
            return 0
        chats = [worker for worker in self._workers.values() if worker.ready and worker.spec.kind == "chat"]
        count = 0
        if self._settings.prefix_dir is not None:
            folder, digests = Path(self._settings.prefix_dir), [worker.spec.digest for worker in chats]
            count += await asyncio.to_thread(drop_all, folder, but=digests)
        for worker in chats:
            with suppress(WorkerDied):
                answer = await self._ask(worker, lambda i: Drop(id=i, texts=wanted))
                count += answer.value if isinstance(answer, Number) else 0
        return count

    async def _ready(self, model: str, context_tokens: int | None = None) -> WorkerProcess:
        """The loaded worker of *model*; waiters for one load share it."""
        if self._closing:
            raise ShuttingDown
        name = self._canonical.get(model, model)
        worker = self._workers.get(name)
        if worker is not None and worker.ready and not worker.stopping:
            if context_tokens is None or not self._would_grow(worker, context_tokens):
                return worker
            await worker.idle.wait()
            await self._end(worker, f"reloading for a context of {context_tokens} tokens")
        load = self._loads.get(name)
        if load is None:
            load = self._loads[name] = asyncio.create_task(self._load(name, context_tokens), name=f"load {name}")
            load.add_done_callback(lambda done: self._loads.pop(name, None) and done.cancelled())
        worker = await asyncio.shield(load)
        self._canonical[model] = worker.spec.model
        return worker

    @staticmethod
    def _would_grow(worker: WorkerProcess, context_tokens: int) -> bool:
        """Whether a reload would give more context: not beyond what the model was trained for."""
        trained = worker.loaded.trained_tokens or context_tokens
        return min(context_tokens, trained) > worker.loaded.context_tokens

    async def _load(self, name: str, context_tokens: int | None) -> WorkerProcess:
        bare = await asyncio.to_thread(self._models.worker_spec, name)
        spec, needs = await asyncio.to_thread(self._complete, bare, context_tokens)
        running = self._workers.get(spec.model)
        if running is not None:
            if running.ready and not running.stopping:
                return running
            await running.ended.wait()
        async with self._room:
            await self._make_room(spec, needs)
            try:
                return await self._start_worker(spec)
            except WorkerDied as death:
                if spec.gpu_layers == 0 or spec.backend != "llama":
                    raise
                # A driver that is gone after suspend takes the process with it: once more, without it.
                self._tell("gpu_unavailable", spec.model, f"{death}; loading on the CPU alone", "warning")
                return await self._start_worker(msgspec.structs.replace(spec, gpu_layers=0))

    async def _start_worker(self, spec: WorkerSpec) -> WorkerProcess:
        self._tell("loading", spec.model, f"loading {spec.model}")
        worker = WorkerProcess(spec, self._ended)
        worker.keep_alive_s = self._settings.keep_alive_s
        self._workers[spec.model] = worker
        try:
            await worker.start(self._settings.load_timeout_s)
        except BaseException as error:
            self._failures[spec.model] = str(error)
            if worker.ended.is_set() or worker.pid == 0:
                self._forget(worker)
            raise
        self._failures.pop(spec.model, None)
        took = f"{spec.model} loaded in {worker.load_s:.1f} s"
        self._tell("loaded", spec.model, took, data={"load_s": round(worker.load_s, 3), "pid": worker.pid})
        for note in worker.loaded.notes:
            self._tell("gpu_unavailable", spec.model, note, "warning")
        for warning in worker.loaded.warnings:
            self._tell("warned", spec.model, f"{spec.model}: {warning}", "warning")
        self._settle(worker)
        return worker

    def _complete(self, spec: WorkerSpec, context_tokens: int | None) -> tuple[WorkerSpec, int]:
        """*spec* with the owner's settings, and about how many bytes its worker will take."""
        settings = self._settings
        gpu = spec.overrides.gpu_layers
        if settings.gpu == "off":
            gpu = 0
        elif gpu is None and isinstance(settings.gpu, int):
            gpu = settings.gpu
        context = max(spec.overrides.context_tokens or settings.context_tokens, context_tokens or 0)
        slots = settings.slots or SLOTS
        needs = STARTING_BYTES if spec.backend != "fake" else FAKE_BYTES
        path = Path(spec.path)
        if spec.backend == "llama" and path.is_file():
            with suppress(ModelFileCorrupt):  # what is wrong with it, the worker says
                header = read_header(path)
                trained = header.context_tokens or CONTEXT_TOKENS
                context = min(context, trained) if context else min(CONTEXT_TOKENS, trained)
                cache = header.kv_cache_bytes(context)
                if not settings.slots:
                    slots = max(1, min(SLOTS, self._budget() // 4 // max(1, cache)))
                needs += cache * slots + header.size_bytes
        elif spec.backend != "fake":
            needs += _file_bytes(path)
        complete = msgspec.structs.replace(
            spec,
            threads=settings.threads or psutil.cpu_count(logical=False) or os.cpu_count() or 1,
            context_tokens=context,
            slots=slots,
            queue_limit=settings.queue_limit,
            gpu_layers=gpu,
            prefix_dir=settings.prefix_dir,
            prefix_budget_bytes=settings.prefix_budget_bytes,
        )
        return complete, needs

    def _budget(self) -> int:
        return self._settings.memory_budget_bytes or int(psutil.virtual_memory().total * 0.75)

    async def _make_room(self, spec: WorkerSpec, needs: int) -> None:
        """Unload what was used longest ago until *needs* bytes fit the budget."""
        budget = self._budget()
        while True:
            used = sum(_rss(worker.pid) for worker in self._workers.values())
            if used + needs <= budget:
                return
            idle = [worker for worker in self._workers.values() if worker.ready and not worker.requests]
            if not idle:
                raise MemoryBudgetExceeded(spec.model, needs, max(0, budget - used))
            await self._end(min(idle, key=lambda worker: worker.idle_since), f"to make room for {spec.model}")

    async def _end(self, worker: WorkerProcess, why: str) -> None:
        if worker.idle_timer is not None:
            worker.idle_timer.cancel()
        await worker.stop()
        self._tell("unloaded", worker.spec.model, f"{worker.spec.model} unloaded: {why}")

    def _ended(self, worker: WorkerProcess) -> None:
        """The process is gone, whatever the reason."""
        self._forget(worker)
        if not worker.stopping and worker.load_s:
            self._restarts[worker.spec.model] = self._restarts.get(worker.spec.model, 0) + 1
            death = WorkerDied(worker.spec.model, worker.exit_code)
            self._tell("died", worker.spec.model, str(death), "error", data={"exit_code": worker.exit_code})

    def _forget(self, worker: WorkerProcess) -> None:
        if worker.idle_timer is not None:
            worker.idle_timer.cancel()
        if self._workers.get(worker.spec.model) is worker:
            del self._workers[worker.spec.model]

    # -- keep-alive ---

    def _hold(self, worker: WorkerProcess, keep_alive_s: float | None) -> None:
        """A request begins: no unloading, and the request's own keep-alive holds from now on."""
        worker.keep_alive_s = self._settings.keep_alive_s if keep_alive_s is None else keep_alive_s
        if worker.idle_timer is not None:
            worker.idle_timer.cancel()
            worker.idle_timer = None

    def _settle(self, worker: WorkerProcess) -> None:
        """A request has ended: with the last one the idle timer starts."""
        if worker.requests or worker.ended.is_set() or worker.stopping or self._closing:
            return
        if worker.idle_timer is not None:
            worker.idle_timer.cancel()
            worker.idle_timer = None
        worker.idle_since = time.monotonic()
        if worker.keep_alive_s < 0:
            return
        loop = asyncio.get_running_loop()
        worker.idle_timer = loop.call_later(worker.keep_alive_s, self._unload_idle, worker)

    def _unload_idle(self, worker: WorkerProcess) -> None:
        if worker.requests or worker.stopping:
            return
        worker.stopping = True  # from here on a request gets a new worker, not this one's death
        task = asyncio.get_running_loop().create_task(self._end(worker, f"idle for {worker.keep_alive_s:.0f} s"))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- what others see ---

    def status(self) -> list[WorkerState]:
        """All workers. Wakes nothing and touches no idle timer."""
        return [self._state(worker) for worker in self._workers.values()]

    def answers(self) -> bool:
        """Whether a chat model has a request to answer now; cheap, to be asked all the time."""
        return any(worker.requests > 0 for worker in self._workers.values() if worker.spec.kind == "chat")

    def _state(self, worker: WorkerProcess) -> WorkerState:
        loaded = worker.loaded
        busy = worker.requests > 0
        left = None
        if worker.ready and not busy and worker.keep_alive_s >= 0:
            left = max(0.0, worker.keep_alive_s - (time.monotonic() - worker.idle_since))
        return WorkerState(
            model=worker.spec.model,
            kind=worker.spec.kind,
            pid=worker.pid,
            state="stopping" if worker.stopping else "starting" if not worker.ready else "busy" if busy else "ready",
            rss_bytes=_rss(worker.pid),
            tokens_per_second=worker.busy.tokens_per_second if busy else 0.0,
            active=min(worker.requests, worker.busy.active) if worker.spec.kind == "chat" else worker.requests,
            queued=worker.busy.queued if busy else 0,
            unload_in_s=left,
            digest=worker.spec.digest,
            context_tokens=loaded.context_tokens,
            slots=loaded.slots,
            gpu_layers=loaded.gpu_layers,
            dim=loaded.dim,
            restarts=self._restarts.get(worker.spec.model, 0),
            warnings=(*loaded.notes, *loaded.warnings),
        )

    def _tell(
        self,
        kind: str,
        model: str,
        message: str,
        severity: str = "ok",
        data: dict[str, object] | None = None,
    ) -> None:
        event = msgspec.convert(
            {"kind": kind, "model": model, "message": message, "severity": severity, "data": data or {}}, WorkerEvent
        )
        log.log(logging.WARNING if severity in {"warning", "error"} else logging.INFO, "%s", message)
        if self._on_event is not None:
            self._on_event(event)


def _rss(pid: int) -> int:
    if not pid:
        return 0
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def _file_bytes(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.iterdir() if file.is_file())
    return path.stat().st_size if path.exists() else 0


__all__ = ["Models", "Supervisor"]
