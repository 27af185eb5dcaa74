"""
What a chat waits for its first word while the daemon dreams, against the same chat while it is idle, in one run.

    python tests/benchmarks/dream_chat.py [--pairs 20] [--pages 300]

A whole daemon with the starter models over a vault of notes. Each pair is one chat while nothing runs and one that
begins while a dream is under way; both have a prompt of their own, so that none is in a cache. The order within a pair
changes each time. Times are those that the client sees, over HTTP.
"""

import argparse
import json
import os
import random
import statistics
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from _home import Home, percentile, temporary_home
from _notes import write_notes

from daemon.client import Turn

MODEL = "smollm2-135m-instruct"
WORDS = ("river", "stone", "lamp", "copper", "window", "garden", "letter", "harbour", "winter", "bread", "violin")


def first_word_s(home: Home, seed: int) -> float:
    """Seconds until the first word of a reply to a prompt that nobody sent before."""
    words = " ".join(random.Random(seed).choices(WORDS, k=60))
    began = time.perf_counter()
    with home.client.chat_stream([Turn("user", f"Tell a story of {words}.")], model=MODEL, max_tokens=8) as stream:
        for chunk in stream:
            if chunk.text:
                return time.perf_counter() - began
    raise RuntimeError("the model said nothing")


def dreaming(home: Home) -> threading.Thread:
    """A dream under way."""
    thread = threading.Thread(target=lambda: home.client.dream(now=True))
    thread.start()
    home.wait(
        lambda: any(job.name == "dream" and job.state == "running" for job in home.client.night().jobs),
        within_s=60,
        every_s=0.01,
    )
    return thread


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--pages", type=int, default=300)
    asked = parser.parse_args()
    delays = random.Random(0)
    with temporary_home() as home:
        write_notes(home.root / "memory", asked.pages)
        home.start()
        home.wait(
            lambda: home.index().pending_pages + home.index().pending_vectors == 0 and home.index().chunks > 0,
            within_s=1800,
            every_s=0.5,
        )
        for seed in range(3):
            first_word_s(home, seed)
        rows: list[tuple[float, float]] = []
        for pair in range(asked.pairs):
            times = {}
            for kind in ("idle", "dream") if pair % 2 else ("dream", "idle"):
                thread = dreaming(home) if kind == "dream" else None
                time.sleep(delays.uniform(0.0, 0.8))  # at whatever point of the dream
                under_way = thread is None or thread.is_alive()
                times[kind] = first_word_s(home, 1000 + 2 * pair + (kind == "dream"))
                if thread is not None:
                    thread.join()
                if not under_way:
                    del times[kind]
            if len(times) == 2:
                rows.append((times["idle"], times["dream"]))
                print(f"idle {times['idle'] * 1000:.0f} ms, in a dream {times['dream'] * 1000:.0f} ms", flush=True)
        runs = [run for run in home.client.dreams(limit=200) if run.kind == "dream"]
    idle, dream = [one for one, _ in rows], [other for _, other in rows]
    report = {
        "pairs": len(rows),
        "idle_ms": 1000 * statistics.median(idle),
        "dream_ms": 1000 * statistics.median(dream),
        "ratio": statistics.median(dream) / statistics.median(idle),
        "ratio_of_pairs": statistics.median(one / other for other, one in rows),
        "p90_idle_ms": 1000 * percentile(idle, 0.9),
        "p90_dream_ms": 1000 * percentile(dream, 0.9),
        "stopped": sorted({run.stopped for run in runs}),
        "passages": max(run.passages for run in runs),
        "load": os.getloadavg()[0],
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
