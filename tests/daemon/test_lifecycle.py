"""Start, signals, sockets: real processes, real signals, real sockets."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from daemon.errors import Exit
from daemon.lock import holder_of

Home = Any  # of tests/conftest.py, which is no package


def test_it_starts_without_models_says_so_and_ends_cleanly(home: Home) -> None:
    """Without any model the daemon serves on both doors, names what is missing, and SIGTERM leaves nothing behind."""
    home.start()
    health = home.client.health()
    assert health.status == "ok"
    assert any("reverie models pull smollm2-135m-instruct" in problem for problem in health.problems)
    assert httpx.get(f"{home.url}/health", timeout=60).json()["status"] == "ok"
    status = home.client.status()
    assert (status.ready, status.pid) == (True, home.process.pid)
    assert home.paths.socket.stat().st_mode & 0o777 == 0o600
    code, said = home.stop()
    assert (code, said) == (Exit.OK, "")
    assert not home.paths.socket.exists()
    assert holder_of(home.paths.lock) is None
    assert "ended" in home.log


def test_pain_36_a_second_daemon_names_the_first_and_exits_with_its_own_code(home: Home, home_class: type) -> None:
    """pain 36: on one home the second daemon exits with its own code, names the holder, and disturbs nothing."""
    home.start()
    second = home_class(home.folder).start(ready=False)
    code, said = second.ended()
    second.close()
    assert code == Exit.ALREADY_RUNNING
    assert f"process {home.process.pid}" in said
    assert home.client.health().status == "ok"


def test_pain_36_a_taken_port_names_its_holder_and_nothing_is_half_started(home: Home) -> None:
    """pain 36: with the port in use the daemon exits with its own code, names the process, and leaves no socket."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        home.start("--port", str(port), ready=False)
        code, said = home.ended()
    assert code == Exit.PORT_TAKEN
    assert f"127.0.0.1:{port} is in use by" in said
    assert not home.paths.socket.exists()
    assert not home.paths.vault.exists()


def test_pain_36_leftovers_of_a_killed_daemon_do_not_stop_the_next(home: Home) -> None:
    """pain 36: after kill -9 the lock file and the socket lie there; the next daemon takes both over."""
    home.start()
    first = home.process.pid
    home.signal(signal.SIGKILL)
    home.ended()
    assert home.paths.socket.exists()
    assert f'"pid": {first}' in home.paths.lock.read_text()
    home.close()
    home.start()
    assert home.client.status().pid == home.process.pid != first


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (("--set", "server.prot=1"), Exit.CONFIG_INVALID, "did you mean 'port'?"),
        (("--host", "203.0.113.77"), Exit.CONFIG_INVALID, "cannot listen on 203.0.113.77"),
        (("--set", "models.gpu=maybe"), Exit.CONFIG_INVALID, "expected auto, off or a number"),
        (("--set", "nonsense"), Exit.CONFIG_INVALID, "--set nonsense: write it as KEY=VALUE"),
        (("--set", f"vault.path={__file__}"), Exit.CONFIG_INVALID, f"the vault {__file__} is a file, not a folder"),
        (("--set", f"models.dir={__file__}"), Exit.CONFIG_INVALID, f"the models folder {__file__} is a file"),
    ],
)
def test_a_wrong_setting_ends_it_in_one_line(home: Home, flags: tuple[str, ...], code: Exit, words: str) -> None:
    """What is wrong is said in one line with the next step, under its own exit code, without a trace."""
    home.start(*flags, ready=False)
    found, said = home.ended()
    assert found == code
    assert said.startswith("reverie: ")
    assert words in said
    assert "Traceback" not in said


def test_hangup_reloads_what_can_change_and_keeps_the_rest(home: Home) -> None:
    """SIGHUP: live settings change, others are named as waiting for a restart, a broken file changes nothing."""
    home.start()
    home.configure('[log]\nlevel = "debug"\n[models]\nkeep_alive = "1m"\n')
    home.signal(signal.SIGHUP)
    home.heard("RELOADING=1")
    home.heard("READY=1")
    values = {entry.key: (entry.value, entry.source) for entry in home.client.config()}
    assert values["log.level"] == ('"debug"', f"{home.paths.config_file}:2")
    assert values["models.keep_alive"][0] == "300"
    assert "models.keep_alive: 300.0 -> 60.0 (only after a restart)" in home.log
    home.configure("[log]\nlevle = 1\n")
    home.signal(signal.SIGHUP)
    home.heard("READY=1")
    assert "did you mean 'level'?" in home.log
    with home.client.events(since=0) as stream:
        kinds = []
        while "config_refused" not in kinds:
            kinds.append(next(stream).kind)
    assert [kind for kind in kinds if kind.startswith("config_")] == ["config_reloaded", "config_refused"]
    assert {entry.key: entry.value for entry in home.client.config()}["log.level"] == '"debug"'


def test_an_open_event_stream_ends_with_the_daemon(home: Home) -> None:
    """A reader of events does not hold up a stop: its stream ends, and the daemon with it."""
    home.start()
    with home.client.events(since=0) as stream:
        assert next(stream).kind == "daemon_ready"
        home.signal(signal.SIGTERM)
        assert [event.kind for event in stream][-1] == "daemon_stopping"
    assert home.ended()[0] == Exit.OK


def test_a_pipe_in_the_models_folder_keeps_nobody_waiting(home: Home) -> None:
    """What is no file is no settings of a model: models are listed, and the daemon ends in order."""
    home.start()
    (home.paths.models_dir / "stuck").mkdir(parents=True)
    os.mkfifo(home.paths.models_dir / "stuck" / "model.toml")
    with home.http() as http:
        assert http.get("/models", timeout=20).status_code == 200
    code, _ = home.stop()
    assert code == Exit.OK
    assert "reverie ended" in home.log


def test_off_the_loopback_a_token_is_made_and_required(new_home: Callable[[], Home]) -> None:
    """A daemon on all addresses makes a token for the owner's eyes; other machines need it, the loopback does not."""
    home = new_home().start("--host", "0.0.0.0")
    assert home.paths.token.stat().st_mode & 0o777 == 0o600
    token = home.paths.token.read_text().strip()
    port = home.url.rpartition(":")[2]
    assert httpx.get(f"http://127.0.0.1:{port}/health", timeout=60).status_code == 200
    own = _own_address()
    if own:
        refused = httpx.get(f"http://{own}:{port}/health", timeout=60)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert (
            httpx.get(f"http://{own}:{port}/health", headers={"Authorization": "Bearer x"}, timeout=60).status_code
            == 401
        )
        admitted = httpx.get(f"http://{own}:{port}/health", headers={"Authorization": f"Bearer {token}"}, timeout=60)
        assert admitted.status_code == 200


def _own_address() -> str | None:
    """An address of this machine that is not the loopback, where it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def test_products_of_vectors_take_one_thread_unless_the_owner_says_otherwise() -> None:
    """What numpy reads at its import is set before; what the environment says already stays."""
    script = (
        "import os, sys; from daemon.__main__ import main; code = main(['--set', 'nonsense'])\n"
        "assert 'numpy' not in sys.modules; print(code, os.environ['OPENBLAS_NUM_THREADS'])"
    )
    environ = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for given, threads in ((environ, "1"), (environ | {"OPENBLAS_NUM_THREADS": "3"}, "3")):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=given, check=True)
        assert done.stdout.split() == [str(int(Exit.CONFIG_INVALID)), threads]
