"""
Serving: the daemon over HTTP beside llama.cpp itself and beside other servers, in one run.

usage: serving.py [--rounds 5] [--peers FOLDER] [--only ROW,...] [--threads 0] [--slots 8] [--context 4096]

FOLDER holds environments named `llama_cpp_server` (llama-cpp-python with its server's needs) and `xllamacpp`; what is
missing is left out. Rows are medians of the rounds; raw and ours take turns, so that a noisy machine is noisy to both,
and a ratio is the median of what neighbours in time give, of which each goes first as often as the other.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from _home import Home, percentile, temporary_home
from _serving_clients import MODEL, Server, Timed, peers, stream

from models.catalog import Catalog
from models.requests import ChatMessage, Generation, ModelSettings, Sampling
from models.supervisor import Supervisor

WORDS = "The quick brown fox jumps over the lazy dog and goes home along the river. "
HEAD_TOKENS = 1000
WRITE_TOKENS = 128


class Raw:
    """llama.cpp in a process of its own, by `_serving_raw.py`."""

    def __init__(self, model: Path, cells: int, threads: int) -> None:
        script = Path(__file__).with_name("_serving_raw.py")
        self._process = subprocess.Popen(
            [sys.executable, str(script), str(model), str(cells), str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, do: str, **more: object) -> float:
        """One measurement."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self._process.stdin.flush()
        return float(json.loads(self._process.stdout.readline()))

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


def user(text: str) -> dict[str, str]:
    """A user's turn."""
    return {"role": "user", "content": text}


def system(number: int = 0, tokens: int = HEAD_TOKENS) -> dict[str, str]:
    """A system's turn of about *tokens* tokens, another for each *number*."""
    return {"role": "system", "content": f"Case {number}. " + WORDS * (tokens // 16)}


@dataclass(frozen=True)
class Pairs:
    """What was measured of ours and of raw, one right after the other."""

    pairs: tuple[tuple[float, float], ...]

    @property
    def ours(self) -> float:
        """The median of ours."""
        return statistics.median(ours for ours, _ in self.pairs)

    @property
    def raw(self) -> float:
        """The median of raw."""
        return statistics.median(raw for _, raw in self.pairs)

    @property
    def ratio(self) -> float:
        """Ours by raw: the median over the pairs."""
        return statistics.median(ours / raw for ours, raw in self.pairs)

    @property
    def beyond(self) -> float:
        """Ours less raw: the median over the pairs."""
        return statistics.median(ours - raw for ours, raw in self.pairs)


class Bench:
    """Everything that is measured, with what it is measured on."""

    def __init__(self, home: Home, raw: Raw, others: dict[str, Server], rounds: int, threads: int) -> None:
        self.home, self.raw, self.others, self.rounds, self.threads = home, raw, others, rounds, threads
        self.port = home.port
        self._cases = 100

    def case(self) -> int:
        """A number that was not used before."""
        self._cases += 1
        return self._cases

    async def turns(self, ours: Callable[[], Awaitable[float]], raw: Callable[[], float]) -> "Pairs":
        """Both, measured in turns after a first time that does not count."""
        await ours()
        raw()
        pairs = []
        for number in range(self.rounds):
            if number % 2:
                mine = await ours()
                pairs.append((mine, raw()))
            else:
                theirs = raw()
                pairs.append((await ours(), theirs))
        return Pairs(tuple(pairs))

    async def generation(self) -> list[str]:
        """Tokens a second of one streaming client."""

        async def ours() -> float:
            timed = await stream(self.port, [user("Tell a long story about the sea.")], WRITE_TOKENS)
            return timed.rate

        both = await self.turns(ours, lambda: WRITE_TOKENS / self.raw("write", tokens=WRITE_TOKENS))
        return [f"{both.ours:.1f} tok/s", f"raw {both.raw:.1f} tok/s", f"{both.ratio:.2f}", ">= 0.97"]

    async def warm(self) -> list[str]:
        """First token after a head of 1,000 tokens that is already read."""

        async def once(port: int) -> float:
            question = [system(1), user(f"What does the fox do? ({self.case()})")]
            return (await stream(port, question, 4)).first_s

        for port in (self.port, *(other.port for other in self.others.values())):
            await once(port)
            await once(port)
        both = await self.turns(lambda: once(self.port), lambda: self.raw("warm", new=24))
        rest = []
        for name, other in self.others.items():
            rest.append(
                f"{name} {statistics.median([await once(other.port) for _ in range(self.rounds)]) * 1e3:.0f} ms"
            )
        against = ", ".join([f"raw {both.raw * 1e3:.0f} ms", *rest])
        return [f"{both.ours * 1e3:.0f} ms", against, f"{both.ratio:.2f}", "<= 1.3, and ahead of both servers"]

    async def restart(self) -> list[str]:
        """First token after a restart of the daemon, against reading the head anew."""
        colds, afters = [], []
        for _ in range(min(3, self.rounds)):
            number = self.case()
            question = [system(number), user("What does the fox do?")]
            colds.append((await stream(self.port, question, 4)).first_s)
            await stream(self.port, [system(number), user("And the dog?")], 4)  # the second time it is saved
            await asyncio.to_thread(self.home.stop)
            await asyncio.to_thread(self.home.start)
            await stream(self.port, [user("hi")], 2)  # loads the model
            afters.append((await stream(self.port, question, 4)).first_s)
        cold, after = statistics.median(colds), statistics.median(afters)
        return [f"{after * 1e3:.0f} ms", f"cold {cold * 1e3:.0f} ms", f"{after / cold:.2f}", "<= 0.15"]

    async def clients(self, count: int) -> list[str]:
        """Several clients at once: total tokens a second, and the 95th percentile of the first token."""

        async def crowd(port: int) -> tuple[float, float]:
            began = time.perf_counter()
            number = self.case()
            asked = [[user(f"Story {number}.{i}: tell about the sea and the moon.")] for i in range(count)]
            done: list[Timed] = await asyncio.gather(*(stream(port, question, 64) for question in asked))
            took = time.perf_counter() - began
            return sum(timed.tokens for timed in done) / took, percentile([timed.first_s for timed in done], 0.95)

        results = {}
        ports = {"reverie": self.port, **{name: other.port for name, other in self.others.items()}}
        for name, port in ports.items():
            runs = [await crowd(port) for _ in range(self.rounds)]
            results[name] = tuple(statistics.median(values) for values in zip(*runs, strict=True))
        shown = [f"{name} {rate:.0f} tok/s, {first * 1e3:.0f} ms" for name, (rate, first) in results.items()]
        return [shown[0].removeprefix("reverie "), ", ".join(shown[1:]) or "-", "-", "ahead of both servers on both"]

    async def beside_background(self) -> list[str]:
        """First token of a chat while background answers run in all other slots (through the supervisor)."""
        catalog = Catalog(self.home.root / "models")
        async with AsyncExitStack() as stack:
            made = Supervisor(
                catalog, ModelSettings(slots=4, context_tokens=2048, keep_alive_s=-1, threads=self.threads)
            )
            await made.start(stack)

            async def first() -> float:
                messages = (ChatMessage(role="user", content=f"How are you today? ({self.case()})"),)
                request = Generation(messages=messages, max_tokens=4, sampling=Sampling(temperature=0))
                began = time.perf_counter()
                took = 0.0
                async for delta in made.generate(MODEL, request):
                    if delta.text and not took:
                        took = time.perf_counter() - began
                return took

            async def work(number: int) -> None:
                messages = (ChatMessage(role="user", content=f"Tell a very long story. ({number})"),)
                request = Generation(messages=messages, max_tokens=1500, priority="background", ignore_eos=True)
                async for _ in made.generate(MODEL, request):
                    pass

            await first()
            idle = [await first() for _ in range(self.rounds * 2)]
            jobs = [asyncio.create_task(work(number)) for number in range(3)]
            await asyncio.sleep(3)  # all three have read their prompts and answer
            busy = []
            for _ in range(self.rounds * 2):
                await asyncio.sleep(0.3)
                busy.append(await first())
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
        a, b = statistics.median(busy), statistics.median(idle)
        return [f"{a * 1e3:.0f} ms", f"idle {b * 1e3:.0f} ms", f"{a / b:.2f}", "<= 1.2"]

    async def beside_reading(self) -> list[str]:
        """First token of a short chat while a prompt of 3,000 tokens is read."""

        async def short() -> float:
            return (await stream(self.port, [user(f"How are you? ({self.case()})")], 4)).first_s

        await short()
        idle = [await short() for _ in range(self.rounds)]
        busy = []
        for _ in range(self.rounds):
            long = asyncio.create_task(stream(self.port, [system(self.case(), 3000), user("Sum it up.")], 4))
            await asyncio.sleep(0.5)
            busy.append(await short())
            await long
        a, b = statistics.median(busy), statistics.median(idle)
        return [f"{a * 1e3:.0f} ms", f"idle {b * 1e3:.0f} ms", f"{a / b:.2f}", "<= 3"]

    async def reading(self) -> list[str]:
        """Prompt tokens a second."""

        async def ours() -> float:  # 2,976 tokens and the frame of a chat: 2,999
            return 3000 / (await stream(self.port, [system(self.case(), 2985), user("So?")], 1)).first_s

        both = await self.turns(ours, lambda: 3000 / self.raw("read", tokens=3000))
        return [f"{both.ours:.0f} tok/s", f"raw {both.raw:.0f} tok/s", f"{both.ratio:.2f}", ">= 0.97"]

    async def memory(self) -> list[str]:
        """Resident memory of the worker, against raw with as many cells."""
        await stream(self.port, [user("hi")], 4)
        mine = max(worker.rss_bytes for worker in self.home.client.status().workers if worker.model == MODEL)
        theirs = self.raw("rss")
        return [f"{mine >> 20} MB", f"raw {int(theirs) >> 20} MB", f"{mine / theirs:.2f}", "<= 1.1"]

    async def overhead(self) -> list[str]:
        """A request of one token, beyond what raw takes for it."""

        async def ours() -> float:
            return (await stream(self.port, [system(1), user("And what does the fox do then?")], 1)).total_s

        await ours()
        both = await self.turns(ours, lambda: self.raw("warm", new=1))
        return [f"{both.ours * 1e3:.1f} ms", f"raw {both.raw * 1e3:.1f} ms", f"+{both.beyond * 1e3:.1f} ms", "<= +5 ms"]


async def measure(arguments: argparse.Namespace) -> None:
    """Run the rows and print a markdown table."""
    threads = arguments.threads or psutil.cpu_count(logical=False) or 1
    with temporary_home(models=(MODEL,)) as home:
        model = Catalog(home.root / "models").get(MODEL).model_file
        home.environ["REVERIE_MODELS_CONTEXT_TOKENS"] = str(arguments.context)
        home.environ["REVERIE_MODELS_THREADS"] = str(threads)
        home.environ["REVERIE_MODELS_SLOTS"] = str(arguments.slots)
        home.start()
        raw = Raw(model, arguments.context * arguments.slots, threads)
        others = peers(arguments.peers, model, context=arguments.context, slots=arguments.slots, threads=threads)
        try:
            for other in others.values():
                await other.ready()
            bench = Bench(home, raw, others, arguments.rounds, threads)
            rows: dict[str, tuple[str, Callable[[], Awaitable[list[str]]]]] = {
                "generation": ("generation through HTTP, one client", bench.generation),
                "warm": ("warm first token, static head of 1,000 tokens", bench.warm),
                "overhead": ("a request of one token", bench.overhead),
                "reading": ("prompt reading", bench.reading),
                "clients4": ("4 clients: total, p95 first token", lambda: bench.clients(4)),
                "clients8": ("8 clients: total, p95 first token", lambda: bench.clients(8)),
                "background": ("first token beside background work", bench.beside_background),
                "beside": ("first token beside a prompt of 3,000", bench.beside_reading),
                "memory": ("worker's resident memory", bench.memory),
                "restart": ("first token after a restart, same head", bench.restart),
            }
            print("| measured | reverie | against | ratio | goal |\n|---|---|---|---|---|", flush=True)
            for key, (title, row) in rows.items():
                if not arguments.only or key in arguments.only.split(","):
                    print(f"| {title} | {' | '.join(await row())} |", flush=True)
        finally:
            raw.stop()
            for other in others.values():
                other.stop()


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--threads", type=int, default=0, help="of every engine; 0: the physical cores")
    parser.add_argument("--context", type=int, default=4096)
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
