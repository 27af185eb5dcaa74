"""
Put bytes in place of a file, only if it still is the version they were made for.

New bytes go to a hidden file in the same folder and are synced. Then, where the system can (Linux, macOS), both files
trade places in one step and what came out is compared: if it is not the expected version, they trade back, so that an
edit saved in the last microsecond is not lost. Elsewhere the comparison stands immediately before the rename.

A kill at any point leaves the old file or the new one, and perhaps a hidden file that `heal` clears away.
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable
from pathlib import Path

_PART = ".reverie-part-"
_SWAP = re.compile(r"\.reverie-swap-(?P<new>[0-9a-f]{16})-(?P<old>[0-9a-f]{16})-[0-9a-f]+\.tmp")
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS
_AT_FDCWD = -100
_FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)

Hash = Callable[[Path], str | None]


def create(target: Path, data: bytes) -> bool:
    """Make *target* hold *data*; False, and nothing changed, if something stands there already."""
    part = _write_part(target.parent, data, like=None)
    try:
        try:
            os.link(part, target, follow_symlinks=False)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
                raise
            try:
                os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            except FileExistsError:
                return False
            part.rename(target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    sync_folder(target.parent)
    return True


def swap(target: Path, data: bytes, *, old: str, new: str, hash_of: Hash) -> str | None:
    """
    Put *data* (of hash *new*) in place of *target*, if that still has the hash *old*.

    Returns:
        *new* when it was put there; else the hash that was found instead (None: no file), with nothing changed.
    """
    part = _write_part(target.parent, data, like=target.stat())
    name = target.parent / f".reverie-swap-{new[:16]}-{old[:16]}-{secrets.token_hex(4)}.tmp"
    try:
        part.rename(name)
        found = hash_of(target)
        if found == old:
            found = _trade(name, target, old=old, hash_of=hash_of)
            if found == old:
                found = new
            elif hash_of(name) not in (new, None):
                _keep(name)
    except OSError:
        for leftover in (part, name):
            with contextlib.suppress(OSError):
                leftover.unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):
        name.unlink(missing_ok=True)
    sync_folder(target.parent)
    return found


def _trade(name: Path, target: Path, *, old: str, hash_of: Hash) -> str | None:
    """Move *name* over *target*; the hash of what stood there. Not *old*: it was put back."""
    if not _exchange(name, target):
        name.rename(target)
        return old
    found = hash_of(name)
    if found == old:  # a program that opened the file before the trade may still be writing to it
        sync_folder(target.parent)
        found = hash_of(name)
    if found != old:
        _exchange(name, target)
    return found


def _exchange(one: Path, other: Path) -> bool:
    """Let two files trade places in one step; False where the system cannot."""
    if _system_exchange is None:
        return False
    if _system_exchange(os.fsencode(one), os.fsencode(other)) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP):
        return False
    raise OSError(code, os.strerror(code), str(other))


def find_exchange(platform: str, library: ctypes.CDLL) -> Callable[[bytes, bytes], int] | None:
    """The call of *platform*, in its C *library*, that lets two files trade places, 0 for done; None if it has none."""
    try:
        if platform == "darwin":
            renamex_np = library.renamex_np
            renamex_np.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
            return lambda one, other: int(renamex_np(one, other, _EXCHANGE))
        if platform == "linux":
            renameat2 = library.renameat2
            renameat2.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
            return lambda one, other: int(renameat2(_AT_FDCWD, one, _AT_FDCWD, other, _EXCHANGE))
    except AttributeError:  # a system older than the call
        pass
    return None


_system_exchange = find_exchange(sys.platform, ctypes.CDLL(None, use_errno=True))


def remove(target: Path, *, old: str, hash_of: Hash) -> str | None:
    """
    Delete *target*, if it still has the hash *old*: it is moved aside, compared, and put back if it has not.

    Returns:
        The hash found; equal to *old* when it was deleted, None when there was no file.
    """
    name = target.parent / f".reverie-swap-{'0' * 16}-{old[:16]}-{secrets.token_hex(4)}.tmp"
    found = hash_of(target)
    if found != old:
        return found
    target.rename(name)
    found = hash_of(name)
    if found == old:
        name.unlink()
    elif not target.exists():
        name.rename(target)
    sync_folder(target.parent)
    return found


def append(target: Path, data: bytes) -> None:
    """
    Add *data* at the end of *target* and sync it; made if missing. A failed write is cut off again.

    If an editor puts another file in its place meanwhile, that one gets the data too.
    """
    while True:
        existed = target.exists()
        descriptor = os.open(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        try:
            before = os.fstat(descriptor)
            if not stat.S_ISREG(before.st_mode):
                raise OSError(errno.EINVAL, "it is no regular file", str(target))
            try:
                _write_all(descriptor, data)
                sync(descriptor)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, before.st_size)
                if not existed:
                    with contextlib.suppress(OSError):
                        target.unlink()
                raise
        finally:
            os.close(descriptor)
        if not existed:
            sync_folder(target.parent)
        try:
            if target.stat().st_ino == before.st_ino:
                return
        except FileNotFoundError:
            continue


def make_folders(folder: Path, *, within: Path | None = None) -> None:
    """Make *folder* and those above it, each synced into its parent; *within* is never made: FileNotFoundError."""
    missing = []
    while not folder.exists():
        if folder == within:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
        missing.append(folder)
        folder = folder.parent
    for new in reversed(missing):
        new.mkdir(exist_ok=True)
        sync_folder(new.parent)


def sync(descriptor: int) -> None:
    """Have what was written on the disk itself: on macOS, fsync alone leaves it in the drive's cache."""
    if _FULL_SYNC is not None:
        with contextlib.suppress(OSError):  # not every file system knows it
            fcntl.fcntl(descriptor, _FULL_SYNC)
            return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Make renames within *folder* survive a power cut; file systems that cannot are left in peace."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        sync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(descriptor)


def heal(folder: Path, hash_of: Hash) -> list[str]:
    """
    Clear away what a kill left in *folder*: unfinished writes go, replaced versions go.

    A version that a kill kept from being put back is neither: it becomes a visible conflicted copy, and its name is
    returned.
    """
    recovered: list[str] = []
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if entry.name.startswith(".reverie-")]
    for name in names:
        match = _SWAP.fullmatch(name)
        if match:
            found = hash_of(folder / name)
            if found is not None and found[:16] not in (match["new"], match["old"]):
                recovered.append(_keep(folder / name).name)
                continue
        if match or name.startswith(_PART):
            with contextlib.suppress(FileNotFoundError):
                (folder / name).unlink()
    if names:
        sync_folder(folder)
    return recovered


def _keep(hidden: Path) -> Path:
    """Give a version that belongs nowhere a visible name, that of a conflicted copy, so that its owner sees it."""
    return hidden.rename(hidden.with_name(f"recovered-{secrets.token_hex(4)} (conflicted copy).md"))


def _write_part(folder: Path, data: bytes, *, like: os.stat_result | None) -> Path:
    part = folder / f"{_PART}{secrets.token_hex(8)}.tmp"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        if like is not None:
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, like.st_uid, like.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
        _write_all(descriptor, data)
        sync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    finally:
        os.close(descriptor)
    return part


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
