"""What the page of a night tells its owner."""

import re
import threading
from typing import Any

from daemon.night.record import FailedRecord, RoundRecord, RunRecord
from daemon.night.told import MOST_FAILED, lines_of
from daemon.night.work import FORGETTING

House = Any


def page(house: House) -> str:
    """What dreams/ tells of the day."""
    return str((house.root / "vault" / "dreams" / "2026-11-30.md").read_text())


def test_the_page_tells_which_questions_failed_what_was_tried_and_what_helped(house: House) -> None:
    """Each by its words, how it failed, the repairs that were tried for it; those that nothing helps come first."""
    house.night.failed("voyage provisions supper afloat", "fry perch over a gas stove")
    run = house.night.dream("Asked for")
    told = page(house)
    assert f"{len(run.failed)} questions failed, {sum(one.helped for one in run.failed)} of them helped:" in told
    shown = re.findall(r"^- “(.+?)”[^:]*: (\w+); (.+) tried, (helped|none helped)$", told, re.MULTILINE)
    assert len(shown) == min(len(run.failed), MOST_FAILED)
    by_name = {one.question: one for one in run.failed}
    for question, failure, tried, came in shown:
        known = by_name[question]
        assert (failure, tried, came == "helped") == (known.failure, ", ".join(known.tried), known.helped)
    assert [came for *_, came in shown] == sorted((came for *_, came in shown), reverse=True)


def test_a_dream_that_keeps_nothing_tells_what_failed(house: House) -> None:
    """The page is there, with the scores, the questions, what was tried for them, and no word of an undo."""
    house.set(most_share=0.0, probes=4)
    house.night.failed("calligraphy of olden cartographers", "a surveyor named Kettunen")
    house.night.state.write("refused", [])
    run = house.night.dream("Asked for")
    if run.repairs:
        house.night.undo(run.id)
        run = house.night.dream("Asked for")
    assert run.repairs == []
    told = page(house)[page(house).index(f"## 03:00 {run.id}") :]
    assert "retrieval F1" in told
    assert "“calligraphy of olden cartographers”" in told
    assert "undo" not in told


def test_the_page_stays_short_and_says_how_many_more_failed() -> None:
    """The first few, then their number and where to read them all; a question is no fact, link or heading there."""
    failed = [
        FailedRecord(question=f"[a{n}] # [[b]]\nc?", failure="buried", tried=["extract"], pages=["notes/A.md"])
        for n in range(50)
    ]
    run = RunRecord(
        id="2026-11-30-1",
        started="2026-11-30T03:00:00+00:00",
        why="The usual time",
        rounds=[RoundRecord(number=1, probes=60, before=0.1, after=0.2)],
        failed=failed,
    )
    lines = lines_of(run)
    quoted = [line for line in lines if "“" in line]
    assert len(quoted) == MOST_FAILED
    assert quoted[0] == "- “(a0) # ((b)) c?” [[notes/A]]: buried; extract tried, none helped"
    assert f"- and {50 - MOST_FAILED} more: `reverie night show 2026-11-30-1`" in lines
    assert len(lines) < 20


def test_pain_29_what_is_forgotten_goes_from_the_pages_of_dreams_and_from_the_records(house: House) -> None:
    """pain 29: a question that quotes it is on the page; after `forget` neither page, history nor state holds it."""
    facts = house.root / "vault" / "facts" / "Boat.md"
    facts.write_text("# Boat\n\n- [mooring code] heron-42-blue (since 2026-11-02)\n")
    house.store.sync()
    house.night.failed("which door opens with heron-42-blue?", "a small wooden dinghy")
    house.night.failed("is heron-42-blue the mooring code?", "A small wooden dinghy with a red sail")
    run = house.night.dream("Asked for")
    assert "heron-42-blue" in page(house)
    with house.night.hushed():
        house.store.forget("mooring code", confirm=True)
        house.night.scrub(["mooring code", "heron-42-blue"], house.store.says)
    assert "heron-42-blue" not in page(house)
    assert f"## 03:00 {run.id}" in page(house)
    held = [path for path in (house.root / "state").rglob("*") if path.is_file() and b"heron-42" in path.read_bytes()]
    assert held == []
    assert not any("heron-42" in str(one) for one in house.store.history(None))


def test_pain_29_a_plain_word_goes_from_what_dreams_quote_too(house: House) -> None:
    """pain 29: a value that is an ordinary name goes with the questions that name it, whatever else they say."""
    (house.root / "vault" / "facts" / "Us.md").write_text("# Us\n\n- [sister] Mina (since 2026-11-02)\n")
    house.store.sync()
    run = house.night.dream("Asked for")
    asked = ["What did you tell about mina and birthday?", "What is known about minarets and birthday?"]
    run.failed = [FailedRecord(question=one, failure="buried", pages=["facts/Us.md"]) for one in asked]
    run.failed.append(FailedRecord(question="does Mina sing?", failure="buried"))
    house.store.append_lines(run.log, lines_of(run), "Dream: what it did")
    with house.night.hushed():
        house.store.forget("sister", confirm=True)
        house.night.scrub(["sister", "Mina"], house.store.says)
    assert "about mina and" not in page(house)
    assert "minarets" in page(house)
    assert "“does Mina sing?”: buried; nothing to try" in page(house)  # somebody's own words, as in the journal


def test_pain_29_a_person_goes_from_what_dreams_quote(house: House) -> None:
    """pain 29: of whom no conversation is to speak, of them no question made from one does."""
    run = house.night.dream("Asked for")
    asked = "What did you tell about kettunen and feather?"
    run.failed = [FailedRecord(question=asked, failure="buried", pages=["journal/2026/2026-10-21.md"])]
    house.store.append_lines(run.log, lines_of(run), "Dream: what it did")
    with house.night.hushed():
        assert house.store.forget("Kettunen", confirm=True).done
        house.night.scrub(["Kettunen"], house.store.says)
    assert "kettunen" not in page(house).casefold()
    kept = [path.read_text() for path in (house.root / "state" / "night").rglob("*.json")]
    assert not any("kettunen" in text.casefold() for text in kept)


def test_pain_29_what_dreams_quote_of_a_page_goes_with_it(house: House) -> None:
    """pain 29: questions made from its words are gone from dreams/, the history and the state; others stay."""
    (house.root / "vault" / "Shed.md").write_text(
        "# Shed\n\nThe anvil of Zerubbabel stands in the shed since spring.\n"
    )
    house.store.sync()
    house.set(probes=400)
    run = house.night.dream("Asked for")
    quoting = FailedRecord(
        question="What is known about zerubbabel and anvil?", failure="buried", pages=["Shed.md"], tried=["extract"]
    )
    quoting.keys = [one.key for one in house.store.corpus().passages.values() if one.path == "Shed.md"]
    run.failed = [quoting, *run.failed]
    house.night.runs.keep(run)
    house.store.append_lines(run.log, lines_of(run), "Dream: what it did")
    others = sum("“" in line for line in page(house).splitlines() if "zerubbabel" not in line)
    assert "zerubbabel and anvil" in page(house)
    with house.night.hushed():
        house.store.forget("Shed.md", confirm=True)
        house.night.scrub(["Shed.md"], house.store.says)
    assert "zerubbabel" not in page(house).casefold()
    assert sum("“" in line and "[forgotten]" not in line for line in page(house).splitlines()) == others
    kept = [path.read_text() for path in (house.root / "state" / "night").rglob("*.json")]
    assert not any("zerubbabel" in text.casefold() for text in kept)
    assert house.night.runs.find(run.id).failed == run.failed[1:]


def test_a_dream_ends_for_what_is_forgotten_and_tells_nothing(house: House) -> None:
    """Who wants something forgotten waits for no dream: it is dropped whole, and is as due as before."""
    forgotten = threading.Event()

    def forget() -> None:
        with house.night.hushed():
            forgotten.set()

    asking = threading.Thread(target=forget)

    def pause() -> None:
        if asking.ident is None:
            asking.start()
            while not house.night.is_hushed:
                asking.join(0.001)

    run = house.night.dream("Asked for", pause=pause)
    asking.join(10)
    assert forgotten.is_set()
    assert run.stopped == FORGETTING
    assert house.night.runs.latest() == []
    assert not (house.root / "vault" / "dreams").exists()
    assert not house.night.state.tuning()
    assert house.night.due() == "The first dream"
    assert house.night.dream("Asked for").repairs
