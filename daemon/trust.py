"""What each model may be trusted with, as `models check` measured it on this machine."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from pathlib import Path

from daemon import wire
from daemon.shown import like
from models.catalog import Catalog, Installed
from models.check import CheckResult, TrustBook, check, request
from models.errors import ModelError, ModelMissing
from models.exam import Schema
from models.requests import ChatMessage
from models.supervisor import Supervisor


class Trust:
    """Keeps the reports of checks by the models' digests; a model that was never checked is trusted with nothing."""

    def __init__(self, catalog: Catalog, supervisor: Supervisor, record: Path) -> None:
        self._catalog = catalog
        self._supervisor = supervisor
        self._book = TrustBook(record)

    def of(self, model: str) -> frozenset[str] | None:
        """The abilities granted to *model* as it lies on disk now; None where it is not here or was never checked."""
        try:
            installed = self._catalog.get(model)
        except ModelError:
            return None
        report = self._book.get(self._catalog.digest(installed))
        return frozenset(report.trust) if report else None

    async def check_unchecked(self, name: str | None) -> str | None:
        """Check the model *name* if it is here and never was; says what it may be trusted with, None where it knew."""
        if name is None or self.of(name) is not None:
            return None
        try:
            model = self._catalog.get(name)
        except ModelMissing:
            return None
        report = await self.check(model, asyncio.Queue())
        return f"{name} is trusted with {', '.join(report.trust) or 'nothing'}"

    async def check(self, model: Installed, results: "asyncio.Queue[wire.CheckResult | None]") -> wire.CheckReport:
        """
        Put all tests to *model*, each result on *results* as it comes and None at the end, and keep the report.

        Raises:
            ModelError: the model cannot be loaded.
        """

        async def generate(messages: Sequence[ChatMessage], schema: Schema | None) -> str:
            async with aclosing(self._supervisor.generate(model.name, request(messages, schema))) as deltas:
                return "".join([delta.text async for delta in deltas])

        def tell(result: CheckResult) -> None:
            results.put_nowait(like(result, wire.CheckResult))

        try:
            digest = await asyncio.to_thread(self._catalog.digest, model)
            if model.backend != "remote":
                await self._supervisor.load(model.name)
            report = await check(generate, model=model.name, digest=digest, on_result=tell)
            await asyncio.to_thread(self._book.put, report)
        finally:
            results.put_nowait(None)
        return like(report, wire.CheckReport)


def most_capable(models: Iterable[Installed], trust: Callable[[str], frozenset[str] | None]) -> Installed | None:
    """
    The chat model that its check trusts with most; among equals one that was taught to chat, then the first.

    Models on other machines are never chosen, only named. A file that was dropped by hand counts as unchecked, rather
    than be read whole for its digest.
    """

    def rank(model: Installed) -> tuple[int, bool]:
        trusted = trust(model.name) if model.sha256 else None
        return -len(trusted or ()), model.spec is not None and not model.spec.instructed

    here = (model for model in models if model.kind == "chat" and model.backend != "remote")
    return min(here, key=rank, default=None)
