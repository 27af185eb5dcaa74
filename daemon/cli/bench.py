"""`reverie bench`: how well the product does what it is for, here. How fast models are: `reverie models bench`."""

import argparse

from daemon import wire
from daemon.cli import output
from daemon.cli.models import named_or_chat
from daemon.client import Client


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    memory = actions.add_parser(
        "memory",
        help="measure how well memory answers with a model, and by facts alone (needs the daemon)",
        description="Plays generated conversations on a memory that is deleted afterwards; yours has no part in it. "
        "The model does what it does in a chat, and only what its check trusts it with.",
        epilog="examples:\n  reverie bench memory\n  reverie bench memory smollm2-135m-instruct --episodes 10",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    memory.add_argument("name", nargs="?", help="the model (default: the one used for chat)")
    memory.add_argument(
        "--episodes", type=int, default=2, metavar="N", help="how many conversations of several days (default: 2)"
    )
    memory.add_argument("--seed", type=int, default=0, metavar="S", help="another number makes others (default: 0)")
    memory.add_argument("--json", action="store_true", help="the report as JSON")
    memory.set_defaults(run=bench_memory)


def bench_memory(arguments: argparse.Namespace) -> int:
    """Tell each step, then print how many questions of each task were right."""
    client = Client.from_environment()
    name = named_or_chat(client, arguments.name)
    step = ""
    with client.bench_memory(name, episodes=arguments.episodes, seed=arguments.seed) as stream:
        for line in stream:
            if isinstance(line, wire.MemoryBenchReport):
                show(line, as_json=arguments.json)
            elif line.step != step:
                step = line.step
                done = f" ({line.completed} of {line.total})" if line.total else ""
                output.narrate(f"{step}{done} …")
    return 0


def show(report: wire.MemoryBenchReport, *, as_json: bool) -> None:
    """Print a row a task, their sum and the time of an answer; or the report as JSON."""
    if as_json:
        output.print_json(report)
        return
    rows = [
        [task.about, f"{task.facts} of {task.questions}", f"{task.model} of {task.questions}"] for task in report.tasks
    ]
    facts, model, all_ = (sum(getattr(task, name) for task in report.tasks) for name in ("facts", "model", "questions"))
    rows.append(["all", f"{facts} of {all_}", f"{model} of {all_}"])
    rows.append(["an answer", f"{report.facts_ms:.0f} ms", f"{report.model_ms:.0f} ms"])
    output.print_table(rows, ("right", "facts alone", f"with {report.model}"))
    output.narrate(f"{report.model} is trusted to: {', '.join(report.trust) or 'nothing on this machine'}")
    if "read" not in report.trust:
        output.narrate("so it does not read memory: in a chat the facts, or lines of pages, answer for it")
