"""Settings: layers, sources, units, and what is said about wrong ones."""

import os
from pathlib import Path

import pytest
from platformdirs.macos import MacOS

from daemon.config import as_toml, differences, duration_s, host_and_port, load, merged, size_bytes
from daemon.errors import ConfigInvalid
from daemon.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.find({"REVERIE_HOME": str(tmp_path)})


def test_later_layers_win_and_each_value_names_its_source(paths: Paths) -> None:
    """Defaults, file, environment, flags: the later wins, and each value knows the place that set it."""
    paths.config_file.write_text('[server]\nport = 1\n[models]\nchat = "a"\nkeep_alive = "2m"\n')
    config = load(paths, {"REVERIE_MODELS_CHAT": "b", "REVERIE_HOST": "[::1]:9"}, {"server.port": "0"})
    assert (config.server.host, config.server.port, config.models.chat, config.models.keep_alive) == (
        "::1",
        0,
        "b",
        120,
    )
    assert config.sources["server.port"] == "flag server.port"
    assert config.sources["models.chat"] == "REVERIE_MODELS_CHAT"
    assert config.sources["models.keep_alive"] == f"{paths.config_file}:5"
    assert config.sources["log.level"].startswith("defaults.toml:")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[server]\nprot = 1\n", 2, "did you mean 'port'?"),
        ("[sever]\nport = 1\n", 1, "did you mean 'server'?"),
        ("# c\n\nkeep_alive = 1\n", 3, "did you mean 'keep_alive' in [models]?"),
        ("[log]\nchat_quiet_s = 1\n", 2, "did you mean 'chat_quiet_s' in [night]?"),
        ("[server]\nport = 'x'\n", 2, "expected a whole number"),
        ("[server]\nport = 70000\n", 2, "expected 65535 or less"),
        ("[server]\n\nhost = 3\n", 3, "expected text"),
        ("[models]\noffline = 1\n", 2, "expected true or false"),
        ("models.keep_alive = '5 parsecs'\n", 1, "expected a duration"),
        ("[log]\nmax_bytes = '2 XB'\n", 2, "expected a size"),
        ("[night]\nquiet_hours = '8 to 12'\n", 2, "night.quiet_hours is '8 to 12', expected hours of the day as"),
        ("[night]\nquiet_hours = '22:00-25:00'\n", 2, "expected hours of the day"),
        ("[night]\nquiet_hours = '22:00'\n", 2, "expected hours of the day"),
        ("[night]\nquiet_hours = 22\n", 2, "expected hours of the day"),
        ("[log]\nlevel = 'loud'\n", 2, "expected one of debug"),
        ("[server]\nallowed_hosts = 'me'\n", 2, "expected a list"),
        ("[server]\nport =\n", 2, "is not TOML"),
        ("[night]\ngamma = nan\n", 2, "expected a number"),
        ("[night]\nmax_load = inf\n", 2, "expected a number"),
        ("[models]\nkeep_alive = nan\n", 2, "expected a duration"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(paths: Paths, text: str, line: int, words: str) -> None:
    """What is wrong in the file is named by file, line and what was expected there."""
    paths.config_file.write_text(text)
    with pytest.raises(ConfigInvalid) as caught:
        load(paths, {})
    assert str(caught.value).startswith(f"{paths.config_file}:{line}: ")
    assert words in str(caught.value)


def test_a_wrong_variable_is_refused_by_name(paths: Paths) -> None:
    """A misspelt or wrong environment variable fails like a line of the file; others' variables are left alone."""
    with pytest.raises(ConfigInvalid, match="REVERIE_SERVER_PROT: unknown key 'prot'"):
        load(paths, {"REVERIE_SERVER_PROT": "1"})
    with pytest.raises(
        ConfigInvalid, match=r"REVERIE_MODELS_OFFLINE: models\.offline is 'maybe', expected true or false"
    ):
        load(paths, {"REVERIE_MODELS_OFFLINE": "maybe"})
    load(paths, {"REVERIE_TEST_MODELS": "/x", "REVERIEWED": "y"})


def test_pain_04_a_mark_of_byte_order_at_the_start_of_the_file_is_no_error(paths: Paths) -> None:
    """pain 04: a config file that an editor saved with a byte-order mark is read like any other."""
    paths.config_file.write_bytes(b"\xef\xbb\xbf[server]\nport = 1\n")
    assert load(paths, {}).server.port == 1


def test_bytes_that_are_no_text_are_refused(paths: Paths) -> None:
    """A config file that is not UTF-8 is named, not guessed at."""
    paths.config_file.write_bytes(b"[server]\nhost = '\xff'\n")
    with pytest.raises(ConfigInvalid, match="not UTF-8"):
        load(paths, {})


def test_units() -> None:
    """Durations and sizes read as people write them."""
    assert [duration_s(text) for text in ("5m", "90s", "1h30m", "250 ms", "0", "-1", 7)] == [
        300,
        90,
        5400,
        0.25,
        0,
        -1,
        7,
    ]
    assert [size_bytes(text) for text in ("2 GB", "512MiB", "10", 3)] == [2 * 10**9, 512 * 2**20, 10, 3]
    assert [host_and_port(text) for text in ("h:1", "h", ":5", "::1", "[::1]:2", "[::1]")] == [
        ("h", 1),
        ("h", None),
        ("127.0.0.1", 5),
        ("::1", None),
        ("::1", 2),
        ("::1", None),
    ]


def test_a_reload_changes_only_what_can_change_live(paths: Paths) -> None:
    """Of two configs, the merged one takes the live settings of the new and keeps the rest of the old."""
    before = load(paths, {})
    paths.config_file.write_text("[server]\nport = 1\n[log]\nlevel = 'debug'\n")
    after = load(paths, {})
    assert [(change.key, change.live) for change in differences(before, after)] == [
        ("server.port", False),
        ("log.level", True),
    ]
    both = merged(before, after)
    assert (both.server.port, both.log.level) == (before.server.port, "debug")


def test_values_print_as_toml_reads_them(paths: Paths) -> None:
    """What `config show` prints can be pasted into the file and gives the same values."""
    config = load(paths, {"REVERIE_SERVER_ALLOWED_HOSTS": "a, b"})
    paths.config_file.write_text("\n".join(f"{key} = {as_toml(value)}" for key, value, _ in config.items()))
    again = load(paths, {})
    assert again == config
    assert all(source.startswith(str(paths.config_file)) for _, _, source in again.items())


def test_a_long_home_gets_a_short_socket(tmp_path: Path) -> None:
    """A home too deep for a unix socket's name gets its socket in the temporary folder, the same each time."""
    home = tmp_path / ("x" * 120)
    first, second = (Paths.find({"REVERIE_HOME": str(home)}) for _ in range(2))
    assert first.socket == second.socket
    assert len(str(first.socket)) < 100


def test_texts_from_outside_are_plain_texts(paths: Paths) -> None:
    """A text from the environment or a flag is a plain str, so that it can be sent as any other."""
    loaded = load(paths, {"REVERIE_MODELS_CHAT": "toy"}, {"models.embed": "tiny"})
    assert (type(loaded.models.chat), type(loaded.models.embed)) == (str, str)


def test_what_may_be_deleted_lies_apart_from_memory_on_macos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS has one folder for data and state: what is derived has its own in it, with the socket and the lock."""
    for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    found = Paths.of(MacOS("reverie", appauthor=False), {})
    ours = tmp_path / "Library" / "Application Support" / "reverie"
    assert (found.vault, found.models_dir) == (ours / "memory", ours / "models")
    assert found.state_dir == ours / "state"
    assert {found.lock.parent, found.token.parent, found.runtime_dir} == {ours / "state" / "run"}


def test_two_homes_of_one_user_never_share_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a runtime folder of the system's, what a daemon holds while it runs lies beside its own state."""
    for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    found = []
    for home in (tmp_path / "one", tmp_path / "two"):
        monkeypatch.setenv("HOME", str(home))
        found.append(Paths.find({"HOME": str(home)}))
    if Path(f"/run/user/{os.getuid()}").exists():
        assert found[0].lock == found[1].lock  # the system's own folder for this user
    else:
        assert found[0].socket != found[1].socket and found[0].lock.is_relative_to(tmp_path / "one")
