"""
Runs inside the peer's environment: from save to found through its own server and watcher.

usage: _basic_memory_watch.py SERVER_COMMAND NOTES SAVES
Prints one line a save: seconds until its search finds the new word, or `lost` after 30 s.
"""

import asyncio
import sys
import time
from pathlib import Path

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main() -> None:
    """Save, then ask until found."""
    command, notes, saves = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    import os

    transport = StdioTransport(command, ["mcp"], env=dict(os.environ))
    async with Client(transport) as client:
        await found(client, "session", 120)
        for number in range(saves):
            word = f"zanzibar{number:04d}q"
            path = notes / f"saved-{number % 10}.md"
            path.write_text(f"# Saved\n\nThe word of this save is {word}.\n")
            took = await found(client, word, 30)
            print("lost" if took is None else f"{took:.4f}", flush=True)


async def found(client: Client, word: str, within_s: float) -> float | None:
    """Seconds until a text search finds *word*."""
    began = time.perf_counter()
    while time.perf_counter() - began < within_s:
        reply = await client.call_tool(
            "search_notes", {"query": word, "search_type": "text", "output_format": "json"}, raise_on_error=False
        )
        if "saved-" in str(reply.content) or (word == "session" and "permalink" in str(reply.content)):
            return time.perf_counter() - began
        await asyncio.sleep(0.005)
    return None


asyncio.run(main())
