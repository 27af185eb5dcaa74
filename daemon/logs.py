"""The daemon's log: a file that rotates by size, lines in UTC, and stderr while somebody watches."""

import logging
import sys
import time
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

from daemon.config import Log

FORMAT = "%(asctime)s.%(msecs)03dZ %(levelname)-7s %(name)s: %(message)s"
TIME = "%Y-%m-%dT%H:%M:%S"
QUIET = ("uvicorn", "uvicorn.error", "apscheduler", "watchdog", "httpx", "httpcore", "asyncio", "dulwich")


def start(file: Path, settings: Log, *, to_stderr: bool) -> None:
    """
    Log to *file*, and to stderr where *to_stderr* is set.

    Libraries speak from WARNING on; reverie itself from the level of the settings. The owner's words are logged at
    DEBUG only, so that no other level writes them to disk.
    """
    handlers: list[logging.Handler] = [
        RotatingFileHandler(file, maxBytes=settings.max_bytes, backupCount=settings.keep, encoding="utf-8", delay=True)
    ]
    if to_stderr:
        handlers.append(logging.StreamHandler(sys.stderr))
    formatter = logging.Formatter(FORMAT, TIME)
    formatter.converter = time.gmtime
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
        old.close()
    for handler in handlers:
        handler.setFormatter(formatter)
        root.addHandler(handler)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    set_level(settings.level)


def set_level(level: str) -> None:
    """Change the level of a running daemon."""
    logging.getLogger().setLevel(level.upper())


def scrub(clean: Callable[[bytes], bytes]) -> None:
    """Write what *clean* makes of every log file in its place: after this, the log has forgotten too."""
    for handler in logging.getLogger().handlers:
        if not isinstance(handler, RotatingFileHandler):
            continue
        handler.acquire()
        try:
            for file in Path(handler.baseFilename).parent.glob("*.log*"):
                data = file.read_bytes()
                if (cleaned := clean(data)) != data:
                    file.write_bytes(cleaned)
        finally:
            handler.release()
