"""
The peer basic-memory in an environment of its own, under `.cache/peers`.

It gets the same embedding model as reverie, laid out as its library's cache expects it. Pythons that are built without
loadable SQLite extensions are helped by pysqlite3, without which the peer would have no vectors.
"""

import os
import shutil
import subprocess
from pathlib import Path

from _home import ROOT

VERSION = "0.24.1"
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
SHIM = (
    "import sys\n"
    "import sqlite3\n"
    "if not hasattr(sqlite3.Connection, 'enable_load_extension'):\n"
    "    import pysqlite3\n"
    "    sys.modules['sqlite3'] = pysqlite3\n"
    "    sys.modules['sqlite3.dbapi2'] = pysqlite3.dbapi2\n"
)


class Peer:
    """One installation with one home, which holds its configuration and its database."""

    def __init__(self, home: Path, notes: Path, model_files: list[Path]) -> None:
        self.bin = install()
        self.home = home
        cache = home / "models"
        self.environ = {
            **os.environ,
            "HOME": str(home),
            "BASIC_MEMORY_HOME": str(notes),
            "BASIC_MEMORY_CONFIG_DIR": str(home / "config"),
            "BASIC_MEMORY_SEMANTIC_EMBEDDING_MODEL": MODEL,
            "BASIC_MEMORY_SEMANTIC_EMBEDDING_CACHE_DIR": str(cache),
            "HF_HUB_OFFLINE": "1",
        }
        self.environ.pop("PYTHONPATH", None)
        lay_out(cache, "Qdrant/all-MiniLM-L6-v2-onnx", model_files)
        self.run("project", "list")  # makes its configuration and database, which no timing is to pay for

    def run(self, *arguments: str) -> str:
        """Its command line. Returns what it printed."""
        done = subprocess.run(
            [self.bin / "basic-memory", *arguments],
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        return done.stdout


def install() -> Path:
    """The `bin` folder of its environment, made at the first call."""
    folder = Path(os.environ.get("REVERIE_PEERS") or ROOT / ".cache" / "peers") / f"basic-memory-{VERSION}"
    if not (folder / "bin" / "basic-memory").exists():
        python = next((name for name in ("python3.13", "python3.12", "python3.14") if _works(name)), None)
        if python is None:
            raise SystemExit("basic-memory needs Python 3.12 or newer; none is here, so it cannot be measured")
        subprocess.run([python, "-m", "venv", folder], check=True)
        pip = [folder / "bin" / "pip", "install", "-q"]
        subprocess.run([*pip, f"basic-memory=={VERSION}", "pysqlite3-binary"], check=True)
        site = next((folder / "lib").glob("python*")) / "site-packages"
        (site / "sitecustomize.py").write_text(SHIM)
    return folder / "bin"


def _works(python: str) -> bool:
    try:
        return subprocess.run([python, "--version"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def lay_out(cache: Path, name: str, files: list[Path]) -> None:
    """The files of the model *name* as huggingface_hub keeps a snapshot."""
    revision = "0" * 39 + "1"
    repository = cache / f"models--{name.replace('/', '--')}"
    snapshot = repository / "snapshots" / revision
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(revision)
    for path in files:
        shutil.copyfile(path, snapshot / path.name)
    (snapshot / "config.json").write_text('{"pad_token_id": 0, "max_position_embeddings": 512}')
    (snapshot / "tokenizer_config.json").write_text('{"model_max_length": 256, "pad_token": "[PAD]"}')
    (snapshot / "special_tokens_map.json").write_text(
        '{"cls_token": "[CLS]", "mask_token": "[MASK]", "pad_token": "[PAD]", "sep_token": "[SEP]", '
        '"unk_token": "[UNK]"}'
    )
