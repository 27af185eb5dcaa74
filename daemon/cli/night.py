"""`reverie night`: what dreams did and will do, by hand too."""

import argparse
from itertools import takewhile

from daemon import wire
from daemon.cli import output
from daemon.client import Client

JOBS = {
    "dream": "asks memory about itself, and mends what it cannot find",
    "decay": "lowers what searches show again and again and nobody needs",
    "ranking": "learns from the hits that you open",
    "reflect": "draws experiences from conversations that have ended",
    "rules": "tries rules of use for META.md",
}
FAILURES = {
    "buried": "the answer stood too low",
    "scattered": "the answer stands in several places",
    "redundant": "the same was found twice",
    "noisy": "what tells little stood above the answer",
    "stale": "a value that holds no longer stood above the answer",
}
SCORE = "F1 is 1 where all that answers a question is found first, and 0 where none of it is among the first five."


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    status = actions.add_parser("status", help="what waits, and why", epilog="example: reverie night status")
    status.add_argument("--json", action="store_true", help="everything as JSON")
    status.set_defaults(run=show_status)

    run = actions.add_parser("run", help="dream", epilog="example: reverie night run --now")
    run.add_argument("--now", action="store_true", help="at once, whatever holds it back")
    run.add_argument("--json", action="store_true", help="the status afterwards as JSON")
    run.set_defaults(run=run_dream)

    log = actions.add_parser("log", help="list dreams, newest first", epilog="example: reverie night log -n 5")
    log.add_argument("-n", "--limit", type=int, default=20, metavar="N", help="at most N (default 20)")
    log.add_argument("--json", action="store_true", help="the list as JSON")
    log.set_defaults(run=show_log)

    for name, help_, run_ in (
        ("show", "what a dream did", show_dream),
        ("undo", "take back a dream, or one repair of it", undo_dream),
        ("approve", "apply what waits for your consent", approve_dream),
    ):
        action = actions.add_parser(name, help=help_, epilog=f"example: reverie night {name} 2026-11-30-1")
        action.add_argument("id", help="of a dream, or of one of its repairs (2026-11-30-1.4)")
        action.add_argument("--json", action="store_true", help="the dream as JSON")
        action.set_defaults(run=run_)

    teach = actions.add_parser(
        "teach",
        help="tell the right answer to a question, for the night to learn from",
        epilog='example: reverie night teach "who led the team before Mina?" "Tom Vega"',
    )
    teach.add_argument("question", help="the question that was answered wrongly, or not at all")
    teach.add_argument("answer", help="the right answer, as it stands in your pages where it does")
    teach.add_argument("--json", action="store_true", help="what became of it as JSON")
    teach.set_defaults(run=teach_answer)

    policy = actions.add_parser(
        "policy", help="which repair is tried for which failure", epilog="example: reverie night policy --reset"
    )
    policy.add_argument("--reset", action="store_true", help="forget what was learned, start from the fixed mapping")
    policy.add_argument("--json", action="store_true", help="the chances as JSON")
    policy.set_defaults(run=show_policy)

    ranking = actions.add_parser(
        "ranking", help="what use has taught the ranking", epilog="example: reverie night ranking --reset"
    )
    ranking.add_argument("--reset", action="store_true", help="rank as shipped again, and forget what was used")
    ranking.add_argument("--json", action="store_true", help="everything as JSON")
    ranking.set_defaults(run=show_ranking)


def show_status(arguments: argparse.Namespace) -> int:
    """Print what the night waits for, and what it did last."""
    return _print_status(Client.from_environment().night(), as_json=arguments.json)


def run_dream(arguments: argparse.Namespace) -> int:
    """Ask for a dream, and print what came of it, or what it waits for."""
    client = Client.from_environment()
    known = {run.id for run in client.dreams(limit=1)}
    status = client.dream(now=arguments.now)
    if arguments.json:
        output.print_json(status)
        return 0
    made = list(takewhile(lambda run: run.id not in known, client.dreams()))
    for run in reversed(made):
        print(_line(run))
    if made:
        output.narrate(
            f"`reverie night show {made[-1].id}` tells more, `reverie night undo {made[-1].id}` takes it back"
        )
    elif status.waits_for:
        output.narrate(f"it waits: {status.waits_for}; `reverie night run --now` does not")
    else:
        output.narrate("nothing to learn")
    return 0


def _print_status(status: wire.NightStatus, *, as_json: bool) -> int:
    if as_json:
        output.print_json(status)
        return 0
    print(f"due:      {status.due or 'no dream is due'}")
    if status.due or any(job.state == "waiting" for job in status.jobs):
        print(f"waits:    {status.waits_for or 'for nothing: it may run'}")
    print(f"tonight:  {status.spent_s / 60:.1f} of {status.budget_s / 60:.0f} minutes used")
    shifted = f", {status.shifted} kinds of evidence weighed anew" if status.shifted else ""
    lowered, ties = _counted(status.lowered, "passage"), _counted(status.ties, "tie")
    print(f"learned:  {lowered} shown later, {ties} from a question to its reply{shifted}")
    if status.waiting:
        waiting = _counted(status.waiting, "change")
        print(f"consent:  {waiting} not made yet: `reverie night log`, then `show`, `approve` or `undo` with its id")
    for job in status.jobs:
        last = f"last {job.last_run[:16].replace('T', ' ')}: {job.outcome}" if job.last_run else "never ran"
        print(f"{job.name + ':':<9} {JOBS[job.name]}; {job.state}, {last}")
    if status.last:
        print(f"last run: {_line(status.last)}")
    return 0


def show_log(arguments: argparse.Namespace) -> int:
    """Print each dream on a line, newest first."""
    runs = Client.from_environment().dreams(limit=arguments.limit)
    if arguments.json:
        output.print_json(runs)
    else:
        rows = [
            [run.id, run.started[11:16], run.kind, _scores(run), _states(run), run.stopped or "not yet"] for run in runs
        ]
        empty = (
            "no dream has run yet; `reverie night status` says what it waits for, `reverie night run --now` begins one"
        )
        output.print_table(rows, ("id", "at", "what", "questions answered", "changes", "ended"), empty=empty)
    return 0


def show_dream(arguments: argparse.Namespace) -> int:
    """Print a dream with its repairs."""
    return _print_run(Client.from_environment().dream_of(arguments.id), as_json=arguments.json)


def undo_dream(arguments: argparse.Namespace) -> int:
    """Take back a dream or a repair; print how many changes that were, and what could not be taken back."""
    client = Client.from_environment()
    before = client.dream_of(arguments.id)
    return _print_outcome(before, client.undo_dream(arguments.id), "undone", arguments)


def approve_dream(arguments: argparse.Namespace) -> int:
    """Apply what waits for consent; print how many changes that were."""
    client = Client.from_environment()
    before = client.dream_of(arguments.id)
    return _print_outcome(before, client.approve_dream(arguments.id), "kept", arguments)


def _print_outcome(before: wire.NightRun, run: wire.NightRun, state: str, arguments: argparse.Namespace) -> int:
    """
    What an undo or a consent came to: one line on what has come to be in *state*, and one for each thing that it could
    not do.
    """
    if arguments.json:
        output.print_json(run)
        return 0
    already = sum(repair.state == state for repair in before.repairs)
    done = sum(repair.state == state for repair in run.repairs) - already
    told = "undone" if state == "undone" else "applied"
    print(f"{arguments.id}: {_counted(done, 'change')} {told}")
    for problem in run.problems:
        print(f"not undone: {problem}")
    for repair in run.repairs:
        if state == "kept" and repair.state in ("parked", "failed"):
            print(f"{repair.state}: {repair.id}: {repair.note}")
    return 0


def teach_answer(arguments: argparse.Namespace) -> int:
    """Tell the night a right answer."""
    noted = Client.from_environment().feedback("down", question=arguments.question, correction=arguments.answer)
    if arguments.json:
        output.print_json(noted)
        return 0
    output.print_changes(noted.changes)
    output.narrate("the night learns from it; `reverie night run --now` does so at once")
    return 0


def _print_run(run: wire.NightRun, *, as_json: bool) -> int:
    if as_json:
        output.print_json(run)
        return 0
    print(_line(run))
    for one in run.rounds:
        failures = "".join(f", {count} {name}" for name, count in one.failures.items())
        scores = f"{_score(run)} {one.before:.3f} -> {one.after:.3f}"
        print(f"  round {one.number}: {_counted(one.probes, 'question')}, {scores}{failures}")
    for repair in run.repairs:
        print(f"{repair.id} [{repair.state}] {repair.op}: {repair.question}")
        why = FAILURES.get(repair.failure, repair.failure)
        note = f"; {repair.note}" if repair.note else ""
        print(f"  {why}; {_score(run)} {repair.before:.2f} -> {repair.after:.2f}{note}")
        for action in repair.actions[:5]:
            print(f"  {action}")
        if len(repair.actions) > 5:
            print(f"  and {len(repair.actions) - 5} more")
    for failed in sorted(run.failed, key=lambda failed: failed.helped):
        print(f"[failed{', helped' if failed.helped else ''}] {failed.question}")
        print(f"  {FAILURES.get(failed.failure, failed.failure)}; tried: {', '.join(failed.tried) or 'nothing'}")
    for problem in run.problems:
        print(f"not undone: {problem}")
    if run.kind in ("dream", "decay"):
        output.narrate(SCORE)
    if run.waiting:
        output.narrate(f"nothing of it is done yet: `reverie night approve {run.id}`, or refuse it with `undo`")
    return 0


def show_policy(arguments: argparse.Namespace) -> int:
    """Print the chance of each repair for each failure; with --reset, start from the fixed mapping."""
    policy = Client.from_environment().dream_policy(reset=arguments.reset)
    if arguments.json:
        output.print_json(policy)
        return 0
    ops = list(next(iter(policy.chances.values()), {}))
    rows = [[failure, *(f"{chances[op]:.2f}" for op in ops)] for failure, chances in policy.chances.items()]
    output.print_table(rows, ("failure", *ops))
    output.narrate("how likely each repair is tried, by what failed")
    print(f"learned from {_counted(policy.groups, 'failure')}")
    return 0


def show_ranking(arguments: argparse.Namespace) -> int:
    """Print the weights that use has moved; with --reset, rank as shipped again."""
    ranking = Client.from_environment().ranking(reset=arguments.reset)
    if arguments.json:
        output.print_json(ranking)
        return 0
    rows = [
        [one.search, one.evidence, f"{one.shipped:.3f}", f"{one.now:.3f}"]
        for one in ranking.weights
        if one.now != one.shipped
    ]
    if rows:
        output.print_table(rows, ("search", "evidence", "shipped", "now"))
    else:
        print("all evidence weighs as shipped")
    uses = ", ".join(f"{count} {how}" for how, count in sorted(ranking.uses.items())) or "none"
    print(f"hits used: {uses}" if ranking.learns else "learning from use is switched off (night.learn_from_use)")
    if ranking.outcome:
        scores = f", mean reciprocal rank {ranking.before:.3f} -> {ranking.after:.3f}" if ranking.after else ""
        print(f"last look: {ranking.asked} asked again{scores}: {ranking.outcome}")
    return 0


def _line(run: wire.NightRun) -> str:
    told = f"{run.id} {run.kind} ({run.why}): {_scores(run)}, {_states(run)}, {run.took_s:.0f} s"
    return f"{told}; ended: {run.stopped or 'not yet'}"


def _scores(run: wire.NightRun) -> str:
    """How well a run's questions were answered before and after: retrieval F1 in a dream or a decay, else success."""
    if not run.rounds:
        return "no questions"
    return f"{_score(run)} {run.rounds[0].before:.3f} -> {run.rounds[-1].after:.3f}"


def _score(run: wire.NightRun) -> str:
    return "F1" if run.kind in ("dream", "decay") else "success"


def _states(run: wire.NightRun) -> str:
    """What became of a run's changes: `12 kept`, `2 kept, 1 waits`, `3 undone`."""
    parts = [f"{run.waiting} waiting" if run.waiting else "", f"{run.undone} undone" if run.undone else ""]
    kept = [f"{run.kept} kept"] if run.kept or not any(parts) else []
    return ", ".join([*kept, *filter(None, parts)])


def _counted(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"
