"""Fetching models."""

import threading
from collections.abc import Callable

from models.catalog import Catalog, Installed

Progress = Callable[[str, int, int], None]


def pull(
    source: str,
    *,
    catalog: Catalog,
    name: str | None = None,
    sha256: str | None = None,
    progress: Progress | None = None,
    cancel: threading.Event | None = None,
    offline: bool = False,
) -> Installed:
    """Install the model that *source* names; *progress* gets (step, bytes so far, bytes in all or 0)."""
    raise NotImplementedError(source, catalog, name, sha256, progress, cancel, offline)
