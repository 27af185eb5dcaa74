"""`reverie service`: a systemd user unit or a launchd agent that starts the daemon at login."""

import argparse
import os
import plistlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from daemon import config
from daemon.cli import output
from daemon.cli.failure import CommandFailed
from daemon.paths import Paths

UNIT = """\
[Unit]
Description=reverie, a local assistant that keeps its memory in markdown

[Service]
Type=notify
NotifyAccess=main
ExecStart={command}
ExecReload=/bin/kill -HUP $MAINPID
{environment}KillMode=mixed
TimeoutStopSec=40
Restart=on-failure
RestartSec=2
# Exit codes 2, 4, 5 and 6 (wrong flags, already running, address in use, wrong configuration) do not mend themselves.
RestartPreventExitStatus=2 4 5 6

# The daemon writes under the home folder and nowhere else, and gains no right that its owner lacks.
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
ProtectSystem=strict
ReadWritePaths={writable}
PrivateTmp=yes
UMask=0077

[Install]
WantedBy=default.target
"""

MACOS = sys.platform == "darwin"
LABEL = "org.reverie.daemon"
ENDED_WITHIN_S = 45.0  # running replies may finish first
_XDG = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    install = actions.add_parser(
        "install", help="write the unit and enable it", epilog="example: reverie service install"
    )
    install.add_argument("--print", action="store_true", help="print it and change nothing")
    install.add_argument("--no-enable", action="store_true", help="write it, but do not enable it")
    install.set_defaults(run=install_service)
    remove = actions.add_parser("remove", help="disable and delete it", epilog="example: reverie service remove")
    remove.set_defaults(run=remove_service)


def unit(command: list[str], writable: str, environment: dict[str, str]) -> str:
    """The systemd unit that runs *command* and may write to *writable*."""
    lines = "".join(
        f"Environment={_quoted(f'{name}={value}').replace('$$', '$')}\n"  # it is no command: nothing is expanded in it
        for name, value in environment.items()
    )
    return UNIT.format(command=" ".join(map(_quoted, command)), writable=writable, environment=lines)


def _quoted(word: str) -> str:
    """*word* as systemd reads one word: specifiers and quotes escaped."""
    word = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{word}"' if any(letter in word for letter in " '\"\t") else word


def agent(command: list[str], log: Path, environment: dict[str, str]) -> bytes:
    """The launchd agent that runs *command*."""
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": command,
            "EnvironmentVariables": environment,
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ProcessType": "Interactive",  # people wait for its answers; work in the background gets the slow cores
            "StandardErrorPath": str(log),
            "ExitTimeOut": 40,
        }
    )


def _service_file() -> Path:
    if MACOS:
        return Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd/user/reverie.service"


def _content() -> bytes:
    beside = Path(sys.executable).with_name("reverie")
    command = [str(beside), "serve"] if beside.exists() else [sys.executable, "-m", "daemon.cli", "serve"]
    environment = environment_kept(os.environ)
    paths = Paths.find()
    if MACOS:
        return agent(command, paths.log.with_name("launchd.log"), environment)
    settings = config.load(paths)
    places = {
        paths.data_dir,
        paths.state_dir,
        paths.runtime_dir,
        settings.vault_path(paths),
        settings.models_path(paths),
    }
    outside = sorted(f"-{_quoted(str(place))}" for place in places if not place.is_relative_to(Path.home()))
    content = unit(command, " ".join(["%h", "-%t", *outside]), environment)
    if paths.socket.is_relative_to(tempfile.gettempdir()):  # a private one would hide the socket from the commands
        content = content.replace("PrivateTmp=yes\n", f"ReadWritePaths={tempfile.gettempdir()}\n")
    return content.encode()


def environment_kept(environ: Mapping[str, str]) -> dict[str, str]:
    """What of *environ* makes this home and its settings what they are: the service starts with just that."""
    kept = {
        name: value for name, value in sorted(environ.items()) if value and (name in _XDG or config.is_setting(name))
    }
    if "REVERIE_HOME" in kept:  # the service starts in another folder
        kept["REVERIE_HOME"] = str(Path(kept["REVERIE_HOME"]).expanduser().absolute())
    return kept


def install_service(arguments: argparse.Namespace) -> int:
    """Write the file and, where the service manager is there, enable it."""
    content = _content()
    if arguments.print:
        sys.stdout.write(content.decode())
        return 0
    file = _service_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    print(f"wrote {file}")
    if MACOS:
        Paths.find().make()  # launchd makes no folder for what the agent says
        if not arguments.no_enable:
            _boot_out()  # launchd takes no agent that it has
        steps = [["launchctl", "bootstrap", _domain(), str(file)]]
    else:
        steps = [["systemctl", "--user", "daemon-reload"], ["systemctl", "--user", "enable", "--now", file.name]]
    _run_or_tell(steps, enable=not arguments.no_enable)
    return 0


def remove_service(arguments: argparse.Namespace) -> int:  # noqa: ARG001 - one signature for all
    """Disable the service and delete its file."""
    file = _service_file()
    if not file.exists():
        output.narrate(f"there is no service at {file}")
        return 0
    systemctl = ["systemctl", "--user"]
    if MACOS:
        _boot_out()
        after = []
    elif shutil.which(systemctl[0]) and _reachable():
        _run_or_tell([[*systemctl, "disable", "--now", file.name]], enable=True)
        after = [[*systemctl, "daemon-reload"]]
    else:  # disabling is no more than to delete the link to a unit; what runs can be stopped without its file
        (file.parent / "default.target.wants" / file.name).unlink(missing_ok=True)
        after = [[*systemctl, "stop", file.name], [*systemctl, "daemon-reload"]]
    file.unlink()
    print(f"removed {file}")
    _run_or_tell(after, enable=True)
    return 0


def _domain() -> str:
    """Where launchd keeps the owner's agents."""
    return f"gui/{os.getuid()}"


def _boot_out() -> None:
    """
    Have launchd end the agent, where it has it, and wait until it has.

    Raises:
        CommandFailed: it does not let go of it.
    """
    agent_there = ["launchctl", "print", f"{_domain()}/{LABEL}"]
    if shutil.which("launchctl") is None or subprocess.run(agent_there, check=False, capture_output=True).returncode:
        return
    end = ["launchctl", "bootout", f"{_domain()}/{LABEL}"]
    subprocess.run(end, check=False, capture_output=True)  # it fails also where it only takes a while
    deadline = time.monotonic() + ENDED_WITHIN_S
    while not subprocess.run(agent_there, check=False, capture_output=True).returncode:
        if time.monotonic() > deadline:
            raise CommandFailed("Draining", f"launchd still runs {LABEL}", f"`{' '.join(end)}` ends it")
        time.sleep(0.1)  # launchd can only be asked


def _run_or_tell(steps: list[list[str]], *, enable: bool) -> None:
    """Run *steps*; where they cannot run here, or shall not, print them for the owner to run."""
    for number, step in enumerate(steps):
        if not enable or shutil.which(step[0]) is None or not _reachable():
            output.narrate("to finish, run:")
            for rest in steps[number:]:
                output.narrate("  " + " ".join(rest))
            return
        done = subprocess.run(step, check=False, capture_output=True, text=True)
        if done.returncode:
            said = done.stderr.strip().splitlines()
            raise CommandFailed("StoreError", f"`{' '.join(step)}` failed: {said[-1] if said else done.returncode}")


def _reachable() -> bool:
    """Whether the owner's service manager can be spoken to (not so in a container or over a bare su)."""
    return MACOS or (Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere")) / "systemd").exists()
