"""
A pack without some of its objects, made beside it.

What stays is copied as it lies there, neither unpacked nor packed anew; only an object that is stored as the difference
from one that goes is written out.
"""

import os
import secrets
import zlib
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.objects import RawObjectID
from dulwich.pack import Pack, pack_header_chunks, pack_object_header, write_pack_index

from memory_store.swap import sync, sync_folder

_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_NAME_BYTES = 20
_OBJECTS_A_STEP = 200


@dataclass(frozen=True)
class _Stored:
    """An object as a pack stores it: its kind and size, what it is the difference from, and the deflated rest."""

    kind: int
    size: int
    base: int | bytes | None
    rest: bytes


@dataclass(frozen=True)
class Fresh:
    """A pack that was made and is not in use yet: both files lie beside those of the repository, synced."""

    pack: Path
    index: Path

    def use(self) -> None:
        """Give it the names by which git finds it."""
        name = f"pack-{self._checksum()}"
        self.pack.replace(self.pack.with_name(f"{name}.pack"))
        self.index.replace(self.index.with_name(f"{name}.idx"))
        sync_folder(self.pack.parent)

    def drop(self) -> None:
        """It is not to be used after all."""
        self.pack.unlink(missing_ok=True)
        self.index.unlink(missing_ok=True)

    def _checksum(self) -> str:
        with self.pack.open("rb") as file:
            file.seek(-_NAME_BYTES, os.SEEK_END)
            return file.read().hex()


def without(pack: Pack, gone: AbstractSet[bytes], step: Callable[[], None] = lambda: None) -> Fresh | None:
    """
    What *pack* holds but for *gone*, raw names; None where that is nothing. *step* is called between some objects.

    Raises:
        OSError: there is no room; of the new pack nothing is left.
    """
    entries = sorted(pack.index.iterentries(), key=lambda entry: entry[1])
    names = {offset: bytes(name) for name, offset, _ in entries}
    kept = [offset for offset, name in names.items() if name not in gone]
    if not kept:
        return None
    source = Path(pack._data_path)
    part = source.with_name(f"tmp_reverie_{secrets.token_hex(8)}")
    fresh = Fresh(part.with_suffix(".pack"), part.with_suffix(".idx"))
    ends = dict(zip(names, [*list(names)[1:], source.stat().st_size - _NAME_BYTES], strict=True))
    moved: dict[int, int] = {}
    index: list[tuple[bytes, int, int | None]] = []
    try:
        with source.open("rb") as old, fresh.pack.open("xb") as new:
            hashed = sha1(usedforsecurity=False)
            at = 0

            def put(data: bytes) -> None:
                nonlocal at
                new.write(data)
                hashed.update(data)
                at += len(data)

            put(b"".join(pack_header_chunks(len(kept))))
            for number, offset in enumerate(kept):
                if number % _OBJECTS_A_STEP == 0:
                    step()
                old.seek(offset)
                data = _moved(old.read(ends[offset] - offset), pack, names, gone, offset, at - offset, moved)
                moved[offset] = at
                index.append((names[offset], at, zlib.crc32(data)))
                put(data)
            checksum = hashed.digest()
            new.write(checksum)
            new.flush()
            sync(new.fileno())
        with fresh.index.open("xb") as listed:
            write_pack_index(listed, sorted(index), checksum, version=2)
            listed.flush()
            sync(listed.fileno())
    except BaseException:
        fresh.drop()
        raise
    return fresh


def _moved(
    raw: bytes,
    pack: Pack,
    names: dict[int, bytes],
    gone: AbstractSet[bytes],
    offset: int,
    by: int,
    moved: dict[int, int],
) -> bytes:
    """The object *raw* at *offset* as it is to be stored *by* bytes further on; *moved* tells of those before it."""
    stored = _stored(raw)
    if stored.base is None:
        return raw
    base = stored.base if isinstance(stored.base, bytes) else names[offset - stored.base]
    if base in gone:
        kind, whole = pack.get_raw(RawObjectID(names[offset]))
        return _header(kind, None, len(whole)) + zlib.compress(whole, zlib.Z_BEST_SPEED)
    if isinstance(stored.base, bytes):
        return raw
    return _header(stored.kind, offset + by - moved[offset - stored.base], stored.size) + stored.rest


def _header(kind: int, base: int | bytes | None, size: int) -> bytes:
    return bytes(pack_object_header(kind, base, size, DEFAULT_OBJECT_FORMAT))


def _stored(raw: bytes) -> _Stored:
    at, size, shift = 1, raw[0] & 0x0F, 4
    while raw[at - 1] & 0x80:
        size |= (raw[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    kind = raw[0] >> 4 & 7
    if kind == _NAMED_DELTA:
        return _Stored(kind, size, raw[at : at + _NAME_BYTES], raw[at + _NAME_BYTES :])
    if kind != _OFFSET_DELTA:
        return _Stored(kind, size, None, raw[at:])
    back = raw[at] & 0x7F
    while raw[at] & 0x80:
        at += 1
        back = (back + 1 << 7) | (raw[at] & 0x7F)
    return _Stored(kind, size, back, raw[at + 1 :])
