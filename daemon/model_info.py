"""Models as the wire shows them: those that are here, and those that could be."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from daemon import wire

if TYPE_CHECKING:
    from models.catalog import Catalog, Installed
    from models.requests import WorkerState
    from models.starters import Spec


def installed(model: "Installed", worker: "WorkerState | None" = None, trust: Collection[str] = ()) -> wire.ModelInfo:
    """A model that is here; *worker* is its process, *trust* what it is trusted with, where a daemon knows."""
    return wire.ModelInfo(
        name=model.name,
        kind=model.kind,
        installed=True,
        size_bytes=model.size_bytes,
        sha256=model.sha256,
        license=model.license,
        context_tokens=(worker.context_tokens if worker else 0) or model.overrides.context_tokens,
        loaded=worker is not None and worker.state in ("ready", "busy"),
        source=model.source,
        trust=sorted(trust),
        warnings=list(dict.fromkeys((*model.warnings, *(worker.warnings if worker else ())))),
    )


def known(spec: "Spec") -> wire.ModelInfo:
    """A starter model that is not here."""
    return wire.ModelInfo(
        name=spec.name,
        kind=spec.kind,
        installed=False,
        size_bytes=spec.size_bytes,
        sha256=spec.sha256,
        license=spec.license,
        source="starter",
    )


def missing(catalog: "Catalog") -> "Sequence[Spec]":
    """The starter models that are not here."""
    names = {model.name for model in catalog.installed()}
    return [spec for spec in catalog.known() if spec.name not in names]


def missing_one(catalog: "Catalog", name: str) -> "Spec | None":
    """The starter model *name*, where it is one that is not here."""
    spec = catalog.spec(name)
    return spec if spec in missing(catalog) else None
