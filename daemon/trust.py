"""What each model may be trusted with, as `models check` measured it on this machine."""

import asyncio
from pathlib import Path

from daemon import wire
from models.catalog import Catalog, Installed
from models.supervisor import Supervisor


class Trust:
    """Reads the reports of checks; a model that was never checked is trusted with nothing."""

    def __init__(self, catalog: Catalog, state_dir: Path) -> None:
        self._catalog = catalog
        self._state_dir = state_dir

    def of(self, model: str) -> frozenset[str] | None:
        """The abilities granted to *model* as it lies on disk now; None where it was never checked."""
        del model
        return None

    async def check(
        self, model: Installed, supervisor: Supervisor, results: "asyncio.Queue[wire.CheckResult | None]"
    ) -> wire.CheckReport:
        """Run all tests, each result put on *results* as it comes (None at the end), and keep the report."""
        raise NotImplementedError(model, supervisor, results)
