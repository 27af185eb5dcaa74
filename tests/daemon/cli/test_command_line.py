"""What all commands have in common."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.cli import COMMANDS, completion
from daemon.errors import Exit

NEEDS_A_DAEMON = (
    ("search", "x"),
    ("ask", "x"),
    ("remember", "x"),
    ("recall", "x"),
    ("why", "x"),
    ("what-if", "x = y"),
    ("graph",),
    ("proposals", "ls"),
    ("proposals", "apply", "x"),
    ("forget", "--yes", "x"),
    ("undo",),
    ("chat", "x"),
    ("status",),
    ("memory", "ls"),
    ("memory", "status", "x.md"),
    ("memory", "reindex", "x.md"),
    ("models", "check"),
)
HEAVY = {
    "asyncio",
    "httpx",
    "llama_cpp",
    "numpy",
    "onnxruntime",
    "whoosh",
    "textual",
    "dulwich",
    "starlette",
    "psutil",
    "mcp",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_an_example(name, alone):
    """Every command explains itself, with an example to copy."""
    done = alone(name, "--help")
    assert done.code == 0
    assert "example" in done.out
    assert f"reverie {name}" in done.out


def test_every_action_shows_an_example(alone):
    """So does every action of a command that has actions."""
    actions = [node.path for node in completion.tree() if len(node.path) == 2]
    assert len(actions) > 10
    for path in actions:
        done = alone(*path, "--help")
        assert done.code == 0
        assert f"reverie {' '.join(path)}" in done.out.partition("example")[2]


def test_overview_lists_all_commands(alone):
    """`reverie --help`, and `reverie` without a terminal, list the commands."""
    done = alone("--help")
    assert done.code == 0
    assert all(f"\n  {name} " in done.out for name in COMMANDS)
    assert alone().out == done.out


def test_a_mistyped_command(alone):
    """An unknown command is refused with the nearest known one."""
    done = alone("serach", "x")
    assert (done.code, done.out) == (Exit.USAGE, "")
    assert "`reverie search`" in done.err


@pytest.mark.parametrize("arguments", NEEDS_A_DAEMON, ids=" ".join)
def test_without_a_daemon(arguments, alone):
    """What needs the daemon says in one line that none runs and how to start it, and has an exit code for that."""
    done = alone(*arguments)
    assert done.code == Exit.NOT_RUNNING
    assert done.err == "reverie: the daemon is not running: start it with `reverie start`\n"
    assert done.out == ""


def test_search_imports_nothing_heavy(tmp_path):
    """A search has 200 ms in all: no heavy module is imported on its way."""
    code = "import sys; from daemon.cli import main; main(['search', 'x']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "REVERIE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "msgspec" in loaded
    assert not loaded & HEAVY


def test_a_reader_that_leaves(tmp_path):
    """When the reader of the output goes away (`| head -1`), the command ends quietly and without a failure."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "daemon.cli", "config", "show"],
        env={**os.environ, "REVERIE_HOME": str(tmp_path)},
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_streams_and_poor_encodings(tmp_path):
    """Streams that the caller closed, and an encoding without the letters that are printed, break nothing."""
    (tmp_path / "config.toml").write_text('[vault]\npath = "/tmp/\u4e91"\n', encoding="utf-8")
    command = f'"{sys.executable}" -m daemon.cli config show'
    for line, code, words in (
        (f"{command} <&- 2>&-", 0, b"\\u4e91"),
        (f"{command} >&- 2>&-", 0, b""),
        (f'"{sys.executable}" -m daemon.cli search x <&- >&- 2>&-', int(Exit.NOT_RUNNING), b""),
    ):
        environ = {**os.environ, "REVERIE_HOME": str(tmp_path), "PYTHONIOENCODING": "ascii"}
        done = subprocess.run(line, shell=True, env=environ, capture_output=True, check=False)
        assert (done.returncode, words in done.stdout) == (code, True), done


def test_interrupt_ends_quietly(running_home: Path):
    """Ctrl-C ends a waiting command with code 130 and no trace."""
    process = subprocess.Popen(
        [sys.executable, "-m", "daemon.cli", "logs", "-f"],
        env={**os.environ, "REVERIE_HOME": str(running_home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline()  # the log's end has been shown: from here on it waits
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (Exit.INTERRUPTED, b"")


def test_no_colours_in_a_pipe(reverie):
    """Output that is not a terminal has no escape codes."""
    done = reverie("status")
    assert done.code == 0
    assert "\033" not in done.out + done.err


def test_wrong_settings_are_named(alone, tmp_path):
    """A wrong line in the config file is named with its place, and has an exit code of its own."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text("[server]\nprot = 1\n")
    for arguments in (("config", "show"), ("start",)):
        done = alone(*arguments)
        assert done.code == Exit.CONFIG_INVALID
        assert "config.toml:2" in done.err
        assert "'port'" in done.err
        assert "Traceback" not in done.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_know_every_command(shell, alone):
    """The completions of each shell hold every command and its long options."""
    done = alone("completion", shell)
    assert done.code == 0
    for node in completion.tree():
        assert node.path[-1] in done.out
        for option in node.options:
            assert option.spellings[-1].lstrip("-") in done.out


@pytest.mark.parametrize(("said", "meant"), [(("memory", "list"), "memory ls"), (("models", "shwo"), "models show")])
def test_the_action_that_was_meant_is_named(alone, said: tuple[str, ...], meant: str):
    """An action that does not exist is a usage error that names the one that was probably meant."""
    done = alone(*said)
    assert done.code == Exit.USAGE
    assert f"did you mean `reverie {meant}`?" in done.err
