"""Fetching models."""

from pathlib import Path

from models.catalog import Catalog


def pull(source: str, *, catalog: Catalog) -> Path:
    """Not here yet."""
    raise NotImplementedError(source, catalog)
