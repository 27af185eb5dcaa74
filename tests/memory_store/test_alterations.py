"""What befell something that is known: it is at another time, costs more, is over, or is nobody's now, in any words."""

import re
from pathlib import Path

import pytest

from memory_store.fact_edits import apply
from memory_store.fact_pages import new_page, read_facts
from memory_store.facts import Change
from memory_store.familiar import Familiar
from memory_store.ledger import Ledger
from memory_store.linking import changes
from memory_store.page import Page
from memory_store.statements import extract

DAY = "2026-11-30"


class Told:
    """Messages in their order, as facts on pages."""

    def __init__(self, *messages: str) -> None:
        self.ledger = Ledger.build(())
        pages: dict[str, Page] = {}
        for n, message in enumerate(messages):
            statements = extract(message, before=messages[:n], known=Familiar.of(self.ledger))
            by_path: dict[str, list[Change]] = {}
            for change in changes(statements, self.ledger, today=DAY, source=None).changes:
                by_path.setdefault(change.path, []).append(change)
            for path, group in by_path.items():
                pages[path] = apply(pages.get(path) or new_page(Path(path).stem), group, today=DAY)
                self.ledger = self.ledger.replace(path, read_facts(path, pages[path]))
        self.lines = [line for page in pages.values() for line in page.lines]

    @property
    def now(self) -> list[str]:
        """What stands as sure, as `attribute: value`."""
        return [f"{fact.attribute}: {fact.value}" for fact in self.ledger.facts() if fact.state == "known"]

    @property
    def doubts(self) -> dict[str, str | None]:
        return {fact.attribute: fact.cause for fact in self.ledger.facts() if fact.state == "unsure"}


@pytest.mark.parametrize(
    ("told", "news", "now"),
    [
        ("My eye test is on 4 May at 11:15.", "The optician moved the eye test to 6 May.", "eye test: 6 May at 11:15"),
        ("Our rent is 900 euros.", "Our landlady raised the rent from 900 to 950.", "rent: 950 euros"),
        ("Our rent is 1,050 euros.", "The rent went up by 60.", "rent: 1,110 euros"),
        ("I take 5 mg of enalapril every morning.", "My GP doubled the enalapril.", "take: 10 mg of enalapril every morning"),
        ("My haircut is on Saturday at 15:00.", "The salon pushed my haircut back by 45 minutes.", "haircut: Saturday at 15:45"),
        ("Our coach to Ghent leaves at 9:10.", "The coach was brought forward to 8:40.", "coach to Ghent leaves at: 8:40"),
        ("My salary is 41k.", "I got a raise to 44k.", "salary: 44k"),
        ("The nursery closes at 17:00.", "The nursery now closes half an hour earlier.", "nursery closes at: 16:30"),
        ("My flight lands at 22:40.", "The flight's delayed by an hour.", "flight lands at: 23:40"),
        ("My allergy shot is every four weeks.", "My allergist spaced it out to every six weeks.", "allergy shot: every six weeks"),
        ("Our babysitter Lena charges 12 euros an hour.", "Lena raised her rate to 14 euros.", "Lena charges: 14 euros an hour"),
        ("My lease ends on 31 March.", "The landlord extended my lease until 30 June.", "lease ends on: 30 June"),
        ("My spare key is under the pot.", "I gave the spare key to our neighbour.", "spare key: with our neighbour"),
    ],
)  # fmt: skip
def test_news_of_a_known_thing_changes_it_whatever_the_verb(told: str, news: str, now: str) -> None:
    """To another day, by so much, twice as much: the part that is told anew changes, and the rest stays."""
    assert now in Told(told, news).now


def test_a_pronoun_means_what_was_just_told_across_messages() -> None:
    """`They pushed it back to Friday`, `he passed away`: of what the sentence or the message before told."""
    assert (
        "boiler service: Friday at 10"
        in Told("The boiler service is on Thursday at 10.", "They moved it to Friday.").now
    )
    assert "eye test: 6 May at 11:15" in Told("My eye test is on 4 May at 11:15. The optician moved it to 6 May.").now
    assert Told("My parrot is called Kiki.", "He passed away this morning.").now == []


@pytest.mark.parametrize("news", ["He postponed it by a week.", "The train was delayed.", "They rescheduled the call."])
def test_what_is_not_reckoned_is_unsure_and_says_why(news: str) -> None:
    """News without its outcome leaves no old value standing as sure: it is `?`, with the sentence as its reason."""
    told = Told("Our call is on Friday at 4pm. Our train to Graz leaves at 7:12. My eye test is on Monday.", news)
    meant = {"He": "eye test", "Th": "train to Graz leaves at"}[news[:2]] if "call" not in news else "call"
    assert told.doubts == {meant: news}


@pytest.mark.parametrize(
    ("told", "news"),
    [
        ("Our next concert is on 3 June at the Lyceum.", "The Lyceum concert was cancelled."),
        ("My driving lesson is on Tuesday.", "They called off the driving lesson."),
        ("I drive a red Volvo V60.", "We sold the Volvo last week."),
        ("Hannah owes me 80 euros.", "Hannah paid me back."),
        ("I borrowed a drill from Mehmet.", "I returned the drill."),
        ("My boyfriend is called Levi.", "Levi and I broke up."),
        ("I work at the mill.", "I quit my job."),
        ("Our goat is called Berta.", "Berta had to be put down."),
        ("I have a subscription to Le Monde.", "I cancelled my Le Monde subscription."),
        ("My bank is Comdirect.", "I closed my Comdirect account."),
        ("I do pilates on Thursdays.", "I stopped doing pilates."),
        ("I owe the plumber 140 euros.", "I settled up with the plumber."),
        ("My favourite café is Zimt.", "Zimt closed down."),
        ("Add eggs to the shopping list.", "We got the eggs."),
    ],
)
def test_what_is_over_ends_with_its_day_in_the_past(told: str, news: str) -> None:
    """Cancelled, sold, given back, dead, left: nothing stands any more, and `Past` says until when it did."""
    after = Told(told, news)
    assert after.now == []
    assert any(re.search(rf"to {DAY}", line) for line in after.lines)


def test_one_of_several_goes_and_the_others_stay() -> None:
    """A member who died or quit leaves the list; nobody else does."""
    assert "hens: Frieda and Wilma" in Told("Our hens are Frieda, Olga and Wilma.", "A fox got Olga, she died.").now
    assert "violinists: Ines and Tara" in Told("Our violinists are Ines, Paul and Tara.", "Paul quit yesterday.").now
    assert "Hannah owes: 50 euros" in Told("Hannah owes me 80 euros.", "She paid back 30 euros.").now


def test_who_left_leaves_their_part_open_and_not_their_kinship() -> None:
    """Nobody knows who is the au pair now; a sister who quit is a sister still."""
    assert Told("Our cleaner is Vera.", "Vera handed in her notice.").doubts == {
        "cleaner": "Vera handed in her notice."
    }
    assert Told("Our au pair is Camille.", "Camille left us.").doubts == {"au pair": "Camille left us."}
    assert Told("My sister is Nora.", "Nora quit yesterday.").now == ["sister: Nora"]


def test_who_comes_instead_takes_nobodys_kinship() -> None:
    """Whoever cancelled comes no more, somebody else does, and a neighbour is the neighbour he was."""
    told = Told(
        "My neighbour is Rolf Aders.",
        "Rolf Aders comes on Wednesday between 10 and 12.",
        "Rolf cancelled, his colleague Dirk will come on Friday instead.",
    )
    assert sorted(told.now) == ["Dirk comes on: Friday", "neighbour: Rolf Aders"]
    told = Told(
        "Our plumber is Rolf Aders.",
        "Rolf Aders comes on Wednesday between 10 and 12.",
        "Rolf cancelled, his colleague Dirk will come on Friday instead.",
    )
    assert sorted(told.now) == ["Dirk comes on: Friday", "plumber: Dirk"]


def test_of_two_doses_the_named_one_changes() -> None:
    """Things told in one breath are facts apart, and news of one leaves the other."""
    told = Told(
        "I take 5 mg of enalapril every morning and 20 mg of statin at night.",
        "The doctor upped the enalapril to 10 mg.",
    )
    assert told.now == ["take: 10 mg of enalapril every morning", "take: 20 mg of statin at night"]


def test_what_comes_instead_takes_the_place_of_what_is_over() -> None:
    """`We cancelled Crete, we're going to Naxos instead`: the dates stay."""
    told = Told(
        "We're going on holiday from 3 to 10 July to Crete.", "We cancelled Crete, we're going to Naxos instead."
    )
    assert told.now == ["go on: holiday from 3 to 10 July to Naxos"]


@pytest.mark.parametrize(
    "news",
    [
        "If they move the call to Monday, I can come.",
        "They might move the call to Monday.",
        "They didn't cancel the call.",
        "Tom said they cancelled the call.",
        "Did they cancel the call?",
        "My sister's call was moved to Monday.",
        "I want to cancel the call.",
        "Rollo has given up the call.",
        "Write a poem in which they cancelled the call.",
    ],
)
def test_what_did_not_surely_happen_changes_nothing(news: str) -> None:
    """Conditions, wishes, denials, questions, reported words and other people's things leave a fact as it is."""
    assert "call: Friday at 4pm" in Told("Our call is on Friday at 4pm.", news).now


def test_somebody_who_moved_away_is_no_place() -> None:
    """Where the one who plays a part went to is not who plays it now."""
    assert "baker: Denmark" not in Told("Our baker is Henrik.", "Henrik has moved to Denmark.").now


def test_a_known_name_takes_any_value_that_is_told_to_be_so_now() -> None:
    """`The NAME is now V`, of a fact of just that name on any page, changes it."""
    assert "bom thing: mango" in told_on_page("bom thing", "apricot", "The bom thing is now mango.")


def told_on_page(attribute: str, value: str, news: str) -> list[str]:
    page = new_page("Bom").insert_after(4, [f"- [{attribute}] {value}"])
    ledger = Ledger.build([read_facts("facts/Bom.md", page)])
    told = changes(extract(news, known=Familiar.of(ledger)), ledger, today=DAY, source=None).changes
    after = read_facts("facts/Bom.md", apply(page, told, today=DAY))
    return [f"{fact.attribute}: {fact.value}" for fact in after.facts]


def test_a_raise_or_a_rent_of_which_nothing_was_known_is_told_by_it() -> None:
    """What it is now is a fact though nobody said what it was."""
    assert Told("I got a raise to 64k.").now == ["salary: 64k"]
    assert Told("Our landlady raised the rent from 900 to 950.").now == ["rent: 950"]


def test_a_day_names_no_appointment_that_somebody_else_takes_over() -> None:
    """`Dirk will come on Friday instead` is no news of what else there is on a Friday."""
    told = Told(
        "My meeting with the landlord is on Friday at 4pm.", "Rolf cancelled, Dirk will come on Friday instead."
    )
    assert told.now == ["meeting with the landlord: Friday at 4pm"]


def test_a_new_job_is_the_speakers_own() -> None:
    """It is no news of where somebody else works."""
    told = Told(
        "My girlfriend is Ines.",
        "Ines works as a nurse at the clinic.",
        "I started a new job at Fenwick Ltd as a cook.",
    )
    assert {"Ines works as: nurse", "work at: Fenwick Ltd", "work as: cook"} <= set(told.now)


def test_what_is_plainly_told_without_a_full_stop_counts_beside_what_is_known() -> None:
    """`salary is 58k` is no heading and no search where facts of the owner's are known."""
    assert "salary: 58k" in Told("My shoe size is 43.", "salary is 58k").now
    assert Told("salary is 58k").now == []


def test_the_early_shift_is_not_the_late_one() -> None:
    """A rule of the one makes nothing of the other, however alike they are called."""
    told = Told(
        "Our employees are Vroni, Bart and Youssef.",
        "Vroni's shift is the early shift, and Bart does the late shift.",
        "If Vroni quits, Youssef does the early shift.",
    )
    assert all("late shift" not in rule.then.attribute for rule in told.ledger.rules)


@pytest.mark.parametrize(
    ("told", "news"),
    [
        ("Our team meeting is on Mondays at 10.", "The team meeting is cancelled this week."),
        ("The kids' swimming is on Wednesdays at 16:30.", "The kids' swimming was moved to Thursday this week."),
        ("Our choir practice is every Friday at 8.", "Choir practice is off tonight."),
    ],
)
def test_what_recurs_is_not_over_for_being_off_once(told: str, news: str) -> None:
    """This week, tonight, next Monday: one time of it, and what is so every week is so again the next."""
    assert Told(told, news).now == Told(told).now != []


def test_what_is_so_from_next_week_is_no_single_time() -> None:
    """`from next week` tells of all that follow."""
    told = Told("Our team meeting is on Mondays at 10.", "From next week the team meeting is on Tuesdays at 10.")
    assert told.now == ["team meeting: Tuesdays at 10"]


def test_weight_lost_and_gained_is_reckoned() -> None:
    """By whoever lost it."""
    assert Told("I weigh 80 kilos.", "I lost 3 kilos.").now == ["weigh: 77 kilos"]
    assert "Bruno weighs: 26 kilos" in Told("Our dog is Bruno.", "Bruno weighs 24 kilos.", "Bruno put on 2 kilos.").now


def test_what_is_denied_after_all_ends_and_who_is_lost_is_unsure() -> None:
    """An allergy that is none goes; of a cat that ran away nobody knows."""
    assert Told("I'm allergic to penicillin.", "Turns out I'm not allergic to penicillin after all.").now == []
    assert Told("Our cat is called Mango.", "Mango ran away.").doubts == {"cat": "Mango ran away."}


def test_a_correction_names_what_it_was_and_so_what_it_corrects() -> None:
    """`the bakery is in Bruges, not Ghent` puts its place right, and leaves its name."""
    told = Told(
        "I run a small bakery in Ghent called De Korst.", "Sorry, I was wrong, the bakery is in Bruges, not Ghent."
    )
    assert told.now == ["bakery: De Korst", "bakery's place: Bruges"]


@pytest.mark.parametrize(
    ("told", "news"),
    [
        ("My dog is called Pluto.", "My neighbour's dog died."),
        ("Our rent is 900 euros.", "My colleague raised the question of rent."),
        ("Hannah owes me 80 euros.", "I paid Hannah a visit."),
        ("Hannah owes me 80 euros.", "Ines lost 80 euros."),
        ("My girlfriend is Ines.", "Ines and I broke up the fight."),
        ("I live in Bremen.", "Bremen lost 3 to 1."),
        ("I live in Bremen.", "I ended up in Bremen."),
        ("I drive a Volvo V60.", "My Volvo broke down."),
        ("The kids' bedtime is 19:30.", "I dropped the kids at school at 8."),
        ("Our team meeting is on Mondays at 10.", "We finished the meeting at 11."),
        ("Our cats are Miso and Tofu.", "Miso gave birth to 4 kittens."),
        ("My boss is Priya.", "Priya resigned from the tennis club."),
        ("My phone is a Pixel 8.", "I switched my phone to silent."),
        ("I leave the house at 7:10.", "They're still closed at 6:30."),
    ],
)
def test_what_sounds_like_news_of_a_thing_and_is_none_leaves_it(told: str, news: str) -> None:
    """Other people's things, other senses of a verb, the day's end of what recurs: the fact stands as it did."""
    assert set(Told(told).now) <= set(Told(told, news).now)


@pytest.mark.parametrize(
    ("told", "news", "now"),
    [
        (["Jonna's glove size is 7."], "Jonna's hands have grown, she wears 8 now.", "Jonna's glove size: 8"),
        (["My badge number is 3301."], "My badge got lost, so they gave me 3388.", "badge number: 3388"),
        (["I earn 15 euros an hour."], "The bakery gave us a raise, it's 16.40 now.", "earn: 16.40 euros an hour"),
        (["I pay 30 euros a month for the pool."], "The pool went up, it's 34 now.", "pool: 34 euros a month"),
        (["My son takes Ritex 0.5 mg at noon."], "The doctor lowered the Ritex to 0.25.", "son takes: Ritex 0.25 mg at noon"),
        (["My son Jon plays hockey on Fridays at 17:00."], "The hockey practice was moved to Saturdays.", "Jon plays hockey on: Saturdays at 17:00"),
        (["My essay is due on 2 May."], "The deadline for my essay was extended by two weeks.", "essay due on: 16 May"),
    ],
)  # fmt: skip
def test_a_new_number_or_day_is_told_without_the_name_of_the_fact(told: list[str], news: str, now: str) -> None:
    """By a pronoun, what was handed out, or another word for the hour: the one fact of that kind and person changes."""
    assert now in Told(*told, news).now


@pytest.mark.parametrize(
    ("told", "news"),
    [
        (["Jonna's glove size is 7."], "Per's hands have grown, he wears 8 now."),
        (["Jonna's glove size is 7."], "Jonna's aunt came, she is 34 now."),
        (["My badge number is 3301.", "My locker number is 12."], "They gave me 14 sheets."),
        (["I earn 15 euros an hour."], "The butter is dear, it's 3.20 now."),
        (["I earn 15 euros an hour."], "The cousins got a raise, it's 900 now."),
        (["My son Jon plays hockey on Fridays at 17:00."], "The chess club was moved to Saturdays."),
    ],
)
def test_a_new_number_of_another_thing_changes_nothing(told: list[str], news: str) -> None:
    """Of somebody else, of another thing, or far from what it was, a number is no news of a fact."""
    assert set(Told(*told).now) <= set(Told(*told, news).now)


def test_of_two_that_may_be_meant_both_become_unsure() -> None:
    """Where two play hockey, and the practice is moved, neither day is sure any more, for that reason."""
    told = Told(
        "My son Jon plays hockey on Fridays.",
        "My niece Lu plays hockey on Mondays.",
        "The hockey practice was moved to Saturdays.",
    )
    assert set(told.doubts) == {"Jon plays hockey on", "Lu plays hockey on"}


@pytest.mark.parametrize(
    ("told", "news", "now"),
    [
        (["My dad takes Eltroxin 50 mcg at eight."], "They moved dad to bay 9.", "dad takes: Eltroxin 50 mcg at eight"),
        (["My lodger Finn pays 410."], "The grocer over the road raised his prices to 6 euros.", "Finn pays: 410"),
        (["I rent on Quay Street."], "The landlord over the road raised his rents to 900.", "rent on: Quay Street"),
        (["Nora owes me 70 euros."], "Nora's cousin paid me back 20.", "Nora owes: 70 euros"),
        (["Nora owes me 70 euros."], "Nora paid me back 20.", "Nora owes: 50 euros"),
        (["I drive a Saab."], "The Saab was towed to Mill Lane.", "drive: Saab"),
        (["Greta lives in Ulm."], "Greta moved to Passau.", "Greta lives in: Passau"),
        (["We own four canoes."], "We sold one canoe to the scouts.", "own: three canoes"),
        (["We own four canoes."], "We sold two canoes.", "own: two canoes"),
        (["We own four canoes."], "We sold another canoe.", "own: three canoes"),
        (["We own 4 canoes."], "We sold one canoe.", "canoes: 3"),
        (["I keep three goats.", "I put a bell in goat pen 2."], "I sold a goat.", "put: bell in goat pen 2"),
        (["My aunt is in the Linden home.", "My aunt takes iron drops."], "", "aunt is: in the Linden home"),
    ],
)  # fmt: skip
def test_a_change_is_written_to_what_it_befell_alone(told: list[str], news: str, now: str) -> None:
    """A ward is no dose, a stranger's price nobody's rent, a cousin's payment no debtor's; one sold leaves the rest."""
    assert now in Told(*told, *([news] if news else [])).now
