"""
The vault's files: list, read, replace if the hash still fits, delete, append.

Paths are relative to the vault, with `/`, in the very bytes the file system gave. A file that cannot be read is an
error of that file, never its absence. Every write is a hidden temporary file in the same folder, synced, compared with
what stands there and moved into place.
"""

import contextlib
import errno
import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from memory_store import swap
from memory_store.errors import (
    NoSpace,
    NotContained,
    NotOurs,
    PageChanged,
    PageMissing,
    PageUnreadable,
    PageUnwritable,
    PathTooLong,
    VaultMissing,
    VaultReadOnly,
    WouldLoseText,
)

Role = Literal["facts", "journal", "dream", "note", "memory", "meta", "conflict", "ignored"]

_SUFFIX = re.compile(r"(?i)\.(?:md|markdown)\s*$")
_HELPER = re.compile(r"^\.|^~\$|~$")
_CONFLICT = re.compile(
    r"""(?xi)
    \([^()]*\bconflicted\ copy\b[^()]*\)           # Dropbox, Nextcloud, Obsidian Sync
    | \((?:case|unicode\ encoding|selective\ sync)\ conflict\b[^()]*\)
    | \((?:[^()]*['’]s\ )?conflict(?:\ on|\ copy)?\ \d{4}[^()]*\)
    | \(SFConflict\ [^()]*\)                         # Seafile
    | \(in\ Konflikt\ stehende\ Kopie[^()]*\) | \(copie\ en\ conflit[^()]*\) | \(copia\ en\ conflicto[^()]*\)
    | \.sync-conflict-\d{8}(?:-\d{6})?(?:-[0-9A-Z]{7})?(?=\.|$)   # Syncthing
    | _conflict-\d{8}-\d{6}(?=\.|$)                  # ownCloud
    | [\[(]conflict(?:ed)?[\])](?=\s*(?:\.|$))       # pCloud, Google Drive
    | \.dup\d*(?=\.|$)                               # remotely-save
    | -(?:DESKTOP|LAPTOP)-[0-9A-Z]{6,8}(?=\.|$)      # OneDrive
    """
)
_FEW_WORDS = 8
_CLOUD_STUB = re.compile(r"^\.(?P<name>.+)\.icloud$")
_DATALESS = 0x40000000  # SF_DATALESS of macOS: the name is here, and reading would fetch the rest, or wait for it
_IN_CLOUD = "it is in the cloud, not on this disk"


def content_hash(data: bytes) -> str:
    """The SHA-256 of *data* in hexadecimal: the version of a page."""
    return hashlib.sha256(data).hexdigest()


def is_page_name(name: str) -> bool:
    """Whether a file of this *name* is a page: markdown, not hidden, no helper of an editor or a sync program."""
    return bool(_SUFFIX.search(name)) and not _HELPER.search(name)


def original_of(path: str) -> str | None:
    """The page that *path* is a sync program's conflicted copy of; None if its name does not say so."""
    pure = PurePosixPath(path)
    plain, count = _CONFLICT.subn("", pure.name)
    if not count:
        return None
    stem, dot, suffix = plain.rpartition(".")
    return str(pure.with_name(stem.rstrip() + dot + suffix)) if stem.strip() else None


@dataclass(frozen=True)
class FileStat:
    """A page as listed: *size* in bytes; (*mtime_ns*, *size*, *inode*) unchanged means most likely unchanged."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    role: Role = "note"


@dataclass(frozen=True)
class FileError:
    """A file or folder that could not be listed: what is known of it, and of all below it, is to be kept."""

    path: str
    reason: str


@dataclass(frozen=True)
class Scan:
    """
    One walk through the vault: *files* by path, what could not be seen, and links that were not followed.

    A path that is missing from *files* is gone only if it is not `hidden`.
    """

    files: tuple[FileStat, ...]
    errors: tuple[FileError, ...]
    refused: tuple[str, ...]

    def hides(self, path: str) -> bool:
        """Whether *path* may still exist behind a folder or file that could not be read."""
        return any(path == e.path or e.path == "" or path.startswith(e.path + "/") for e in self.errors)


@dataclass(frozen=True)
class Snapshot:
    """The bytes of a page at one moment, their hash, and the stat of the open file they came from."""

    data: bytes
    hash: str
    size: int
    mtime_ns: int
    inode: int


class Vault:
    """
    A folder of markdown. *owned*: it is reverie's own; else reverie writes only below `reverie/` in it.

    Holds no state but its root, and which folder that was when opened: any number of threads may use it.
    """

    def __init__(self, root: Path, *, owned: bool) -> None:
        self.root = Path(os.path.realpath(root))
        self.owned = owned
        self.base = "" if owned else "reverie/"
        self._folder = self._standing()

    @property
    def there(self) -> bool:
        """Whether the folder that was opened still stands in its place."""
        standing = self._standing()
        return standing is not None and standing == self._folder

    @property
    def replaced(self) -> bool:
        """Whether another folder stands where the one that was opened stood."""
        standing = self._standing()
        return standing is not None and standing != self._folder

    def adopt(self) -> None:
        """Take the folder that stands there now for the vault."""
        self._folder = self._standing()

    def require(self) -> None:
        """
        Make sure that the folder that was opened still stands there, before something is written into it.

        Raises:
            VaultMissing.
        """
        if not self.there:
            raise VaultMissing(str(self.root))

    def _standing(self) -> tuple[int, int] | None:
        try:
            info = self.root.stat()
        except OSError:
            return None
        return info.st_dev, info.st_ino

    def files(self) -> Iterator[FileStat]:
        """Every page, sorted by path, conflicted copies (role `conflict`) included. See `scan` for what hides."""
        return iter(self.scan().files)

    def scan(self, below: str = "") -> Scan:
        """
        Walk the vault, or its folder *below*, without following links: a loop ends and nothing outside is read.

        Raises:
            PageUnreadable: the vault's own folder cannot be listed (unplugged, unmounted): nothing is to be inferred.
        """
        files: list[FileStat] = []
        errors: list[FileError] = []
        refused: list[str] = []
        seen: set[tuple[int, int]] = set()
        folders = [below and below.rstrip("/") + "/"]
        while folders:
            folder = folders.pop()
            try:
                with os.scandir(self.root / folder) as entries:
                    info = (self.root / folder).stat()
                    if (info.st_dev, info.st_ino) in seen:
                        continue
                    seen.add((info.st_dev, info.st_ino))
                    for entry in entries:
                        self._visit(entry, folder, files, errors, refused, folders)
            except FileNotFoundError:
                if not folder:
                    raise PageUnreadable(str(self.root), "the folder is not there") from None
            except OSError as error:
                if not folder:
                    raise PageUnreadable(str(self.root), _reason(error)) from error
                errors.append(FileError(folder.rstrip("/"), _reason(error)))
        return Scan(tuple(sorted(files, key=lambda f: f.path)), tuple(errors), tuple(sorted(refused)))

    def _visit(
        self,
        entry: "os.DirEntry[str]",
        folder: str,
        files: list[FileStat],
        errors: list[FileError],
        refused: list[str],
        folders: list[str],
    ) -> None:
        path = folder + entry.name
        if not is_unicode(entry.name):
            if not entry.name.startswith(".") and (is_page_name(entry.name) or entry.is_dir(follow_symlinks=False)):
                errors.append(FileError(shown(path), "its name is not UTF-8"))
            return
        if stub := _CLOUD_STUB.match(entry.name):
            errors.append(FileError(folder + stub["name"], _IN_CLOUD))
            return
        if entry.name.startswith("."):
            return
        try:
            if entry.is_symlink():
                refused.append(path)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(path + "/")
            elif is_page_name(entry.name) and entry.is_file(follow_symlinks=False):
                info = entry.stat(follow_symlinks=False)
                files.append(FileStat(path, info.st_size, info.st_mtime_ns, info.st_ino, self.classify(path)))
        except FileNotFoundError:
            return
        except OSError as error:
            errors.append(FileError(path, _reason(error)))

    def classify(self, path: str) -> Role:
        """What the file at *path* is by its place and name alone."""
        parts = path.split("/")
        if not is_page_name(parts[-1]) or any(part.startswith(".") for part in parts):
            return "ignored"
        if _CONFLICT.search(parts[-1]):
            return "conflict"
        if not path.startswith(self.base):
            return "note"
        inside = path[len(self.base) :]
        if inside in ("MEMORY.md", "META.md"):
            return "memory" if inside == "MEMORY.md" else "meta"
        room: dict[str, Role] = {"facts": "facts", "journal": "journal", "dreams": "dream"}
        head, slash, _ = inside.partition("/")
        return room.get(head, "note") if slash else "note"

    def locate(self, path: str) -> Path:
        """
        Where *path* really lies.

        Raises:
            NotContained: absolute, empty, with `..`, or through a link that leads out of the vault.
        """
        parts = path.split("/")
        if not path or path.startswith("/") or "\0" in path or any(part in ("", ".", "..") for part in parts):
            raise NotContained(path, "is no plain path below the vault")
        real = Path(os.path.realpath(self.root / path))
        if not real.is_relative_to(self.root) or real == self.root:
            raise NotContained(path, "leads out of the vault")
        if any(part.startswith(".") for part in real.relative_to(self.root).parts):
            raise NotContained(path, "is hidden, so it is no page")
        return real

    def spelled(self, path: str) -> str:
        """
        *path* as a walk through the vault comes to it: links on the way resolved, and, where it names nothing, what
        differs from it in the case of letters alone, which on some systems is the same file.

        Raises:
            NotContained.
        """
        found: list[str] = []
        for part in self.locate(path).relative_to(self.root).parts:
            try:
                names = [entry.name for entry in self.root.joinpath(*found).iterdir()]
            except OSError:
                names = []
            alike = [name for name in names if name.casefold() == part.casefold()]
            found.append(alike[0] if part not in names and len(alike) == 1 else part)
        return "/".join(found)

    def read(self, path: str) -> Snapshot:
        """
        The bytes of the file at *path* as they are now.

        Raises:
            NotContained, PageMissing.
            PageUnreadable: there, but not readable now (permissions, I/O error, no regular file).
        """
        return _read(self.locate(path), path)

    def replace(self, path: str, data: bytes, expected: str | None, *, may_shrink: bool = False) -> str:
        """
        Make *path* hold *data*, if it still is the version *expected* (None: must not exist). Synced on return.

        The file's mode and owner stay. *may_shrink* is for what is meant to take text away, such as forget and undo.

        Returns:
            The new version: the hash of *data*.

        Raises:
            PageChanged: another version stands there; it was not touched.
            WouldLoseText: *data* holds no text, or less than half of the words that the page has.
            NotContained, NotOurs, VaultMissing, VaultReadOnly, NoSpace, PageUnreadable, PageUnwritable: nothing was
                changed.
        """
        real = self._writable(path)
        new = content_hash(data)
        with naming_failure(path):
            if expected is None:
                swap.make_folders(real.parent, within=self.root)
                if not swap.create(real, data):
                    raise PageChanged(path, None, _hash_of(real))
                return new
            try:
                current = _read(real, path)
            except PageMissing:
                raise PageChanged(path, expected, None) from None
            if current.hash != expected:
                raise PageChanged(path, expected, current.hash)
            if not may_shrink:
                _keep_text(path, current.data, data)
            if new == expected:
                return new
            try:
                found = swap.swap(real, data, old=expected, new=new, hash_of=_hash_of)
            except FileNotFoundError:
                found = None
        if found != new:
            raise PageChanged(path, expected, found)
        return new

    def delete(self, path: str, expected: str) -> None:
        """
        Remove the page at *path*, if it still is the version *expected*.

        Raises:
            PageChanged and all that `replace` may raise but WouldLoseText.
        """
        real = self._writable(path)
        with naming_failure(path):
            found = swap.remove(real, old=expected, hash_of=_hash_of)
        if found != expected:
            raise PageChanged(path, expected, found)

    def append(self, path: str, data: bytes) -> None:
        """
        Add *data* at the end of *path* (made if missing), synced on return; a failed append leaves nothing behind.

        Raises:
            NotContained, NotOurs, VaultMissing, VaultReadOnly, NoSpace, PageUnwritable.
        """
        real = self._writable(path)
        with naming_failure(path):
            swap.make_folders(real.parent, within=self.root)
            swap.append(real, data)

    def heal(self) -> tuple[str, ...]:
        """Clear away what a kill left of unfinished writes; paths of versions that had to be kept as copies."""
        recovered: list[str] = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            if any(name.startswith(".reverie-") for name in names):
                with contextlib.suppress(OSError):
                    below = Path(folder).relative_to(self.root)
                    recovered += [str(below / name) for name in swap.heal(Path(folder), _hash_of)]
        return tuple(recovered)

    def _writable(self, path: str) -> Path:
        real = self.locate(path)
        if not is_page_name(real.name):
            raise NotContained(path, "is no markdown page")
        if not str(real.relative_to(self.root)).startswith(self.base):
            raise NotOurs(path)
        self.require()
        return real


@contextlib.contextmanager
def naming_failure(path: str) -> Iterator[None]:
    """Turn an OSError within, about *path*, into NoSpace, PathTooLong, VaultReadOnly or PageUnwritable."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise NoSpace(path, _reason(error)) from error
        if error.errno == errno.ENAMETOOLONG:
            raise PathTooLong(path) from error
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise VaultReadOnly(path, _reason(error)) from error
        raise PageUnwritable(path, _reason(error)) from error


def _hash_of(real: Path) -> str | None:
    try:
        return content_hash(real.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


def _keep_text(path: str, old: bytes, new: bytes) -> None:
    if new.startswith(old):
        return
    words = Counter(old.split())
    kept = (words & Counter(new.split())).total()
    total = words.total()
    if total and ((kept == 0 and not new.split()) or (total >= _FEW_WORDS and kept * 2 < total)):
        raise WouldLoseText(path, total, kept)


def _read(real: Path, path: str) -> Snapshot:
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode):
                raise PageUnreadable(path, "it is no regular file")
            if getattr(info, "st_flags", 0) & _DATALESS:
                raise PageUnreadable(path, _IN_CLOUD)
            data = file.read()
            info = os.fstat(descriptor)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PageMissing(path) from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise PageMissing(path) from error
        raise PageUnreadable(path, _reason(error)) from error
    return Snapshot(data, content_hash(data), info.st_size, info.st_mtime_ns, info.st_ino)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower() + (f" ({errno.errorcode[error.errno]})" if error.errno else "")


def shown(path: str) -> str:
    """*path* as it may be told: bytes of it that are not UTF-8 are written out."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_unicode(path: str) -> bool:
    """Whether *path*, as the system gave it, is a name in UTF-8: others cannot be pages."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
