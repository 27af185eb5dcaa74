"""A daemon on a home of its own, for benchmarks."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from daemon import wire
from daemon.client import Client, DaemonError

ROOT = Path(__file__).parents[2]
STARTERS = ("smollm2-135m-instruct", "all-minilm-l6-v2")


class Home:
    """A temporary home; `start` runs the daemon on it as its owner would."""

    def __init__(self, root: Path, *, vault: Path | None = None, models: tuple[str, ...] = STARTERS) -> None:
        self.root = root
        self.models = models
        self.environ = {
            **os.environ,
            "REVERIE_HOME": str(root),
            "REVERIE_SERVER_PORT": str(free_port()),
            "REVERIE_LOG_LEVEL": "info",
            "PYTHONPATH": str(ROOT),
        }
        if vault is not None:
            self.environ["REVERIE_VAULT_PATH"] = str(vault)
        self.port = int(self.environ["REVERIE_SERVER_PORT"])
        self._provide_models()
        self._process: subprocess.Popen[bytes] | None = None

    def _provide_models(self) -> None:
        from models.catalog import Catalog
        from models.pull import pull

        catalog = Catalog(self.root / "models")
        shared = Path(os.environ.get("REVERIE_TEST_MODELS") or ROOT / ".cache" / "models")
        for name in self.models:
            spec = catalog.spec(name)
            assert spec is not None
            places = [[folder / file.name for file in spec.files] for folder in (shared, shared / name)]
            found = next((files for files in places if all(path.is_file() for path in files)), None)
            if found is None:
                pull(name, catalog=Catalog(shared))
                found = places[1]
            folder = self.root / "models" / name
            folder.mkdir(parents=True)
            for path in found:
                (folder / path.name).symlink_to(path.resolve())
            (folder / "model.toml").write_text(f"name = '{name}'\nkind = '{spec.kind}'\nsha256 = '{spec.sha256}'\n")

    @property
    def client(self) -> Client:
        """A client of this home's daemon."""
        from daemon.paths import Paths

        return Client(socket_path=Paths.find(self.environ).socket, timeout_s=120)

    @property
    def pid(self) -> int:
        """The daemon's process."""
        assert self._process is not None
        return self._process.pid

    def command(self, *arguments: str) -> list[str]:
        """The command line for `reverie ARGUMENTS`."""
        return [sys.executable, "-m", "daemon.cli", *arguments]

    def start(self) -> float:
        """Run the daemon until it answers. Returns the seconds from spawn to ready."""
        began = time.perf_counter()
        with (self.root / "daemon.out").open("wb") as out:
            self._process = subprocess.Popen(
                self.command("serve"), cwd=ROOT, env=self.environ, stdout=out, stderr=subprocess.STDOUT
            )
        self.wait(lambda: self.client.health().status == "ok", within_s=120, every_s=0.01)
        return time.perf_counter() - began

    def stop(self) -> None:
        """End the daemon as a service manager does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._process = None

    def wait(self, condition: Callable[[], bool], *, within_s: float, every_s: float = 0.05) -> None:
        """Ask until *condition* holds; a daemon that does not answer yet does not count."""
        deadline = time.perf_counter() + within_s
        while True:
            try:
                if condition():
                    return
            except DaemonError:
                pass
            if self._process is not None and self._process.poll() is not None:
                raise RuntimeError(f"the daemon ended: {(self.root / 'daemon.out').read_text()[-2000:]}")
            if time.perf_counter() > deadline:
                raise TimeoutError("the daemon never got there")
            time.sleep(every_s)

    def index(self) -> wire.IndexStatus:
        """How far the index is."""
        return self.client.status().index


@contextmanager
def temporary_home(*, vault: Path | None = None, models: tuple[str, ...] = STARTERS) -> Iterator[Home]:
    """A home that is stopped and removed at the end."""
    root = Path(tempfile.mkdtemp(prefix="reverie-bench-"))
    home = Home(root, vault=vault, models=models)
    try:
        yield home
    finally:
        home.stop()
        shutil.rmtree(root, ignore_errors=True)


def embedding_folder() -> Path:
    """Where the starter embedding model lies."""
    from models.catalog import Catalog

    folder = Path(os.environ.get("REVERIE_TEST_MODELS") or ROOT / ".cache" / "models")
    return folder if (folder / "model.onnx").exists() else Catalog(folder).get(STARTERS[1]).dir


def free_port() -> int:
    """A port of the loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def percentile(values: list[float], share: float) -> float:
    """The nearest-rank percentile of *values*, *share* in (0, 1]."""
    ranked = sorted(values)
    return ranked[max(0, -(-len(ranked) * int(share * 100) // 100) - 1)]
