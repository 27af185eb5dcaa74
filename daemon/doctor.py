"""What `reverie doctor` asks a running daemon: memory, models, disk, versions."""

import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

from daemon import VERSION
from daemon.parts import Parts
from daemon.wire import Finding

ORDER = ("error", "warning", "note", "ok")
LOW_DISK_BYTES = 1 << 30


def examine(parts: Parts) -> list[Finding]:
    """All findings, worst first."""
    found = [*_itself(parts), *_models(parts), *_disk(parts), *_unread(parts), *parts.memory.findings()]
    return sorted(found, key=lambda finding: ORDER.index(finding.severity))


def _itself(parts: Parts) -> Iterator[Finding]:
    yield Finding(
        severity="ok",
        subject="reverie",
        message=f"{VERSION} on Python {platform.python_version()}, {platform.system()} {platform.machine()}",
    )
    for problem in parts.memory.problems():
        yield Finding(severity="error", subject="memory", message=problem)


def _models(parts: Parts) -> Iterator[Finding]:
    installed = {model.name: model for model in parts.catalog.installed()}
    chat = parts.chat_model()
    if chat is None:
        hint = "reverie models pull smollm2-135m-instruct"
        yield Finding(severity="warning", subject="models", message="no chat model is installed", hint=hint)
    elif chat not in installed:
        message = f"the chat model {chat} is not installed"
        yield Finding(severity="warning", subject="models", message=message, hint=f"reverie models pull {chat}")
    embed = parts.config.models.embed
    if embed and embed not in installed:
        message = f"the embedding model {embed} is not installed: search goes by keyword alone"
        yield Finding(severity="warning", subject="models", message=message, hint=f"reverie models pull {embed}")
    for model in installed.values():
        for warning in model.warnings:
            yield Finding(severity="warning", subject=f"model {model.name}", message=warning)
        if model.kind == "chat":
            trust = parts.trust.of(model.name)
            if trust is None:
                message, hint = "was never checked: it is trusted with nothing", f"reverie models check {model.name}"
                yield Finding(severity="note", subject=f"model {model.name}", message=message, hint=hint)
            else:
                message = f"trusted to {', '.join(sorted(trust))}" if trust else "trusted with nothing, by its check"
                yield Finding(severity="ok", subject=f"model {model.name}", message=message)


def _unread(parts: Parts) -> Iterator[Finding]:
    count = parts.assistant.telling.waiting()
    if count:
        message = f"{count} message{'s' if count > 1 else ''} wait for a model that can read them; the journal has them"
        hint = "they are tried again at a quiet moment; a more capable model may do better"
        yield Finding(severity="note", subject="unread", message=message, hint=hint)


def _disk(parts: Parts) -> Iterator[Finding]:
    for name, folder in (("vault", parts.config.vault_path(parts.paths)), ("state", parts.paths.state_dir)):
        if not folder.is_dir():
            yield Finding(severity="error", subject=name, message=f"{folder} is not a folder")
            continue
        free = shutil.disk_usage(folder).free
        if free < LOW_DISK_BYTES:
            message = f"only {free >> 20} MB are free where {folder} is"
            yield Finding(
                severity="warning", subject=name, message=message, hint="make room: pages are never half-written"
            )
        if not _is_writable(folder):
            yield Finding(severity="warning", subject=name, message=f"{folder} is read-only")


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)
