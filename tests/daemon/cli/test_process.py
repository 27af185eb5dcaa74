"""`reverie start`, `stop`, `status`, `logs`, `serve`."""

import json
import os
import plistlib
import signal
import socket
from pathlib import Path

import pytest

from daemon.cli import process, service
from daemon.cli.service import agent, environment_kept
from daemon.client import Client
from daemon.errors import Exit
from daemon.lock import Lock, holder_of


def test_start_is_idempotent(reverie, running_home: Path):
    """Starting where a daemon runs changes nothing and says which one runs."""
    holder = holder_of(running_home / "run" / "lock")
    assert holder is not None
    done = reverie("start")
    assert done.code == 0
    assert f"already runs: process {holder.pid}" in done.out


def test_start_and_stop(alone, tmp_path: Path):
    """`start` returns once the daemon answers; `stop` returns once its process is gone; both can be repeated."""
    home = tmp_path / "home"
    assert alone("stop").code == 0
    done = alone("start", "--port", "0")
    assert done.code == 0, done.err
    assert Client(socket_path=home / "run" / "reverie.sock").health().status == "ok"
    holder = holder_of(home / "run" / "lock")
    assert holder is not None
    assert alone("stop").code == 0
    assert holder_of(home / "run" / "lock") is None
    assert "was not running" in alone("stop").err


def test_a_daemon_that_drains_is_said_to_stop(alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """While the old daemon lets replies finish, every command says so, and `start` waits instead of naming it."""
    lock_file = tmp_path / "home" / "run" / "lock"
    lock_file.parent.mkdir(parents=True)
    lock = Lock.take(lock_file, tmp_path)
    lock.say_stopping()
    monkeypatch.setattr(process, "STOP_WITHIN_S", 0.05)
    start = alone("start", "--port", "0")
    others = [alone(*words) for words in (["status"], ["search", "boat"], ["ask", "who?"], ["memory", "ls"])]
    lock.release()
    assert start.code == Exit.BUSY
    for other in others:
        assert other.code == Exit.BUSY
        assert f"the daemon is stopping: process {os.getpid()}" in other.err
        assert "reverie stop --force" in other.err
        assert "not running" not in other.err
    assert "waiting for its running replies" in start.err
    assert "already runs" not in start.out


def test_a_suspended_daemon_is_told_apart_and_stopped(alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A daemon that was suspended: `status` soon says that it hangs, and `stop` wakes it to end."""
    lock_file = tmp_path / "home" / "run" / "lock"
    assert alone("start", "--port", "0").code == 0
    holder = holder_of(lock_file)
    assert holder is not None
    os.kill(holder.pid, signal.SIGSTOP)
    monkeypatch.setattr(process, "QUICK_S", 0.2)
    status, stop = alone("status"), alone("stop")
    assert status.code == Exit.BUSY
    assert f"process {holder.pid} hangs or is suspended" in status.err
    assert stop.code == 0
    assert holder_of(lock_file) is None


def test_pain_36_port_in_use(alone):
    """pain 36: a port that another process has is reported by `start`, with its own exit code and what to do."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = alone("start", "--port", str(port))
    assert done.code == Exit.PORT_TAKEN
    assert str(port) in done.err
    assert "REVERIE_HOST" in done.err


def test_a_start_that_fails_hands_on_the_daemons_own_hint(alone):
    """`start` says what the daemon said before it ended, its next step included, and ends with its exit code."""
    done = alone("start", "--host", "203.0.113.77")
    assert done.code == Exit.CONFIG_INVALID
    assert "cannot listen on 203.0.113.77" in done.err
    assert done.err.splitlines()[1] == "  server.host must be an address of this machine"


def test_pain_36_second_daemon(reverie, running_home: Path):
    """pain 36: `serve` on a home where a daemon runs names that one and exits with its own code."""
    holder = holder_of(running_home / "run" / "lock")
    assert holder is not None
    done = reverie("serve", "--port", "0")
    assert done.code == Exit.ALREADY_RUNNING
    assert str(holder.pid) in done.err


def test_status_for_people_and_programs(reverie, running_home: Path):
    """Status shows version, process and vault; as JSON it is the wire's own type."""
    shown = reverie("status").out
    now = json.loads(reverie("status", "--json").out)
    assert now["vault"] in shown
    assert str(now["pid"]) in shown
    assert Path(now["home"]) == running_home
    os.kill(now["pid"], 0)


def test_logs_show_the_end(reverie, running_home: Path):
    """`logs -n 1` prints the last line of the log file."""
    last = (running_home / "state" / "log" / "reverie.log").read_text().splitlines()[-1]
    done = reverie("logs", "-n", "1")
    assert done.code == 0
    assert done.out.splitlines()[-1][:20] == last[:20]


def test_no_log_yet(alone):
    """On a home that never had a daemon, `logs` says where the log will be."""
    done = alone("logs")
    assert done.code == Exit.NOT_FOUND
    assert "reverie.log" in done.err


def test_a_vault_of_the_owners_is_never_created(alone, tmp_path: Path):
    """A vault path that does not exist stops the start, and doctor, with the place that set it and the next step."""
    home = tmp_path / "home"
    home.mkdir()
    vault = tmp_path / "no such vault"
    (home / "config.toml").write_text(f'[vault]\npath = "{vault}"\n')
    done = alone("start", "--port", "0")
    assert done.code == Exit.CONFIG_INVALID
    for said in (done.err, alone("doctor").out):
        assert f"config.toml:2: the vault {vault} does not exist" in said
        assert f"mkdir -p '{vault}'" in said
    assert not vault.exists()


def test_the_service_keeps_the_environment(alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The unit names the home, the folders and the settings that were in force when it was written, and no token."""
    monkeypatch.setenv("REVERIE_HOST", "127.0.0.1:7099")
    monkeypatch.setenv("REVERIE_MODELS_KEEP_ALIVE", "1h")
    monkeypatch.setenv("REVERIE_TOKEN", "secret")
    monkeypatch.setenv("XDG_DATA_HOME", f"{tmp_path}/a $100% folder")
    unit = alone("service", "install", "--print").out
    for line in (
        f"Environment=REVERIE_HOME={tmp_path}/home",
        "Environment=REVERIE_HOST=127.0.0.1:7099",
        "Environment=REVERIE_MODELS_KEEP_ALIVE=1h",
        f'Environment="XDG_DATA_HOME={tmp_path}/a $100%% folder"',
    ):
        assert line in unit.splitlines()
    assert "secret" not in unit
    made = plistlib.loads(agent(["reverie"], tmp_path / "log", environment_kept(os.environ)))
    assert made["EnvironmentVariables"]["REVERIE_HOST"] == "127.0.0.1:7099"


def test_a_service_that_cannot_be_disabled_here_is_gone_all_the_same(
    alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Without a service manager the unit and its link go, and what is told to run needs neither."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "nothing"))
    unit = tmp_path / "systemd" / "user" / "reverie.service"
    alone("service", "install", "--no-enable")
    link = unit.parent / "default.target.wants" / unit.name
    link.parent.mkdir()
    link.symlink_to(unit)
    done = alone("service", "remove")
    assert (done.code, done.out) == (0, f"removed {unit}\n")
    assert (unit.exists(), link.is_symlink(), "disable" in done.err) == (False, False, False)
    assert "systemctl --user stop reverie.service" in done.err


LAUNCHCTL = """#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> asked
case $1 in
    print) test -e agent ;;
    bootstrap) test -e agent && { echo "Bootstrap failed: 5: Input/output error" >&2; exit 5; }; touch agent ;;
    bootout) rm agent && echo "Boot-out failed: 36: Operation now in progress" >&2; exit 36 ;;
esac
"""


def test_a_launchd_agent_is_put_in_place_of_the_one_before(alone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """On macOS an agent can be installed again, gets the fast cores and a folder for its words, and can be removed."""
    launchctl = tmp_path / "bin" / "launchctl"
    launchctl.parent.mkdir()
    launchctl.write_text(LAUNCHCTL)
    launchctl.chmod(0o755)
    monkeypatch.setattr(service, "MACOS", True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{launchctl.parent}:{os.environ['PATH']}")
    file = tmp_path / "Library" / "LaunchAgents" / f"{service.LABEL}.plist"
    for _ in range(2):
        done = alone("service", "install")
        assert (done.code, done.out) == (0, f"wrote {file}\n"), done.err
    made = plistlib.loads(file.read_bytes())
    assert made["ProcessType"] == "Interactive" and Path(made["StandardErrorPath"]).parent.is_dir()
    for said in (f"removed {file}\n", ""):
        done = alone("service", "remove")
        assert (done.code, done.out) == (0, said), done.err
    asked = [line.split()[0] for line in (launchctl.parent / "asked").read_text().splitlines()]
    again = ["print", "bootout", "print"]
    assert asked == ["print", "bootstrap", *again, "bootstrap", *again]
