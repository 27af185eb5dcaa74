"""What upkeep deletes, and what it leaves."""

import os
from pathlib import Path

from daemon.upkeep import GIVEN_UP_S, tidy


def test_only_given_up_downloads_and_surplus_logs_go(tmp_path: Path) -> None:
    """A month-old part of a download and logs beyond the number go; everything else stays."""
    models, logs = tmp_path / "models" / "m", tmp_path / "log"
    for folder in (models, logs):
        folder.mkdir(parents=True)
    for name in ("old.part", "new.part", "model.gguf"):
        (models / name).write_text("x")
    for name in ("r.log", "r.log.1", "r.log.2", "r.log.9", "r.log.txt"):
        (logs / name).write_text("x")
    ago = (models / "new.part").stat().st_mtime - GIVEN_UP_S - 60
    for name in ("old.part", "model.gguf"):
        os.utime(models / name, (ago, ago))
    assert tidy(tmp_path / "models", logs / "r.log", 2) == "2 old files deleted"
    assert sorted(path.name for path in models.iterdir()) == ["model.gguf", "new.part"]
    assert sorted(path.name for path in logs.iterdir()) == ["r.log", "r.log.1", "r.log.2", "r.log.txt"]
    assert tidy(tmp_path / "models", logs / "r.log", 2) is None
