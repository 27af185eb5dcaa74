"""Embeddings: the batched, threaded path against the plain one."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer

from models.catalog import Catalog
from models.embed import OnnxEmbedder, batches
from models.errors import ModelFileCorrupt, ModelLoadFailed
from models.onnx_weights import compact

pytestmark = pytest.mark.slow

TEXTS = [
    "Mina Olsen leads the team.",
    "",
    "The guest wifi password changed last week, and nobody told Priya. " * 9,
    "云工开物 优惠券",
    "short",
    "A page about gardens: " + "tomatoes, beans and basil; " * 40,
    "word " * 2000,
    "emoji 🌳 and a\x00control",
]


@pytest.fixture(scope="module")
def embedder(minilm_dir: Path) -> OnnxEmbedder:
    return OnnxEmbedder(minilm_dir, threads=2)


def plain(folder: Path, text: str) -> np.ndarray:
    """One text, one run, all of the runtime's defaults."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    ids = np.array([tokenizer.encode(text).ids], np.int64)
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    vector = session.run(None, feed)[0][0].mean(axis=0)
    return vector / np.linalg.norm(vector)


def test_batches_give_the_vectors_of_one_by_one(embedder: OnnxEmbedder, minilm_dir: Path) -> None:
    """Sorting, padding and threads change no vector, and 8-bit arithmetic next to none: rows stay in input order."""
    rows = embedder(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    for row, text in zip(rows, TEXTS, strict=True):
        assert float(row @ embedder([text])[0]) >= 0.99999
        assert float(row @ plain(minilm_dir, text)) >= (0.999 if len(text.split()) > 4 else 0.996)


def test_a_few_texts_find_every_core(minilm_dir: Path) -> None:
    """Questions that are computed together are spread over the threads, though all would fit into one run."""
    embedder = OnnxEmbedder(minilm_dir, threads=2)
    runs: list[int] = []
    run = embedder._run

    def counted(ids: list[list[int]]) -> np.ndarray:
        runs.append(len(ids))
        return run(ids)

    embedder._run = counted  # type: ignore[method-assign, assignment]
    questions = [f"who leads the {color} team" for color in ("red", "blue", "green", "black")]
    together = embedder(questions)
    assert runs == [2, 2]
    alone = np.concatenate([embedder([text]) for text in questions])
    assert float((together * alone).sum(axis=1).min()) >= 0.99999


def test_near_texts_are_nearer(embedder: OnnxEmbedder) -> None:
    """Vectors mean something: a paraphrase is nearer than another topic."""
    query, near, far = embedder(["Who is the boss of the team?", "Mina Olsen leads the team.", "Beans need rain."])
    assert query @ near > query @ far + 0.2


def test_no_texts_give_no_rows(embedder: OnnxEmbedder) -> None:
    """Empty input gives (0, dim)."""
    assert embedder([]).shape == (0, 384)


def test_the_digest_is_the_catalogs(embedder: OnnxEmbedder, models_dir: Path) -> None:
    """Worker and catalog name the model by the same digest, so vectors are stamped alike on both sides."""
    assert embedder.digest == Catalog(models_dir).get("all-minilm-l6-v2").sha256


def test_a_batch_never_exceeds_its_tokens() -> None:
    """Every index comes once; a run padded to its longest stays within the limit unless it is one text."""
    lengths = [3, 500, 7, 900, 7, 120, 1, 256, 255, 4]
    runs = list(batches(lengths, 512))
    assert sorted(index for run in runs for index in run) == list(range(len(lengths)))
    assert all(len(run) == 1 or len(run) * max(lengths[i] for i in run) <= 512 for run in runs)


def test_a_broken_model_is_named(tmp_path: Path, minilm_dir: Path) -> None:
    """A file that onnxruntime or the tokenizer refuses gives an error that names the model."""
    (tmp_path / "model.onnx").write_bytes(b"nothing")
    (tmp_path / "tokenizer.json").symlink_to(minilm_dir / "tokenizer.json")
    with pytest.raises(ModelLoadFailed, match=tmp_path.name):
        OnnxEmbedder(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelFileCorrupt, match="not a tokenizer"):
        OnnxEmbedder(tmp_path)


def test_weights_stay_in_8_bits(minilm_dir: Path) -> None:
    """All 36 products and both tables keep their int8 weights: what is loaded is hardly larger than the file."""
    model = (minilm_dir / "model.onnx").read_bytes()
    small = compact(model)
    assert small is not None
    assert small.count(b"MatMulNBits") == 36
    assert small.count(b"IsNaN") == 0
    assert len(small) < 1.1 * len(model)
    assert compact(small) is None


@pytest.mark.parametrize("damage", [b"", b"no model", b"\x3a\xff", b"\x3a\x05\x0a\x03abc"])
def test_what_cannot_be_compacted_is_left_alone(damage: bytes) -> None:
    """Bytes of another form are not touched; whether they are a model is for the runtime to say."""
    assert compact(damage) is None
