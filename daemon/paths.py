"""Where reverie keeps its files. Imports little: the command line reads this before anything else."""

import hashlib
import os
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from platformdirs.api import PlatformDirsABC

MAX_SOCKET_BYTES = 100  # sun_path holds 104 bytes on macOS, 108 on Linux, with the closing NUL


@dataclass(frozen=True)
class Paths:
    """Every place of one home, absolute. Nothing is created by looking; `make` creates the folders."""

    config_file: Path
    data_dir: Path
    vault: Path
    models_dir: Path
    state_dir: Path
    runtime_dir: Path
    socket: Path
    lock: Path
    token: Path
    log: Path

    @classmethod
    def find(cls, environ: Mapping[str, str] = os.environ) -> "Paths":
        """REVERIE_HOME holds everything where it is set; otherwise the platform's (XDG) folders do."""
        home = environ.get("REVERIE_HOME")
        if home:
            root = Path(home).expanduser().absolute()
            return cls._at(root / "config.toml", root, root / "state", root / "run")
        import platformdirs  # costs milliseconds that a set home saves

        return cls.of(platformdirs.PlatformDirs("reverie", appauthor=False), environ)

    @classmethod
    def of(cls, dirs: "PlatformDirsABC", environ: Mapping[str, str]) -> "Paths":
        """The places that a platform has for us."""
        data, state = Path(dirs.user_data_dir), Path(dirs.user_state_dir)
        if state == data:  # macOS: one folder for all, and what may be deleted lies apart from memory even so
            state = data / "state"
        with warnings.catch_warnings():  # it warns where it makes do with a folder in /tmp
            warnings.simplefilter("ignore")
            runtime = Path(dirs.user_runtime_dir)
        if not environ.get("XDG_RUNTIME_DIR") and not runtime.is_relative_to("/run/user"):
            runtime = state / "run"  # all homes of this user would share it, or the system clears it (macOS's caches)
        return cls._at(Path(dirs.user_config_dir) / "config.toml", data, state, runtime)

    @classmethod
    def _at(cls, config_file: Path, data: Path, state: Path, runtime: Path) -> "Paths":
        return cls(
            config_file=config_file,
            data_dir=data,
            vault=data / "memory",
            models_dir=data / "models",
            state_dir=state,
            runtime_dir=runtime,
            socket=_short_enough(runtime / "reverie.sock"),
            lock=runtime / "lock",
            token=runtime / "token",
            log=state / "log" / "reverie.log",
        )

    def make(self) -> None:
        """Create the daemon's own folders, the runtime folder for the owner's eyes only."""
        for folder in (self.data_dir, self.state_dir, self.log.parent):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (self.runtime_dir, self.socket.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def _short_enough(socket: Path) -> Path:
    """*socket*, or, where the system could not bind so long a name, a short one in the temporary folder."""
    raw = os.fsencode(socket)
    if len(raw) <= MAX_SOCKET_BYTES:
        return socket
    name = hashlib.sha256(raw).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"reverie-{os.getuid()}" / f"{name}.sock"
