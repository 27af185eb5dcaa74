"""A pull whose disk fills up in the middle of it: on a file system of its own, from a real server."""

import hashlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from models.catalog import Catalog
from models.errors import DiskFull
from models.pull import pull
from tests.models.gguf_files import gguf
from tests.models.web import Web

MODEL = gguf(data_bytes=4_500_000)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path | None]:
    """A file system of 48 MiB; None where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(folder)]
    mounted = sys.platform.startswith("linux") and subprocess.run(command, capture_output=True, check=False)
    if not mounted or mounted.returncode:
        yield None
        return
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_fills_up_in_the_middle_of_a_pull(small_disk: Path | None, fill: Callable[[Path], Path]) -> None:
    """The pull fails by its name and leaves no model; with room again it goes on, and the model is whole."""
    if small_disk is None:
        return
    catalog = Catalog(small_disk / "models")
    filler: list[Path] = []

    def progress(_: str, completed: int, _total: int) -> None:
        if completed and not filler:
            filler.append(fill(small_disk))

    with Web(MODEL) as web:
        with pytest.raises(DiskFull, match="make room"):
            pull(f"{web.address}/tiny.gguf", catalog=catalog, progress=progress)
        assert not catalog.installed()
        filler[0].unlink()
        model = pull(f"{web.address}/tiny.gguf", catalog=catalog)
        assert "range" in {name.lower() for name in web.requests[-1][1]}
    assert model.sha256 == hashlib.sha256(MODEL).hexdigest()
    assert model.model_file.read_bytes() == MODEL
