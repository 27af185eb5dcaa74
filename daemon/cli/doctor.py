"""`reverie doctor`, `config`, `version`: what one asks when something is odd."""

import argparse
import shutil
from collections.abc import Iterator

from daemon import wire
from daemon.cli import output
from daemon.client import Client, DaemonNotRunning
from daemon.errors import ConfigInvalid, Exit, VaultUnusable
from daemon.paths import Paths

LOW_DISK_BYTES = 500_000_000
COLOURS = {"ok": "green", "note": "blue", "warning": "yellow", "error": "red"}


def configure(command: str, parser: argparse.ArgumentParser) -> None:
    if command == "config":
        actions = parser.add_subparsers(metavar="ACTION", required=True)
        show = actions.add_parser(
            "show", help="each setting, its value and its source", epilog="example: reverie config show"
        )
        show.add_argument("key", nargs="?", help="only keys that start so, as models or server.port")
        show.add_argument("--json", action="store_true", help="the list as JSON")
        show.set_defaults(run=show_config)
        path = actions.add_parser(
            "path", help="where the files are", epilog='example: $EDITOR "$(reverie config path)"'
        )
        path.add_argument("--all", action="store_true", help="every place, not the config file alone")
        path.add_argument("--json", action="store_true", help="every place as JSON")
        path.set_defaults(run=show_paths)
    elif command == "doctor":
        parser.add_argument("--json", action="store_true", help="the findings as JSON")
        parser.set_defaults(run=doctor)
    else:
        parser.add_argument("--json", action="store_true", help="versions of reverie, Python and the system as JSON")
        parser.set_defaults(run=version)


def doctor(arguments: argparse.Namespace) -> int:
    """Print findings, worst first. Exit code 3 without a daemon, 1 where something is an error."""
    findings = list(_own_findings())
    running = True
    try:
        findings += Client.from_environment(timeout_s=600).doctor()
    except DaemonNotRunning as error:
        running = False
        findings.append(wire.Finding(severity="error", subject="daemon", message=error.message, hint=error.hint))
    order = ("error", "warning", "note", "ok")
    findings.sort(key=lambda finding: order.index(finding.severity))
    if arguments.json:
        output.print_json(findings)
    else:
        for finding in findings:
            where = f" {finding.path}" + (f":{finding.line}" if finding.line else "") if finding.path else ""
            label = output.paint(f"{finding.severity:<7}", COLOURS[finding.severity])
            print(f"{label}  {finding.subject}{where}: {finding.message}")
            if finding.hint:
                print(f"         {finding.hint}")
        if all(finding.severity == "ok" for finding in findings):
            print(f"{output.paint('ok     ', 'green')}  nothing is wrong")
    if not running:
        return int(Exit.NOT_RUNNING)
    return 1 if any(finding.severity == "error" for finding in findings) else 0


def _own_findings() -> Iterator[wire.Finding]:
    """What can be seen without a daemon: the settings, and room on the disk."""
    from daemon import config
    from daemon.vaults import VAULTS_FILE, KnownVaults

    paths = Paths.find()
    try:
        settings = config.load(paths)
        settings.must_have_places(paths)
        KnownVaults(paths.state_dir / VAULTS_FILE).must_be_there(settings.vault_path(paths))
    except ConfigInvalid as error:
        yield wire.Finding(severity="error", subject="config", message=str(error))
    except VaultUnusable as error:
        yield wire.Finding(severity="error", subject="vault", message=str(error))
    folder = paths.data_dir
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < LOW_DISK_BYTES:
        yield wire.Finding(
            severity="warning", subject="disk", message=f"{output.size(free)} are free under {folder}", hint="make room"
        )


def show_config(arguments: argparse.Namespace) -> int:
    """Print the settings that a daemon started now would have."""
    from daemon import config

    settings = config.load(Paths.find())
    values = [
        wire.ConfigValue(key=key, value=config.as_toml(value), source=source)
        for key, value, source in settings.items()
        if arguments.key is None or key.startswith(arguments.key)
    ]
    if arguments.json:
        output.print_json(values)
    else:
        output.print_table(
            [[v.key, v.value, v.source] for v in values], ("key", "value", "source"), empty="no setting begins so"
        )
    return 0


def show_paths(arguments: argparse.Namespace) -> int:
    """Print the config file's place, or every place."""
    from daemon import config

    paths = Paths.find()
    if not (arguments.all or arguments.json):
        print(paths.config_file)
        return 0
    settings = config.load(paths)
    places = {
        "config": str(paths.config_file),
        "vault": str(settings.vault_path(paths)),
        "models": str(settings.models_path(paths)),
        "state": str(paths.state_dir),
        "socket": str(paths.socket),
        "token": str(paths.token),
        "log": str(paths.log),
    }
    if arguments.json:
        output.print_json(places)
    else:
        for name, place in places.items():
            print(f"{name:<7} {place}")
    return 0


def version(arguments: argparse.Namespace) -> int:
    import platform

    from daemon import VERSION

    if arguments.json:
        output.print_json({"reverie": VERSION, "python": platform.python_version(), "system": platform.platform()})
    else:
        print(f"reverie {VERSION}")
    return 0
