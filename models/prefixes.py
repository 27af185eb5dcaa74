"""Static prompt heads on disk: the state after reading them, so that a restart need not read them again."""

import hashlib
import logging
import os
import queue
import struct
import threading
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.backend import Backend
from models.slots import common_prefix

log = logging.getLogger(__name__)

WORTH_SAVING = 64  # tokens
HEADS_REMEMBERED = 256
SUFFIX = ".kv"
MAGIC = b"RVPFX1\n"
HEADER = struct.Struct("<I")


class Heads:
    """The static heads that came lately: one that comes again is worth saving, though nobody said that it is static."""

    def __init__(self) -> None:
        self._seen: dict[bytes, None] = {}  # newest last

    def came_before(self, head: Sequence[int]) -> bool:
        """Whether *head* was asked about among the last `HEADS_REMEMBERED`; from now on it is."""
        digest = hashlib.sha256(array("i", head).tobytes()).digest()
        known = self._seen.pop(digest, False) is None
        self._seen[digest] = None
        if len(self._seen) > HEADS_REMEMBERED:
            del self._seen[next(iter(self._seen))]
        return known


@dataclass(slots=True)
class Saved:
    """A head on disk. *path* is the state; beside it `.tokens` lists what was read."""

    path: Path
    tokens: list[int]
    size_bytes: int
    used: float


class PrefixStore:
    """
    Saved heads of one model under one set of context parameters, at most *budget_bytes* of them, oldest out first.

    A file counts only when its name and token list are complete: both are written beside, synced and renamed, the
    state first. The directory may be deleted at any time.
    """

    def __init__(self, folder: Path, *, digest: str, state_key: str, budget_bytes: int) -> None:
        """List what is there for *digest* and *state_key*; the rest of the folder belongs to other workers."""
        self._folder = folder
        self._name = f"{digest[:16] or 'unknown'}.{state_key}"
        self._budget = budget_bytes
        self._lock = threading.Lock()
        self._saved: dict[str, Saved] = {}
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in folder.glob(f"{self._name}.*{SUFFIX}"):
            tokens = _read_tokens(path.with_suffix(".tokens"))
            if tokens is None:
                path.unlink(missing_ok=True)
                continue
            stat = path.stat()
            self._saved[path.stem] = Saved(path, tokens, stat.st_size, stat.st_mtime)
        self._thread = threading.Thread(target=self._work, name="prefixes", daemon=True)
        self._thread.start()

    def longest(self, prompt: Sequence[int]) -> tuple[Saved | None, int]:
        """The saved head that shares most with *prompt*, and how many tokens."""
        with self._lock:
            shared = [(common_prefix(prompt, saved.tokens), saved) for saved in self._saved.values()]
        length, best = max(shared, key=lambda pair: pair[0], default=(0, None))
        return best, length

    def has(self, tokens: Sequence[int]) -> bool:
        """Whether exactly *tokens* are saved."""
        with self._lock:
            return self._key(tokens) in self._saved

    def save(self, backend: Backend, seq: int, tokens: Sequence[int]) -> None:
        """Write the state of *seq*, which holds exactly *tokens*. Syncing and renaming happen in the background."""
        key = self._key(tokens)
        path = self._folder / f"{key}{SUFFIX}"
        draft = path.with_suffix(".draft")
        try:
            size = backend.save_file(seq, str(draft), tokens)
            if size <= 0 or size > self._budget:
                draft.unlink(missing_ok=True)
                return
            # Known at once, so that it is not written twice; usable by others after the rename.
            saved = Saved(path, list(tokens), size, draft.stat().st_mtime)
        except OSError as error:
            log.warning("a prompt head could not be saved to %s: %s", self._folder, error)
            return
        with self._lock:
            self._saved[key] = saved
        self._jobs.put(lambda: self._publish(saved, draft))

    def load(self, backend: Backend, seq: int, saved: Saved) -> bool:
        """Put *saved* into *seq*. False: it was not usable and is gone now, and *seq* is empty."""
        if backend.load_file(seq, str(saved.path), len(saved.tokens)):
            self._jobs.put(lambda: os.utime(saved.path) if saved.path.exists() else None)
            return True
        self._forget(saved)
        return False

    def drop(self, matches: Callable[[Sequence[int]], bool]) -> int:
        """Delete every head whose tokens *matches* accepts; how many went. Drafts of it go too."""
        self.flush()
        with self._lock:
            gone = [saved for saved in self._saved.values() if matches(saved.tokens)]
        for saved in gone:
            self._forget(saved)
        return len(gone)

    def flush(self) -> None:
        """Wait until everything saved is on disk under its name."""
        done = threading.Event()
        self._jobs.put(done.set)
        done.wait(timeout=30)

    def close(self) -> None:
        """Finish what is being written."""
        self._jobs.put(None)
        self._thread.join(timeout=30)

    def _key(self, tokens: Sequence[int]) -> str:
        return f"{self._name}.{hashlib.sha256(array('i', tokens).tobytes()).hexdigest()[:24]}"

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except OSError as error:
                log.warning("prompt heads in %s: %s", self._folder, error)

    def _publish(self, saved: Saved, draft: Path) -> None:
        _sync(draft)
        listing = saved.path.with_suffix(".tokens")
        beside = listing.with_suffix(".tokens-draft")
        beside.write_bytes(MAGIC + HEADER.pack(len(saved.tokens)) + array("i", saved.tokens).tobytes())
        _sync(beside)
        draft.rename(saved.path)
        beside.rename(listing)
        self._evict()

    def _evict(self) -> None:
        with self._lock:
            by_age = sorted(self._saved.values(), key=lambda saved: saved.used)
            total = sum(saved.size_bytes for saved in by_age)
        while total > self._budget and len(by_age) > 1:
            oldest = by_age.pop(0)
            total -= oldest.size_bytes
            self._forget(oldest)

    def _forget(self, saved: Saved) -> None:
        with self._lock:
            self._saved.pop(saved.path.stem, None)
        saved.path.unlink(missing_ok=True)
        saved.path.with_suffix(".tokens").unlink(missing_ok=True)


def _read_tokens(path: Path) -> list[int] | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(MAGIC) + HEADER.size
    if not data.startswith(MAGIC) or len(data) < start:
        return None
    (count,) = HEADER.unpack(data[len(MAGIC) : start])
    tokens = array("i")
    if len(data) != start + count * tokens.itemsize:
        return None
    tokens.frombytes(data[start:])
    return tokens.tolist()


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def drop_all(folder: Path, *, but: Sequence[str] = ()) -> int:
    """Delete every saved head in *folder* but those of the models with the digests *but*; how many went."""
    count = 0
    kept = tuple(digest[:16] for digest in but if digest)
    if folder.is_dir():
        for path in folder.iterdir():
            ours = path.suffix in {SUFFIX, ".tokens", ".draft", ".tokens-draft"}
            if ours and not (kept and path.name.startswith(kept)):
                count += path.suffix == SUFFIX
                path.unlink(missing_ok=True)
    return count
