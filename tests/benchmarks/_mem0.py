"""The peer mem0 in an environment of its own, under `.cache/peers`; our daemon serves it chat and embeddings."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from _home import ROOT
from _meme_play import Session
from meme_models import Chat

VERSION = "2.2.1"
EMBEDDER, DIMENSIONS = "all-minilm-l6-v2", 384


class Mem0:
    """It extracts and keeps memories itself; the model answers from those that its search finds."""

    def __init__(self, chat: Chat, process: "subprocess.Popen[str]") -> None:
        self.chat = chat
        self._process = process

    def read(self, session: Session) -> None:
        for text in session.said:
            self._read(text, session.day)

    def _read(self, text: str, day: str) -> None:
        self.chat.calls += 1
        done = self._say({"tell": text[:1500], "day": day})
        if "error" in done:
            self.chat.failed += 1
            print(f"mem0: {done['error']}", file=sys.stderr)

    def ask(self, question: str, day: str) -> str:
        return self.chat.answer("\n".join(reversed(self._say({"ask": question})["found"])), question)

    def _say(self, line: dict) -> dict:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit("mem0 ended")
        return dict(json.loads(answer))


@contextmanager
def mem0(chat: Chat) -> Iterator[Mem0]:
    """A fresh memory of mem0's, ended and deleted on leaving."""
    python = install()
    with tempfile.TemporaryDirectory(prefix="reverie-bench-mem0-") as folder:
        environ = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "HOME": folder,
            "MEM0_DIR": folder,
            "MEM0_TELEMETRY": "False",
        }
        process = subprocess.Popen(
            [
                python,
                Path(__file__).with_name("_mem0_serve.py"),
                chat.url,
                chat.model,
                EMBEDDER,
                str(DIMENSIONS),
                folder,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environ,
        )
        try:
            yield Mem0(chat, process)
        finally:
            process.kill()
            process.wait()


def install() -> Path:
    """The Python of its environment, made at the first call."""
    folder = Path(os.environ.get("REVERIE_PEERS") or ROOT / ".cache" / "peers") / f"mem0-{VERSION}"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", f"mem0ai=={VERSION}"], check=True)
        (folder / "ready").touch()
    return python
