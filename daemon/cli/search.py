"""`reverie search`. Imports as little as it can: it answers in a fraction of a blink."""

import argparse
import sys

from daemon import plain
from daemon.client import Client
from daemon.wire import Hit

QUICK_S = 10.0  # a search takes milliseconds; a daemon that says nothing for so long hangs


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    parser.add_argument("words", nargs="+", help="what to look for")
    parser.add_argument("-q", "--query", action="store_true", help="the words are in Whoosh's query language")
    parser.add_argument("-n", "--limit", type=positive, default=10, metavar="N", help="at most N hits (default 10)")
    parser.add_argument("--mode", choices=("hybrid", "keyword", "vector"), default="hybrid", help="kinds of evidence")
    parser.add_argument("--prefix", metavar="PATH", help="only pages whose path starts so, as journal/2026")
    parser.add_argument("--explain", action="store_true", help="show each part's rank, score and share")
    parser.add_argument("--json", action="store_true", help="the whole reply as JSON")
    parser.set_defaults(run=run)


def positive(text: str) -> int:
    """A whole number above 0."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def run(arguments: argparse.Namespace) -> int:
    """Print hits best first: place, heading, snippet."""
    reply = Client.from_environment(timeout_s=QUICK_S).search(
        " ".join(arguments.words),
        limit=arguments.limit,
        mode=arguments.mode,
        syntax=arguments.query,
        explain=arguments.explain,
        prefix=arguments.prefix,
    )
    from daemon.cli import output

    if arguments.json:
        output.print_json(reply)
        return 0
    for hit in reply.hits:
        _print(hit)
    if not reply.hits:
        output.narrate("nothing found")
    if reply.did_you_mean:
        output.narrate(f"did you mean: {reply.did_you_mean}")
    if reply.notice:
        output.narrate(f"note: {reply.notice}")
    if sys.stderr.isatty():
        output.narrate(output.paint(f"{len(reply.hits)} hits in {reply.took_ms:.0f} ms", "dim", sys.stderr))
    return 0


def _print(hit: Hit) -> None:
    from daemon.cli import output

    title = " > ".join(filter(None, (hit.title, hit.heading if hit.heading != hit.title else "")))
    print(f"{output.paint(plain.place(hit), 'cyan')}  {output.paint(title, 'bold')}")
    for line in hit.snippet.splitlines():
        if line.strip():
            print(f"    {line.strip()}")
    for part in hit.parts:
        rank = f"rank {part.rank}" if part.rank is not None else "no rank"
        print(output.paint(f"    {part.name}: {rank}, score {part.score:.3f}, share {part.share:.0%}", "dim"))
