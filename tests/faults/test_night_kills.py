"""Power lost in the middle of a dream's commit: a real daemon is killed before each step, and started again."""

import os
import signal
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from daemon.client import DaemonError
from daemon.night.loop import Source
from daemon.night.record import RepairRecord, RunRecord
from daemon.night.repairs import Tie, Weigh, Write
from daemon.night.state import NightState
from memory_store.files import Vault
from memory_store.journal import Exchange, Said, append_exchange

Home = Any
pytestmark = pytest.mark.timeout(180)

BOMB = """
import os, sys
left = int(os.environ.get("STEPS_UNTIL_KILL", "-1"))
after = os.environ.get("KILL_AFTER") or "nothing"
begun = False
last = ""

def watch(event, arguments):
    global left, begun, last
    if event != "os.rename" or left < 0:
        return
    if not begun and os.sep + "runs" + os.sep in str(arguments[1]):
        begun = True
    if begun:
        with open(os.environ["STEPS_SEEN"], "a") as seen:
            print(str(arguments[1]), file=seen)
        if left == 0 or last.endswith(after):
            os.kill(os.getpid(), 9)
        left -= 1
        last = str(arguments[1])

sys.addaudithook(watch)
"""
"""
Kills the process before it puts the N-th file in its place, counted from the first record of a run, or the one after a
named file.
"""

TALKS = [
    [
        ("user", "What kind of boat did you finally buy for the lake trips with the boat?"),
        ("Ann", "A small wooden dinghy with a red sail, second hand, from a carpenter in Malmö."),
        ("user", "Did the lake trips with the boat go well, any trouble with the boat on the lake?"),
        ("Ann", "Only once: the rudder broke, so we paddled home with two planks."),
        ("user", "That sounds great, I must come along on a boat trip to the lake with the boat!"),
    ],
    [
        ("user", "How is your new job treating you, do you like the job and the people at the job?"),
        ("Ann", "The archive is calm; I catalogue maps of the Baltic coast from 1740 on."),
        ("user", "What is the hardest part of the new job at the archive for you these days?"),
        ("Ann", "Reading the handwriting of a surveyor named Kettunen, who wrote with a feather."),
    ],
]


def dreaming(home: Home, bomb: Path) -> Home:
    """A home over two talks, whose dreams may write lines."""
    home.paths.vault.mkdir(parents=True)
    vault = Vault(home.paths.vault, owned=True)
    for number, talk in enumerate(TALKS):
        when = datetime.now().astimezone() - timedelta(days=20 * number + 1)
        append_exchange(vault, Exchange(f"s{number}", when, "none", [Said(*turn) for turn in talk]))
    home.configure('[models]\nembed = ""\n[night]\nmost_lines = 40\n')
    bomb.mkdir(exist_ok=True)
    return home


def pages(home: Home, *, but: str = "dreams/") -> dict[str, str]:
    """Every page but what tells of dreams."""
    vault = home.paths.vault
    found = {str(path.relative_to(vault)): path.read_text() for path in vault.rglob("*.md")}
    return {path: text for path, text in found.items() if not path.startswith(but)}


def waiting_run(home: Home, number: int) -> str:
    """A dream whose three repairs wait for consent: two lines on a page, with weights and a tie; its id."""
    name = f"2026-11-01-{number}"
    link = "journal/2026/2026-11-01"
    lines = [("trouble with the boat", "the rudder broke near the islet"), ("hardest part", "Kettunen and his feather")]
    repairs = [
        RepairRecord(
            id=f"{name}.{place}",
            op="extract",
            failure="buried",
            question=what,
            actions=[
                Write("facts/Recalled.md", what, f"{value} {number}", link, Source(f"{link}.md", 1, 1)),
                Weigh(7000 + place, 0.2),
            ],
            before=0.0,
            after=1.0,
            state="waiting",
        )
        for place, (what, value) in enumerate(lines, start=1)
    ]
    tie = RepairRecord(
        id=f"{name}.3", op="synthesize", failure="scattered", question="both", actions=[Tie(7001, 7002, 0.2)],
        before=0.0, after=1.0, state="waiting",
    )  # fmt: skip
    when = "2026-11-01T03:00:00+00:00"
    run = RunRecord(id=name, started=when, ended=when, why="The usual time", repairs=[*repairs, tie])
    NightState(home.paths.state_dir / "night").write(f"runs/{name}", run)
    return name


def whole(home: Home, name: str, number: int, before: dict[str, str]) -> bool:
    """Whether all of the dream *name* stands; fails where only a part of it does, or anything else was touched."""
    state = NightState(home.paths.state_dir / "night")
    run, tuning, now = home.client.dream_of(name), state.tuning(), pages(home)
    states = {repair.state for repair in run.repairs}
    recalled = now.get("facts/Recalled.md", "")
    written = [f"islet {number}" in recalled, f"feather {number}" in recalled]
    counted = [7001 in tuning.weights, 7002 in tuning.weights, 7001 in tuning.ties]
    stands = all(written)
    assert len({*written, *counted}) == 1, (states, written, counted)
    assert states == {"kept"} if stands else states in ({"failed"}, {"waiting"})
    assert "cut off" in run.stopped or states == {"waiting"}
    others = {path: text for path, text in now.items() if path != "facts/Recalled.md"}
    assert others == {path: text for path, text in before.items() if path != "facts/Recalled.md"}
    assert stands or recalled == before.get("facts/Recalled.md", "") or not recalled.strip()
    found = home.client.search(f"islet {number} Kettunen {number}", limit=10).hits
    in_index = any(f"islet {number}" in hit.text or f"feather {number}" in hit.text for hit in found)
    assert in_index == stands
    assert not [finding for finding in home.client.doctor() if finding.severity == "error"]
    return stands


def killed_at(home: Home, bomb: Path, steps: Sequence[int], after: str = "") -> list[bool]:
    """
    Whether a dream that is applied by consent stands after its daemon was killed before each of *steps*, or behind the
    file *after*.
    """
    seen = bomb / "seen"
    outcomes = []
    home.start()
    home.client.remember("- a note, so that there is a history")
    home.close()
    for number, step in enumerate(steps, start=1):
        name = waiting_run(home, number)
        before = pages(home)
        home.start(before=BOMB, STEPS_UNTIL_KILL=str(step), STEPS_SEEN=str(seen), KILL_AFTER=after)
        home.indexed(sum(map(len, TALKS)))
        try:
            home.client.approve_dream(name)
        except DaemonError:
            assert home.ended()[0] == -signal.SIGKILL
        else:
            break  # it came to its end: there are no more steps
        home.close()
        for lock in (home.paths.vault / ".git").rglob("*.lock"):
            os.utime(lock, (0, 0))  # a machine takes longer to come back than locks are held
        home.start()
        outcomes.append(whole(home, name, number, before))
        if outcomes[-1]:
            assert not home.client.undo_dream(name).problems
        home.close()
    return outcomes


def test_a_dream_that_is_killed_while_it_is_applied_stands_whole_or_not_at_all(home: Home, tmp_path: Path) -> None:
    """Killed between its lines: at the next start none of it stands, and the run says that it was cut off."""
    assert killed_at(dreaming(home, tmp_path / "bomb"), tmp_path / "bomb", (12,)) == [False]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_dream_may_be_killed_before_any_step(home: Home, tmp_path: Path) -> None:
    """Before each file that it puts in place: none of it stands until the weights do, from then on all of it."""
    outcomes = killed_at(dreaming(home, tmp_path / "bomb"), tmp_path / "bomb", range(200))
    assert len(outcomes) > 12
    # how many files the index puts in place differs from dream to dream, so that the last step may be missed
    assert outcomes == sorted(outcomes)


def test_a_dream_that_is_killed_behind_its_weights_stands(home: Home, tmp_path: Path) -> None:
    """Its weights in place, but not yet its last record: at the next start all of it stands."""
    bomb = tmp_path / "bomb"
    assert killed_at(dreaming(home, bomb), bomb, (10_000,), after="tuning.json") == [True]


def test_a_dream_that_is_killed_while_it_thinks_is_told_as_cut(home: Home, tmp_path: Path) -> None:
    """Nothing was changed; the record says so, and the next dream is made as if it had not been."""
    bomb = tmp_path / "bomb"
    before = pages(dreaming(home, bomb))
    home.start(before=BOMB, STEPS_UNTIL_KILL="1", STEPS_SEEN=str(bomb / "seen"))
    home.indexed(sum(map(len, TALKS)))
    with pytest.raises(DaemonError):
        home.client.dream(now=True)
    home.ended()
    home.close()
    home.start()
    (run,) = home.client.dreams()
    assert (run.stopped, run.kept, pages(home)) == ("cut off: nothing was changed", 0, before)
    home.client.dream(now=True)
    assert home.client.dreams()[-2].kept > 0
