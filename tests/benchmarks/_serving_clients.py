"""A small HTTP client for streams, cheap enough not to be what is measured, and the servers it talks to."""

import asyncio
import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _home import free_port

MODEL = "smollm2-135m-instruct"
XLLAMACPP = """
import sys, time, xllamacpp as x
p = x.CommonParams()
p.model.path, p.port, p.n_ctx, p.n_parallel = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
p.flash_attn_type = x.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = int(sys.argv[5])
server = x.Server(p)
print(server.listening_address, flush=True)
while True: time.sleep(60)
"""


@dataclass(frozen=True)
class Timed:
    """One streamed answer: seconds to the first text and to the end, and tokens."""

    first_s: float
    total_s: float
    tokens: int

    @property
    def rate(self) -> float:
        """Tokens a second after the first."""
        return (self.tokens - 1) / max(1e-9, self.total_s - self.first_s)


async def stream(port: int, messages: list[dict[str, str]], tokens: int, **more: Any) -> Timed:
    """Ask and listen to the end. *tokens* are asked for; the count comes from the server's usage."""
    request = {
        "model": MODEL,
        "messages": messages,
        "max_tokens": tokens,
        "temperature": 0,
        "stream": True,
        "stream_options": {"include_usage": True},
        **more,
    }
    body = json.dumps(request).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    began = time.perf_counter()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    first = 0.0
    counted = 0
    pieces = 0
    async for raw in reader:
        if not raw.startswith(b"data: {"):
            if raw.startswith(b"HTTP/") and b" 200 " not in raw:
                raise RuntimeError((raw + await reader.read()).decode())
            continue
        if b'"content":"' in raw.replace(b'": "', b'":"') and b'"content":""' not in raw.replace(b'": ""', b'":""'):
            pieces += 1
            first = first or time.perf_counter() - began
        if b'"completion_tokens"' in raw:
            usage = json.loads(raw[6:]).get("usage")
            counted = usage["completion_tokens"] if usage else counted
    total = time.perf_counter() - began
    writer.close()
    return Timed(first or total, total, counted or pieces)


class Server:
    """A peer's process, until `stop`."""

    def __init__(self, command: list[str], port: int) -> None:
        self.port = port
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    async def ready(self) -> None:
        """Wait until it answers."""
        for _ in range(300):
            if self._process.poll() is not None:
                raise RuntimeError("the peer ended")
            try:
                await stream(self.port, [{"role": "user", "content": "hi"}], 2)
            except (OSError, RuntimeError):
                await asyncio.sleep(0.2)
            else:
                return
        raise TimeoutError("the peer never answered")

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(20)


def peers(environments: Path | None, model: Path, *, context: int, slots: int, threads: int) -> dict[str, Server]:
    """The peers whose environments are in the folder: `llama_cpp_server` and `xllamacpp`."""
    found: dict[str, Server] = {}
    if environments is None:
        return found
    python = environments / "llama_cpp_server" / "bin" / "python"
    if python.exists():
        port = free_port()
        command = [str(python), "-m", "llama_cpp.server", "--model", str(model), "--port", str(port)]
        more = ["--n_ctx", str(context), "--n_threads", str(threads), "--n_threads_batch", str(threads)]
        # Left alone, it breaks off a running answer when another request comes, which looks like a quick first token.
        fair = ["--flash_attn", "false", "--interrupt_requests", "false"]
        found["llama_cpp.server"] = Server([*command, *more, *fair], port)
    python = environments / "xllamacpp" / "bin" / "python"
    if python.exists():
        port = free_port()
        numbers = [str(port), str(context * slots), str(slots), str(threads)]
        found["xllamacpp"] = Server([str(python), "-c", XLLAMACPP, str(model), *numbers], port)
    return found
