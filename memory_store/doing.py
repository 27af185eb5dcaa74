"""Everyday English verbs and their forms: to tell where in a clause its verb stands, and a name from what follows it."""

import re
from functools import lru_cache
from typing import Literal

Form = Literal["base", "s", "past", "ing"]

_VERBS = """
accept accompany act adapt add adjust admit adopt advise affect agree aim allow amount answer apply appoint approve arrange arrive ask assign assist assume attend
audition avoid back bake bale ban bank bark base bathe batch be beat become begin believe belong bike bill bind bite blow board boil book borrow bowl box brew bring broadcast brush budget build burn bury buy
call camp cancel captain care carry carve cast catch celebrate centre chair change charge chase check choose chop clean climb close coach collect color colour comb come command commute complete compost conduct confirm connect consult contain contribute
control convert cook copy cost count cover craft create crochet cross cruise cultivate cure cut cycle dance deal decide decorate defend deliver demand depart depend deploy design determine dictate dig dine dip direct discuss dislike display dive do document donate drain draw dress
drink drive drop dry dye earn eat edit elect employ end enforce engage engineer enjoy enter escort examine exercise expect expire explain export extract face fall farm fear feed feel fence ferment fetch fight fill film filter find finish fire fish fit fix flavour flow fly focus fold follow force forecast format forward
foster found frame freeze frost fry fuel fund gather get give glaze glue go govern grade grind groom grow guard guide hand handle hang happen harvest hate have head heal heat heel help hem hike hinge hire hold host house hunt import improve include increase inspect install instruct insulate insure invest invite invoice iron issue
join judge jump keep kick kill knead kneel knit know label land last launch lay lead lean learn lease leave lecture lend let level license lift light like line link list listen live load loan lock log look lose love lower maintain make manage march mark market marry massage master match matter mean measure meet mend
mentor merge milk mind minister mix model monitor mount move mow mulch need nurse obey observe offer officiate open operate orbit order organise organize owe own pack paddle paint park pass patrol pay perform pick pilot pitch place plan plant play plough plow polish post pot pour practice practise pray prefer prepare prescribe present preserve press preside print
process produce program project promise promote protect prove provide prune publish pull pump push put qualify quit race raise ramble reach read rear recommend record recruit recycle redo refer reflect refuse register rehearse relate release rely remain remind remove rent repair replace report represent require rescue reserve rest restock retain return review revolve ride ring
rise roast roll rotate row rule run rush sail sample save saw say schedule scout screen sculpt seal seat secure see seed select sell send separate serve service set settle sew shape share shave shear shelter shift shine ship shoot shop show shower shut sign simmer sing sit skate ski skip sleep slice slow smoke smell snack soak solder sort sound source sow speak specialise
specialize spell spend spin sponsor spray spread stack staff stage stain stake stand star start stay steam steer stitch stock stop store stream stretch study style submit subscribe suit supervise supply support surf survey sweep swim swing switch tailor take talk tan taste teach tell tend test think throw thrive tie till time tip toast touch tour tow track trade train translate travel treat trim trust try
tune tutor turn tweak type upload use vacuum value vary vet visit volunteer vote wait wake walk want warm wash watch water wax wear weave weed weigh weld welcome whip win wind wipe wire wish work wrap wrestle write yield zip
"""
_PAST = {
    "beat": "beat", "become": "became", "begin": "began", "bind": "bound", "bite": "bit", "blow": "blew", "bring": "brought", "build": "built", "burn": "burnt", "buy": "bought", "cast": "cast",
    "catch": "caught", "choose": "chose", "come": "came", "cost": "cost", "cut": "cut", "deal": "dealt", "dig": "dug", "do": "did", "draw": "drew", "drink": "drank", "drive": "drove", "eat": "ate",
    "fall": "fell", "feed": "fed", "feel": "felt", "fight": "fought", "find": "found", "fly": "flew", "freeze": "froze", "get": "got", "give": "gave", "go": "went", "grind": "ground", "grow": "grew", "hang": "hung",
    "have": "had", "hold": "held", "keep": "kept", "know": "knew", "lay": "laid", "lead": "led", "leave": "left", "lend": "lent", "let": "let", "light": "lit", "lose": "lost", "make": "made", "mean": "meant", "meet": "met",
    "pay": "paid", "put": "put", "quit": "quit", "read": "read", "ride": "rode", "ring": "rang", "rise": "rose", "run": "ran", "say": "said", "see": "saw", "sell": "sold", "send": "sent", "set": "set", "sew": "sewed",
    "shine": "shone", "shoot": "shot", "shut": "shut", "sing": "sang", "sit": "sat", "sleep": "slept", "speak": "spoke", "spend": "spent", "spin": "spun", "spread": "spread", "stand": "stood", "stick": "stuck",
    "sweep": "swept", "swim": "swam", "swing": "swung", "take": "took", "teach": "taught", "tell": "told", "think": "thought", "throw": "threw", "wake": "woke", "wear": "wore", "weave": "wove", "win": "won", "wind": "wound", "write": "wrote",
}  # fmt: skip
_PARTICIPLES = {
    "beat": "beaten", "become": "become", "begin": "begun", "bite": "bitten", "blow": "blown", "choose": "chosen", "come": "come", "do": "done", "draw": "drawn", "drink": "drunk",
    "drive": "driven", "eat": "eaten", "fall": "fallen", "fly": "flown", "freeze": "frozen", "give": "given", "go": "gone", "grow": "grown", "know": "known", "ride": "ridden",
    "ring": "rung", "rise": "risen", "see": "seen", "sew": "sewn", "show": "shown", "sing": "sung", "speak": "spoken", "swim": "swum", "take": "taken", "throw": "thrown", "wake": "woken",
    "wear": "worn", "weave": "woven", "write": "written",
}  # fmt: skip
# Forms that are rather nouns than verbs where a name could end.
RATHER_NOUNS = frozenset(
    """bank banks bill bills book books box boxes bowl bowls board boards cover covers cost costs coach back color
    colour cook cooks design designs display document documents dress drink drinks drive face faces farm farms film
    films filter filters fire fish flavour frame frames fuel fund funds garden grade grades group guard guide guides
    head heads house houses host hosts house iron issue issues judge label labels land lead leads lease level levels
    light lights line lines link links list lists loan lock locks look looks mark marks market master match matches
    measure mind model models mount nurse offer offers order orders paint pack park parks pass pilot place places
    plan plans plant plants play plot post posts pot pots press print price process program project pump pumps race
    record records report reports rest review reviews ride ring rings roll rolls row rule rules saw schedule screen
    seal seat seats seed seeds service share ship shop shops show shower sign signs sound source sources stack staff
    stage star stock store stores stream study style supply support surf survey switch test tests tie time times tip
    tips tour track tracks trade trail train trains type types value values view visit vote walk walks wash watch
    water wave wax wire work works paper fence water trim top tops pick number string order score rent commute diet
    dye catch lunch dinner rest bike cycle gym""".split()
)


def _forms() -> dict[str, tuple[str, Form]]:
    found: dict[str, tuple[str, Form]] = {}
    for verb in _VERBS.split():
        doubled = len(verb) < 7 and verb[-1] not in "aeiouywx" and verb[-2] in "aeiou" and verb[-3:-2] not in "aeiou"
        stem = (
            verb + verb[-1]
            if (doubled and not verb.endswith(("er", "en", "on", "it", "or")))
            or verb in ("commit", "admit", "prefer", "refer", "knit", "sit", "hit", "fit", "quit", "begin", "spit")
            else verb
        )
        third = (
            verb[:-1] + "ies"
            if verb.endswith("y") and verb[-2] not in "aeiou"
            else verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
        )
        past = _PAST.get(verb) or (
            verb + "d"
            if verb.endswith("e")
            else verb[:-1] + "ied"
            if verb.endswith("y") and verb[-2] not in "aeiou"
            else stem + "ed"
        )
        ing = (verb[:-1] if verb.endswith("e") and not verb.endswith(("ee", "ye")) else stem) + "ing"
        for form, kind in ((ing, "ing"), (past, "past"), (third, "s"), (verb, "base")):
            found[form] = (verb, kind)  # type: ignore[assignment]
    for verb, participle in _PARTICIPLES.items():
        found.setdefault(participle, (verb, "past"))
    found.update(
        {"has": ("have", "s"), "does": ("do", "s"), "is": ("be", "s"), "are": ("be", "base"), "am": ("be", "base")}
    )
    return found


_FORMS = _forms()
_ING = {base: form for form, (base, kind) in _FORMS.items() if kind == "ing"}
_THIRD = {base: form for form, (base, kind) in _FORMS.items() if kind == "s" and form != "is"}
_PAST_OF = {base: form for form, (base, kind) in _FORMS.items() if kind == "past"} | _PAST


@lru_cache(maxsize=4096)
def verb_form(word: str) -> tuple[str, Form] | None:
    """The base of *word* and which form of it that is; None where it is no everyday verb."""
    return _FORMS.get(word.lower())


def may_follow_a_name(word: str) -> bool:
    """Whether *word* after a noun is rather its verb than the next word of a longer name: `the vet told`."""
    found = verb_form(word)
    return found is not None and word.lower() not in RATHER_NOUNS


def ing_of(verb: str) -> str:
    """The form of *verb*, in its base form, that ends in -ing."""
    return _ING.get(verb, verb + "ing")


def irregular() -> dict[str, str]:
    """Forms of the past that do not end in -ed, with their base forms; without those that are rather nouns."""
    forms = [(form, base) for table in (_PAST, _PARTICIPLES) for base, form in table.items()]
    return {form: base for form, base in forms if form != base and form not in (*RATHER_NOUNS, *_ALSO_OTHER_WORDS)}


_ALSO_OTHER_WORDS = ("bound", "felt", "found", "ground", "lay", "meant", "mean", "said", "saw", "wound")


def third_of(verb: str) -> str:
    """The form of *verb*, in its base form, that goes with he, she and it."""
    return _THIRD.get(verb, verb + "s")


_PAST_IS_BASE = frozenset([form for base, form in _PAST.items() if form == base] + ["run"])
_NO_PARTICIPLES = frozenset("hundred indeed kindred sacred wicked naked biped".split())


_PREFIX = re.compile(r"^(?:re|un|over|mis|out)(?=\w{3})")  # redone, unmade, overtaken


def is_done_to(word: str) -> bool:
    """Whether *word* tells what is done to something: `stored`, `kept`, `taken`."""
    found = verb_form(word)
    if found is None:
        base = _PREFIX.sub("", word)
        again = base != word and base not in _NO_PARTICIPLES and (verb_form(base) or ("", ""))[1] == "past"
        return again or (word.endswith("ed") and len(word) > 4 and word not in _NO_PARTICIPLES)
    return found[1] == "past" or word in _PAST_IS_BASE


def past_of(verb: str) -> str:
    """What *verb*, in any form of the present, is in the past: `was`, `were` and `lived`."""
    be = {"is": "was", "am": "was", "are": "were"}.get(verb)
    base = (verb_form(verb) or (verb, "base"))[0]
    return be or _PAST_OF.get(base) or (f"{base}d" if base.endswith("e") else f"{base}ed")
