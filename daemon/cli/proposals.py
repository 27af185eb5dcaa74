"""`reverie proposals`: changes of the daemon that met an edit of the owner's on the same lines, and wait for a word."""

import argparse

from daemon import wire
from daemon.cli import output
from daemon.cli.failure import CommandFailed
from daemon.client import Client


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    parser.add_argument("--json", action="store_true", help="the list as JSON")
    parser.set_defaults(run=list_proposals)
    actions = parser.add_subparsers(metavar="ACTION", help="without one: ls")

    ls = actions.add_parser("ls", help="list them, oldest first", epilog="example: reverie proposals ls")
    ls.add_argument("--json", action="store_true", help="the list as JSON", default=argparse.SUPPRESS)
    ls.set_defaults(run=list_proposals)

    example = "example: reverie proposals {} 20261128T140211-3fa9c1"
    show = actions.add_parser("show", help="print what one would change", epilog=example.format("show"))
    show.add_argument("id", help="its id, or the beginning of it")
    show.add_argument("--json", action="store_true", help="the proposal as JSON", default=argparse.SUPPRESS)
    show.set_defaults(run=show_proposal)

    apply = actions.add_parser(
        "apply", help="make the change, over your edit of the same lines", epilog=example.format("apply")
    )
    apply.add_argument("id", help="its id, or the beginning of it")
    apply.add_argument("--json", action="store_true", help="the reply as JSON", default=argparse.SUPPRESS)
    apply.set_defaults(run=apply_proposal)

    drop = actions.add_parser("drop", help="let go of it", epilog=example.format("drop"))
    drop.add_argument("id", help="its id, or the beginning of it")
    drop.add_argument("--json", action="store_true", help="the reply as JSON", default=argparse.SUPPRESS)
    drop.set_defaults(run=drop_proposal)


def list_proposals(arguments: argparse.Namespace) -> int:
    """Print id, time, page and subject of each, oldest first."""
    found = Client.from_environment().proposals()
    if arguments.json:
        output.print_json(found)
    else:
        rows = [[parked.id, parked.when[:16], parked.path, parked.message] for parked in found]
        output.print_table(rows, ("id", "when", "page", "what"), empty="no change of ours waits for your word")
    return 0


def show_proposal(arguments: argparse.Namespace) -> int:
    """Print what one would change, as a diff."""
    parked = _find(Client.from_environment(), arguments.id)
    if arguments.json:
        output.print_json(parked)
        return 0
    print(f"{output.paint(parked.id, 'yellow')}  {parked.when[:16]}  {parked.path}: {parked.message}")
    for line in parked.diff.splitlines():
        colour = {"+": "green", "-": "red", "@": "dim"}.get(line[:1])
        print(output.paint(line, colour) if colour else line)
    return 0


def apply_proposal(arguments: argparse.Namespace) -> int:
    """Print what changed, and how to take it back."""
    client = Client.from_environment()
    done = client.apply_proposal(_find(client, arguments.id).id)
    if arguments.json:
        output.print_json(done)
        return 0
    output.print_changes(done.changes)
    if done.commit is not None:
        output.narrate(f"`reverie undo {done.commit[:10]}` takes it back")
    else:
        output.narrate(done.notice or "the page says so already")
    return 0


def drop_proposal(arguments: argparse.Namespace) -> int:
    """Let go of one."""
    client = Client.from_environment()
    gone = client.drop_proposal(_find(client, arguments.id).id)
    if arguments.json:
        output.print_json(gone)
    else:
        print(f"dropped: {gone.path}: {gone.message}")
    return 0


def _find(client: Client, given: str) -> wire.ParkedChange:
    """The one whose id is *given*, or starts so."""
    found = [parked for parked in client.proposals() if given and parked.id.startswith(given)]
    if len(found) != 1:
        raise CommandFailed(
            "ProposalUnknown", f"no single parked change has the id {given!r}", "`reverie proposals ls` lists them"
        )
    return found[0]
