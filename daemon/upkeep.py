"""Files that nobody needs any more: downloads that were given up, logs beyond the number to keep."""

import time
from pathlib import Path

GIVEN_UP_S = 30 * 86_400


def tidy(models_dir: Path, log: Path, keep: int) -> str | None:
    """Delete them; what went, in a few words. A part of a download goes once it was not touched for a month."""
    oldest = time.time() - GIVEN_UP_S
    gone = [part for part in models_dir.rglob("*.part") if part.is_file() and part.stat().st_mtime < oldest]
    for old in log.parent.glob(f"{log.name}.*"):
        number = old.name.removeprefix(f"{log.name}.")
        if number.isdecimal() and int(number) > keep:
            gone.append(old)
    for file in gone:
        file.unlink(missing_ok=True)
    return f"{len(gone)} old files deleted" if gone else None
