"""
What tests of several rooms share: model files, and daemons in processes of their own.

Model files come from REVERIE_TEST_MODELS, else `.cache/models`, fetched there once when absent. The folder may hold the
files side by side or, as the daemon keeps them, in a folder a model.
"""

import gc
import os
import queue
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from hypothesis import HealthCheck, settings

from daemon.client import Client
from daemon.lock import holder_of
from daemon.paths import Paths
from models.catalog import Catalog
from models.check import CheckReport, TrustBook, exam_digest
from models.pull import pull
from models.starters import Spec, SpecFile
from tests.nursery import Forked

# What tests import, and the many daemons that they start, is compiled once, also where Python was told not to keep it.
sys.dont_write_bytecode = False
sys.pycache_prefix = str(Path(__file__).parents[1] / ".cache" / "bytecode")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # so in the background of a shell, and for all that is started there
    signal.signal(signal.SIGINT, signal.default_int_handler)

gc.disable()  # until all tests are collected: next to nothing of what that makes is garbage


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Whatever looks for garbage from now on need not look through all that was imported."""
    gc.freeze()
    gc.enable()


# The same examples in every run, however long each takes: no test hangs on chance or on what else the machine does.
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")

T = TypeVar("T")
MEMORY, ENOUGH_BYTES = Path("/dev/shm"), 4 << 30
CHAT, EMBED = "smollm2-135m-instruct", "all-minilm-l6-v2"


def _in_memory() -> bool:
    """Whether there is a folder in memory (Linux) that programs can be run from, with room enough."""
    if not os.access(MEMORY, os.W_OK):
        return False
    disk = os.statvfs(MEMORY)
    return not disk.f_flag & os.ST_NOEXEC and disk.f_bavail * disk.f_frsize > ENOUGH_BYTES


# Homes and vaults by the thousand are synced and thrown away: on a disk, waiting for it takes most of the time.
if _in_memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def _cache() -> Path:
    return Path(os.environ.get("REVERIE_TEST_MODELS") or Path(__file__).parents[1] / ".cache" / "models")


def _cached(spec: Spec, file: SpecFile) -> Path | None:
    places = (_cache() / file.name, _cache() / spec.name / file.name)
    return next((path for path in places if path.is_file() and path.stat().st_size == file.size_bytes), None)


def _provide(name: str, target: Path) -> Path:
    """*target*/*name* with the model's files in it."""
    catalog = Catalog(_cache())
    spec = catalog.spec(name)
    assert spec is not None
    if not all(_cached(spec, file) for file in spec.files):
        pull(name, catalog=catalog)
    folder = target / name
    folder.mkdir(parents=True)
    for file in spec.files:
        found = _cached(spec, file)
        assert found is not None, f"{file.name} is not among the files that {name} came with"
        (folder / file.name).symlink_to(found.resolve())
    lines = [f"name = '{name}'", f"kind = '{spec.kind}'", f"sha256 = '{spec.sha256}'", f"license = '{spec.license}'"]
    (folder / "model.toml").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with the starter models for chat and for embeddings installed. Read only: it is shared."""
    folder = tmp_path_factory.mktemp("models")
    for name in (CHAT, EMBED):
        _provide(name, folder)
    return folder


@pytest.fixture(scope="session")
def smollm2_path(models_dir: Path) -> Path:
    """SmolLM2-135M-Instruct as a GGUF file."""
    return Catalog(models_dir).get(CHAT).model_file


@pytest.fixture(scope="session")
def minilm_dir(models_dir: Path) -> Path:
    """The folder of all-MiniLM-L6-v2: model.onnx and tokenizer.json."""
    return Catalog(models_dir).get(EMBED).dir


class Home:
    """
    A home of its own with at most one daemon on it, in a process of its own, on a free port.

    Nothing that may wait for a good moment runs there unless it is asked for, be the machine idle or busy.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths = Paths.find({"REVERIE_HOME": str(folder)})
        self.process: Forked | None = None
        self._ear: socket.socket | None = None

    @property
    def environ(self) -> dict[str, str]:
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("REVERIE_")}
        ours = {"REVERIE_SERVER_PORT": "0", "REVERIE_NIGHT_QUIET_HOURS": "00:00-24:00"}
        return {**inherited, **ours, "REVERIE_HOME": str(self.folder)}

    def configure(self, text: str) -> None:
        """Write the config file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.paths.config_file.write_text(text)

    def add_fake_model(self, name: str = "tiny", kind: str = "chat", settings: str = "") -> None:
        """Install a scripted model."""
        folder = self.paths.models_dir / name
        folder.mkdir(parents=True)
        (folder / "model.toml").write_text(f'name = "{name}"\nkind = "{kind}"\nbackend = "fake"\n{settings}')

    def trust(self, name: str, *abilities: str, digest: str | None = None) -> None:
        """As if `models check` had found that the model *name* can be trusted with *abilities*."""
        if digest is None:
            catalog = Catalog(self.paths.models_dir)
            digest = catalog.digest(catalog.get(name))
        self.paths.state_dir.mkdir(parents=True, exist_ok=True)
        TrustBook(self.paths.state_dir / "trust.json").put(
            CheckReport(model=name, digest=digest, results=(), scores={}, trust=abilities, took_s=0, exam=exam_digest())
        )

    def start(self, *flags: str, ready: bool = True, before: str = "", **environ: str) -> "Home":
        """Start a daemon; return once it said that it is ready. *before* is Python that runs first in its process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._close_ear()
        address = Path(tempfile.gettempdir()) / f"reverie-test-{os.getpid()}-{id(self)}"
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.settimeout(60)
        self._ear.bind(str(address))
        variables = {**self.environ, "NOTIFY_SOCKET": str(address), **environ}
        self.process = Forked(flags, variables, before=before)
        if ready:
            self.heard("READY=1")
        return self

    def heard(self, word: str) -> None:
        """Wait until the daemon told its service manager *word*."""
        assert self._ear is not None
        while word not in self._ear.recv(4096).decode():
            pass

    def until(self, holds: Callable[[], T], within_s: float = 60) -> T:
        """What *holds* gives, once that is true: looked at after every event, and now and then where none comes."""
        ended = time.monotonic() + within_s
        with self.client.events(since=0) as stream:
            events: queue.SimpleQueue[object] = queue.SimpleQueue()
            threading.Thread(target=lambda: [events.put(event) for event in stream], daemon=True).start()
            while not (found := holds()):
                assert time.monotonic() < ended, "it never came to be so"
                with suppress(queue.Empty):
                    events.get(timeout=0.2)
            return found

    def indexed(self, chunks: int) -> "Home":
        """Wait until at least *chunks* passages can be found."""
        self.until(lambda: self.client.status().index.chunks >= chunks)
        return self

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def ended(self, timeout_s: float = 60) -> tuple[int, str]:
        """Wait for the daemon's end: its exit code, and what it said on stderr."""
        assert self.process is not None
        _, said = self.process.communicate(timeout=timeout_s)
        return self.process.returncode, said

    def stop(self) -> tuple[int, str]:
        self.signal(signal.SIGTERM)
        return self.ended()

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self._close_ear()

    def _close_ear(self) -> None:
        if self._ear is not None:
            Path(self._ear.getsockname()).unlink()
            self._ear.close()
            self._ear = None

    @property
    def client(self) -> Client:
        return Client(socket_path=self.paths.socket)

    @property
    def url(self) -> str:
        """The daemon's address for HTTP over TCP."""
        holder = holder_of(self.paths.lock)
        assert holder is not None
        return f"http://{holder.address}"

    def http(self) -> httpx.Client:
        """A client over the unix socket."""
        return httpx.Client(
            transport=httpx.HTTPTransport(uds=str(self.paths.socket)), base_url="http://localhost", timeout=60
        )

    def files(self) -> Iterator[tuple[Path, bytes]]:
        """Every file that lies in the home, with its bytes; what goes while it is looked at is left out."""
        for folder, _, names in os.walk(self.folder):
            for file in (Path(folder, name) for name in names):
                if not file.is_file():
                    continue
                try:
                    data = file.read_bytes()
                except FileNotFoundError:
                    continue
                yield file, data

    @property
    def journal(self) -> str:
        """All conversations that are kept; more than one page of them where a day ended meanwhile."""
        return "".join(page.read_text() for page in sorted((self.paths.vault / "journal").rglob("*.md")))

    @property
    def log(self) -> str:
        return self.paths.log.read_text()


@pytest.fixture(scope="session")
def home_class() -> type[Home]:
    """For fixtures that keep a home for longer than a test."""
    return Home


@pytest.fixture
def new_home(tmp_path: Path) -> Iterator[Callable[[], Home]]:
    """Makes homes; their daemons are ended with the test."""
    homes: list[Home] = []

    def make() -> Home:
        homes.append(Home(tmp_path / f"home{len(homes)}"))
        return homes[-1]

    yield make
    for home in homes:
        home.close()


@pytest.fixture
def home(new_home: Callable[[], Home]) -> Home:
    """A home without a daemon yet."""
    return new_home()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A running daemon with a scripted chat model `tiny` and embedding model, shared by a module's tests."""
    shared = Home(tmp_path_factory.mktemp("home"))
    shared.configure('[server]\nbody_limit = "1 MB"\n[models]\nchat = "tiny"\nembed = "tiny-embed"\n')
    shared.add_fake_model()
    shared.add_fake_model("tiny-embed", "embed")
    shared.start()
    yield shared
    shared.close()
