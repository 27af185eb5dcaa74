"""What a verb says to have happened to a thing: it has another value, more or less of it, it is over, it is gone."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Kind = Literal["other", "over", "dead", "left", "parted", "settled", "split", "got", "away"]


@dataclass(frozen=True)
class Deed:
    """
    *other*: it has another value now, more or later of it by the *sign*, where that is told, *factor* times as much.

    over: what was to be will not be, or is no more. dead: they died. left: somebody is where they were no more. parted:
    it is nobody's of ours now. settled: what was owed or lent is given back. split: two are no couple any more. got: it
    was to be got, and is there. away: nobody knows where they are.
    """

    kind: Kind
    sign: int = 0
    factor: float = 0.0


def _table(words: str, deed: Deed) -> dict[tuple[str, str], Deed]:
    """Each of *words*, verbs with their particles after a hyphen, as *deed*."""
    return {(verb, particle): deed for word in words.split() for verb, _, particle in [word.partition("-")]}


_DEEDS = {
    **_table(
        "move shift change switch reschedule rebook swap adjust update transfer relocate rearrange reset set revise renew amend "
        "rename replace hand hand-over give put turn-into",
        Deed("other"),
    ),
    **_table(
        "postpone delay defer push push-back put-back move-back set-back put-off push-out hold-up raise increase up upp bump "
        "bump-up boost hike put-up go-up extend rise climb grow push-up turn-up step-up lengthen prolong slip creep-up jump",
        Deed("other", 1),
    ),
    **_table(
        "bring-forward move-forward pull-forward put-forward push-forward advance move-up lower reduce cut cut-down drop "
        "decrease bring-down go-down fall shorten slash take-down turn-down come-down trim shrink dip knock-off push-down",
        Deed("other", -1),
    ),
    **_table("double", Deed("other", 1, 2.0)),
    **_table("triple treble", Deed("other", 1, 3.0)),
    **_table("halve", Deed("other", -1, 0.5)),
    **_table(
        "cancel call-off scrap scratch abandon axe end finish expire lapse terminate discontinue fall-through close "
        "close-down shut-down shut fold drop-out pull-out back-out bail bail-out stop "
        "give-up decide-against pack-in",
        Deed("over"),
    ),
    **_table("die pass-away pass-on drown perish put-down", Deed("dead")),
    **_table(
        "quit leave resign retire step-down stand-down fire sack let-go lay-off dismiss move-out move-on graduate",
        Deed("left"),
    ),
    **_table(
        "sell lose give-away throw-away throw-out steal smash wreck scrap donate get-rid trade-in misplace destroy bin write-off",
        Deed("parted"),
    ),
    **_table("pay-back repay pay-off return give-back bring-back hand-back settle settle-up pay", Deed("settled")),
    **_table("run-away disappear vanish", Deed("away")),
    **_table("buy get pick-up fetch", Deed("got")),
    **_table("break-up split-up split divorce separate", Deed("split")),
}  # fmt: skip


def deed(verb: str, particles: Collection[str]) -> Deed | None:
    """What *verb*, in its base form, with one of *particles* does to a thing; None where it changes none."""
    for particle in particles:
        if (found := _DEEDS.get((verb, particle))) is not None:
            return found
    return _DEEDS.get((verb, ""))
