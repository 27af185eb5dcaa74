"""`reverie recall`, `why`, `what-if`, `graph`: facts, their reasons, and what hangs on them. None of them writes."""

import argparse

from daemon import plain, wire
from daemon.cli import output
from daemon.client import Client
from daemon.errors import Exit


def configure(command: str, parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the reply as JSON")
    if command == "recall":
        parser.add_argument("what", nargs="+", help="a fact's name, as in [name] value")
        parser.add_argument("--at", metavar="DATE", help="what held then, as 2026-10-01 or 2026-10")
        parser.add_argument("--past", action="store_true", help="what held before too, oldest first")
        parser.set_defaults(run=recall)
    elif command == "why":
        parser.add_argument("what", nargs="+", help="a fact's name, with or without its brackets")
        parser.set_defaults(run=why)
    elif command == "what-if":
        parser.add_argument("change", nargs="+", help='"NAME = VALUE", "NAME = ?" or "forget NAME"')
        parser.set_defaults(run=what_if)
    else:
        parser.add_argument("what", nargs="*", help="only what hangs on this fact, and what it hangs on")
        parser.add_argument("--format", choices=("text", "mermaid", "dot"), default="text", help="how it is drawn")
        parser.set_defaults(run=graph)


def recall(arguments: argparse.Namespace) -> int:
    """Print value, since when, why and where. Exit code 14 where no sure value holds, 7 where the name is unknown."""
    found = Client.from_environment().recall(" ".join(arguments.what), at=arguments.at, past=arguments.past)
    if arguments.json:
        output.print_json(found)
    else:
        _print_recalled(found)
    values = {fact.value for fact in found.facts if fact.value is not None}
    sure = bool(values) and not (found.conflict and len(values) > 1)
    return int(Exit.OK if sure else Exit.UNSURE)


def _print_recalled(found: wire.Recalled) -> None:
    for fact in found.past:
        print(f"{plain.fact(fact)}  {output.paint(plain.fact_place(fact), 'cyan')}")
    for fact in found.facts:
        print(f"{output.paint(plain.fact(fact), 'bold')}  {output.paint(plain.fact_place(fact), 'cyan')}")
        if fact.reason:
            print(f"  why: {fact.reason}")
    if not found.facts:
        when = f" on {found.at}" if found.at else ""
        print(f"[{found.attribute}] had no value{when}" if found.at else f"[{found.attribute}] has no value any more")
    output.print_sources(found.sources)
    if found.conflict:
        output.narrate(output.paint(f"conflict: {found.conflict}", "yellow"))


def why(arguments: argparse.Namespace) -> int:
    """Print each step under the one it explains. Exit code 7 where the name is unknown."""
    found = Client.from_environment().why(" ".join(arguments.what))
    if arguments.json:
        output.print_json(found)
        return 0
    for line in plain.reasons(found):
        print(line)
    return 0


def what_if(arguments: argparse.Namespace) -> int:
    """Print every consequence, each after what it hangs on. Writes nothing."""
    found = Client.from_environment().what_if(" ".join(arguments.change))
    if arguments.json:
        output.print_json(found)
        return 0
    output.print_changes(found.supposed)
    if found.consequences:
        print("so:")
        output.print_changes(found.consequences)
    else:
        print("nothing else would change")
    for problem in found.problems:
        output.narrate(output.paint(f"  {problem}", "yellow"))
    output.narrate("nothing was written")
    return 0


def graph(arguments: argparse.Namespace) -> int:
    """Print the graph in the form asked for."""
    what = " ".join(arguments.what) or None
    found = Client.from_environment().graph(format=arguments.format, what=what)
    if arguments.json:
        output.print_json(found)
    elif found.edges or arguments.format != "text":
        print(found.picture)
    else:
        output.narrate("nothing hangs on anything: no page has a rule")
    return 0
