"""`reverie models` on a folder of models, where no daemon runs and where one does."""

import json
from pathlib import Path

import pytest

from daemon.errors import Exit
from tests.models.gguf_files import write_gguf


@pytest.fixture
def fake_model(tmp_path: Path) -> Path:
    """A home with one installed model: the fake one, which needs no file."""
    folder = tmp_path / "home" / "models" / "toy"
    folder.mkdir(parents=True)
    (folder / "model.toml").write_text('kind = "chat"\nbackend = "fake"\nlicense = "MIT"\n')
    return folder


def test_list_without_a_daemon(alone, fake_model: Path):
    """Without a daemon, `ls` shows what lies in the folder, then the known models that do not."""
    rows = alone("models", "ls").out.splitlines()
    assert rows[0].split()[:2] == ["toy", "chat"]
    assert any("all-minilm-l6-v2" in row and "not installed" in row for row in rows)
    listed = json.loads(alone("models", "ls", "--json").out)
    assert [model["name"] for model in listed if model["installed"]] == [fake_model.name]


def test_show_installed_and_known(alone, fake_model: Path):
    """`show` tells about an installed model and about a known one that is not here."""
    assert "MIT" in alone("models", "show", fake_model.name).out
    known = json.loads(alone("models", "show", "all-minilm-l6-v2", "--json").out)
    assert known["installed"] is False
    assert known["license"] == "Apache-2.0"


def test_remove(alone, fake_model: Path):
    """`rm` deletes the files and says which model went."""
    done = alone("models", "rm", fake_model.name)
    assert (done.code, done.out) == (0, "removed toy\n")
    assert not fake_model.exists()


def test_unknown_models(alone, fake_model: Path):
    """A name that no model has is refused with an exit code of its own, in one line that helps."""
    for arguments in (("show", "toi"), ("rm", "toi"), ("pull", "toi")):
        done = alone("models", *arguments)
        assert done.code == Exit.NOT_FOUND
        assert "toi" in done.err
        assert "Traceback" not in done.err
    assert fake_model.exists()


def test_pain_34_a_file_that_is_no_model(alone, tmp_path: Path):
    """pain 34: pulling a file that is no model is refused by its header, and leaves no model behind."""
    file = tmp_path / "notes.gguf"
    file.write_bytes(b"these are words" * 100)
    done = alone("models", "pull", str(file))
    assert done.code == Exit.MODEL_FAILED
    assert "Traceback" not in done.err
    assert not [model for model in json.loads(alone("models", "ls", "--json").out) if model["installed"]]


def test_a_pull_as_json(alone, reverie, tmp_path: Path):
    """With `--json` a pull prints what is installed then as `ls` does, here or by the daemon; progress is on stderr."""
    write_gguf(tmp_path / "small.gguf")
    for command in (alone, reverie):
        done = command("models", "pull", str(tmp_path / "small.gguf"), "--json")
        assert [(model["name"], model["installed"]) for model in json.loads(done.out)] == [("small", True)], done.err
        assert "reading the header" in done.err
        assert command("models", "rm", "small").code == 0


def test_through_the_daemon(reverie):
    """Where a daemon runs, the same commands ask it and fail with the same codes."""
    assert any("all-minilm-l6-v2" in row for row in reverie("models", "ls").out.splitlines())
    assert reverie("models", "show", "nope").code == Exit.NOT_FOUND
    assert reverie("models", "rm", "nope").code == Exit.NOT_FOUND
    assert reverie("models", "check").code == Exit.NOT_FOUND


@pytest.mark.slow
def test_pull_a_real_file(alone, smollm2_path: Path):
    """A model file on this machine is taken under the given name, verified, and can be removed again."""
    done = alone("models", "pull", str(smollm2_path), "--name", "mine")
    assert done.code == 0, done.err
    shown = json.loads(alone("models", "show", "mine", "--json").out)
    assert shown["size_bytes"] == smollm2_path.stat().st_size
    assert alone("models", "rm", "mine").code == 0
