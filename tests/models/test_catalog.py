"""Names of models, and what lies in the models folder."""

import os
import time
from pathlib import Path

import pytest

from models.catalog import Catalog, file_sha256
from models.errors import ModelFileCorrupt, ModelMissing, ModelTruncated, ModelUnknown
from models.names import name_of_file, normalise
from models.starters import combined_digest, starters
from tests.models.gguf_files import BASE, gguf, number, write_gguf


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("SmolLM2:135M-Instruct", "smollm2-135m-instruct"),
        ("smollm2-135m-instruct:latest", "smollm2-135m-instruct"),
        ("Qwen2.5 0.5B", "qwen2.5-0.5b"),
        ("../../etc/passwd", "etc-passwd"),
        ("x.GGUF", "x"),
        (" ", ""),
    ],
)
def test_names_have_one_spelling(written: str, name: str) -> None:
    """Case, tags, blanks and what could leave the folder are gone from a name."""
    assert normalise(written) == name
    assert normalise(name) == name


def test_a_files_name_keeps_its_quantisation() -> None:
    """Two quantisations of one model are two names; the part number of a split model is none."""
    assert name_of_file("SmolLM2-135M-Instruct.Q4_1.gguf") == "smollm2-135m-instruct-q4_1"
    assert name_of_file("Big-IQ4_XS-00001-of-00003.gguf") == "big-iq4_xs"


def test_starters_are_pinned() -> None:
    """Every starter names its licence and, for each file, size, digest and the exact wheels."""
    for spec in starters():
        assert spec.license
        assert all(len(file.sha256) == 64 and file.size_bytes for file in spec.files)
        assert all("==" in part.requirement for file in spec.files for part in file.parts)


def test_a_file_dropped_by_hand_is_a_model(tmp_path: Path) -> None:
    """A GGUF in the folder is found by its name, with or without quantisation; settings stand beside it."""
    file = write_gguf(tmp_path / "Tiny.Q4_0.gguf")
    (tmp_path / "Tiny.Q4_0.toml").write_text("[overrides]\ncontext_tokens = 256\n")
    catalog = Catalog(tmp_path)
    model = catalog.get("tiny")
    assert (model.name, model.files, model.overrides.context_tokens) == ("tiny-q4_0", (file,), 256)
    assert catalog.worker_spec("tiny-q4_0").path == str(file)


def test_a_digest_is_computed_once(tmp_path: Path) -> None:
    """The digest of a dropped file is kept while the file stays the same, and computed anew when it changed."""
    file = write_gguf(tmp_path / "tiny.gguf")
    catalog = Catalog(tmp_path)
    assert catalog.get("tiny").sha256 is None
    assert catalog.digest(catalog.get("tiny")) == file_sha256(file) == catalog.get("tiny").sha256
    write_gguf(file, gguf((*BASE, number("x", 1))))
    assert catalog.get("tiny").sha256 is None
    assert catalog.digest(catalog.get("tiny")) == file_sha256(file)


def test_an_unknown_name_gets_the_nearest(tmp_path: Path) -> None:
    """A typo names what may have been meant; a starter that is not here is missing, not unknown."""
    write_gguf(tmp_path / "mistral-7b.gguf")
    catalog = Catalog(tmp_path)
    with pytest.raises(ModelUnknown, match="did you mean mistral-7b") as caught:
        catalog.get("mistal-7b")
    assert caught.value.nearest == ("mistral-7b",)
    with pytest.raises(ModelMissing, match="reverie models pull smollm2-135m-instruct"):
        catalog.get("smollm2:135m-instruct")
    with pytest.raises(ModelUnknown, match="models ls"):
        catalog.get("zzz")


def test_two_quantisations_are_not_guessed_between(tmp_path: Path) -> None:
    """A name that fits two models is unknown, and both are named."""
    for quantisation in ("Q4_0", "Q8_0"):
        write_gguf(tmp_path / f"tiny.{quantisation}.gguf")
    with pytest.raises(ModelUnknown, match="tiny-q4_0 or tiny-q8_0"):
        Catalog(tmp_path).get("tiny")


def test_wrong_settings_are_warned_about_not_fatal(tmp_path: Path) -> None:
    """An unknown override names the nearest; a wrong type and unreadable TOML are named; the model stays usable."""
    write_gguf(tmp_path / "a.gguf")
    write_gguf(tmp_path / "b.gguf")
    (tmp_path / "a.toml").write_text("[overrides]\nchat_tempalte = 'x'\ncontext_tokens = 'many'\nstop = ['a']\n")
    (tmp_path / "b.toml").write_text("[overrides\n")
    catalog = Catalog(tmp_path)
    first, second = catalog.get("a"), catalog.get("b")
    assert "did you mean chat_template" in first.warnings[0]
    assert "context_tokens" in first.warnings[1]
    assert first.overrides.stop == ("a",)
    assert "b.toml is ignored" in second.warnings[0]


def test_folders_without_a_model_are_none(tmp_path: Path) -> None:
    """Notes, empty and hidden folders and an ONNX file without tokenizer are not listed; nor is a missing folder."""
    (tmp_path / "empty").mkdir()
    (tmp_path / ".pulling" / "x").mkdir(parents=True)
    write_gguf(tmp_path / ".pulling" / "x" / "x.gguf")
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "model.onnx").write_bytes(b"x")
    (tmp_path / "notes.txt").write_text("x")
    assert Catalog(tmp_path).installed() == ()
    assert Catalog(tmp_path / "none").installed() == ()


def test_pain_34_a_file_that_went_bad_is_put_aside_before_loading(tmp_path: Path) -> None:
    """pain 34: asked how to load a cut file, the catalog quarantines it with the reason and lists it no longer."""
    file = write_gguf(tmp_path / "tiny.gguf", gguf()[:-99])
    os.utime(file, (time.time() - 3600,) * 2)
    catalog = Catalog(tmp_path)
    with pytest.raises(ModelTruncated, match="moved to") as caught:
        catalog.worker_spec("tiny")
    assert catalog.installed() == ()
    assert caught.value.moved_to is not None
    assert "cut short" in (caught.value.moved_to / "reason.txt").read_text()


def test_a_file_still_being_copied_is_left_where_it_is(tmp_path: Path) -> None:
    """A fresh file put there by hand is refused, but not moved from under the program that writes it."""
    file = write_gguf(tmp_path / "tiny.gguf", gguf()[:-99])
    catalog = Catalog(tmp_path)
    with pytest.raises(ModelFileCorrupt):
        catalog.worker_spec("tiny")
    write_gguf(file)
    assert catalog.worker_spec("tiny").model == "tiny"


def test_removing_removes_all_of_it(tmp_path: Path) -> None:
    """A folder and a dropped file go with their settings."""
    write_gguf(tmp_path / "a.gguf")
    (tmp_path / "a.toml").write_text("")
    (tmp_path / "b").mkdir()
    write_gguf(tmp_path / "b" / "b.gguf")
    catalog = Catalog(tmp_path)
    catalog.remove("a")
    catalog.remove("b")
    assert list(tmp_path.iterdir()) == []


def test_a_digest_of_several_files_knows_their_names() -> None:
    """One file's digest is its own; several files' digest depends on which name has which bytes, not on their order."""
    assert combined_digest({"a": "1"}) == "1"
    assert combined_digest({"a": "1", "b": "2"}) == combined_digest({"b": "2", "a": "1"})
    assert combined_digest({"a": "1", "b": "2"}) != combined_digest({"a": "2", "b": "1"})
