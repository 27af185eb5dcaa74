"""Files that are written from the commands themselves say what the commands do."""

import importlib.util
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def written() -> dict[Path, str]:
    """What `packaging/man/write.py` would write now."""
    spec = importlib.util.spec_from_file_location("write_man", ROOT / "packaging/man/write.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.files()


def test_derived_files_are_up_to_date():
    """Man page, completions, unit, agent and the README's exit codes are what `packaging/man/write.py` writes."""
    stale = [str(path.relative_to(ROOT)) for path, text in written().items() if path.read_text("utf-8") != text]
    assert stale == []


def test_launchd_agent_is_a_property_list():
    """The launchd agent parses, and runs the daemon in the foreground at login."""
    agent = plistlib.loads((ROOT / "packaging/launchd/org.reverie.daemon.plist").read_bytes())
    assert agent["ProgramArguments"][-2:] == ["reverie", "serve"]
    assert agent["RunAtLoad"] is True


@pytest.mark.parametrize(("shell", "file"), [("bash", "reverie.bash"), ("zsh", "_reverie"), ("fish", "reverie.fish")])
def test_completions_parse(shell, file):
    """Each shell that is installed here reads its completions without an error."""
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n", str(ROOT / "packaging/completions" / file)], check=True, timeout=20)


def test_bash_completes_commands_and_actions():
    """In bash, `reverie mem` completes to `memory`, and `reverie memory st` to `status`."""
    script = f"""
        source {ROOT / "packaging/completions/reverie.bash"}
        COMP_WORDS=(reverie mem); COMP_CWORD=1; _reverie; echo "${{COMPREPLY[*]}}"
        COMP_WORDS=(reverie memory st); COMP_CWORD=2; _reverie; echo "${{COMPREPLY[*]}}"
        COMP_WORDS=(reverie search --mode k); COMP_CWORD=3; _reverie; echo "${{COMPREPLY[*]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=20)
    assert done.stdout.splitlines() == ["memory", "status", "keyword"]


def test_unit_is_verified_by_systemd(tmp_path):
    """Where systemd is installed, the unit passes its own check, as a file here and as `service install` writes it."""
    if shutil.which("systemd-analyze") is None:
        return
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    unit = ROOT / "packaging/systemd/reverie.service"
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", str(unit)],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
