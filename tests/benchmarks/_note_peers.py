"""
Peers that search a folder of notes, each in an environment of its own under `.cache/peers` (or `$REVERIE_PEERS`).

Each is a function from a folder, questions and the model's folder to the paths found for each question, best first, and
the time of each search. What cannot be installed here is left out, by name.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from _basic_memory import Peer, lay_out
from _basic_memory import install as install_basic_memory
from _home import ROOT

MEMSEARCH, QMD = "0.4.23", "0.9.0"
FOUND = 60
Answers = tuple[list[list[str]], list[float]]

_MEMSEARCH = """
import asyncio, json, sys, time
from memsearch import MemSearch
given = json.load(sys.stdin)
async def main():
    memory = MemSearch([given["notes"]], embedding_provider="onnx", embedding_model=given["model"],
                       milvus_uri=given["state"] + "/milvus.db")
    memory._embedder._tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    memory._embedder._tokenizer.enable_truncation(max_length=256)
    await memory.index()
    found, times = [], []
    for question in given["questions"]:
        start = time.perf_counter()
        hits = await memory.search(question, top_k=given["found"])
        times.append(time.perf_counter() - start)
        found.append([hit["source"] for hit in hits])
    print(json.dumps([found, times]))
asyncio.run(main())
"""
_BASIC_MEMORY = """
import asyncio, json, os, sys, time
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
given = json.load(sys.stdin)
async def main():
    found, times = [], []
    async with Client(StdioTransport(given["command"], ["mcp"], env=dict(os.environ))) as client:
        for question in given["questions"]:
            start = time.perf_counter()
            reply = await client.call_tool("search_notes", {"query": question, "search_type": "hybrid",
                                           "page_size": given["found"], "output_format": "json"}, raise_on_error=False)
            times.append(time.perf_counter() - start)
            text = reply.content[0].text if reply.content else ""
            try:
                hits = json.loads(text)["results"]
            except (ValueError, KeyError, TypeError):
                hits = []
            found.append([hit.get("file_path") or "" for hit in hits])
    print(json.dumps([found, times]))
asyncio.run(main())
"""


def memsearch(notes: Path, questions: Sequence[str], model: Path) -> Answers:
    """memsearch with its ONNX provider on the same model."""
    folder = _environment(f"memsearch-{MEMSEARCH}", f"memsearch[onnx]=={MEMSEARCH}")
    with tempfile.TemporaryDirectory() as state:
        lay_out(Path(state) / "hub", "local/all-MiniLM-L6-v2", [model / "model.onnx", model / "tokenizer.json"])
        given = {
            "notes": str(notes),
            "questions": list(questions),
            "model": "local/all-MiniLM-L6-v2",
            "state": state,
            "found": FOUND,
        }
        environ = {**_clean(), "HOME": state, "HF_HUB_CACHE": f"{state}/hub", "HF_HUB_OFFLINE": "1"}
        return _answers([folder / "bin" / "python", "-c", _MEMSEARCH], given, environ, notes)


def basic_memory(notes: Path, questions: Sequence[str], model: Path) -> Answers:
    """basic-memory through its own server, hybrid, with the same model."""
    with tempfile.TemporaryDirectory() as home:
        files = [model / "model.onnx", model / "tokenizer.json"]
        peer = Peer(Path(home), notes, files)
        peer.run("reindex", "--search")
        peer.run("reindex", "--embeddings")
        given = {"command": str(install_basic_memory() / "basic-memory"), "questions": list(questions), "found": FOUND}
        return _answers([install_basic_memory() / "python", "-c", _BASIC_MEMORY], given, peer.environ, notes)


def qmd(notes: Path, questions: Sequence[str], model: Path) -> Answers:
    """qmd's keyword search, by command: its models cannot be fetched from a registry. Times include the start of it."""
    folder = _peers() / f"qmd-{QMD}"
    if not (folder / "node_modules" / ".bin" / "bun").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--silent", f"@tobilu/qmd@{QMD}", "bun"], cwd=folder, check=True)
    bin_ = folder / "node_modules" / ".bin"
    with tempfile.TemporaryDirectory() as home:
        environ = {**_clean(), "HOME": home, "XDG_CACHE_HOME": home, "PATH": f"{bin_}:{os.environ['PATH']}"}
        subprocess.run(
            [bin_ / "qmd", "collection", "add", notes, "--name", "notes"], env=environ, check=True, capture_output=True
        )
        found, times = [], []
        for question in questions:
            start = time.perf_counter()
            done = subprocess.run(
                [bin_ / "qmd", "search", question, "-n", str(FOUND), "--json"],
                env=environ,
                capture_output=True,
                text=True,
                check=False,
            )
            times.append(time.perf_counter() - start)
            hits = json.loads(done.stdout) if done.stdout.lstrip().startswith("[") else []
            found.append([hit["file"].removeprefix("qmd://notes/").replace("session-", "session_") for hit in hits])
        return found, times


PEERS: dict[str, Callable[[Path, Sequence[str], Path], Answers]] = {
    "memsearch": memsearch,
    "basic-memory": basic_memory,
    "qmd, keyword": qmd,
}


def _answers(command: Sequence[str | Path], given: dict[str, object], environ: dict[str, str], notes: Path) -> Answers:
    done = subprocess.run(command, input=json.dumps(given), env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    found, times = json.loads(done.stdout.strip().splitlines()[-1])
    return [[path.removeprefix(f"{notes}/") for path in paths] for paths in found], times


def _environment(name: str, requirement: str) -> Path:
    folder = _peers() / name
    if not (folder / "bin" / "pip").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    if not (folder / "ready").exists():
        subprocess.run([folder / "bin" / "pip", "install", "-q", requirement], check=True)
        (folder / "ready").touch()
    return folder


def _peers() -> Path:
    return Path(os.environ.get("REVERIE_PEERS") or ROOT / ".cache" / "peers")


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
