"""Several things that one clause tells of one subject, each as a clause of its own."""

import re
from collections.abc import Iterator

from memory_store.doing import RATHER_NOUNS, Form, verb_form
from memory_store.measures import measures
from memory_store.said import ADVERBS, PERSONAL_NAME

# "my sister Ana lives", "our dog, Biscuit, is"
_NAMED_FIRST = re.compile(
    rf"^(?P<np>(?:[Mm]y|[Oo]ur)\s+[a-z][a-z-]*(?:\s[a-z][a-z-]*){{0,2}}?),?\s+(?P<n>{PERSONAL_NAME}),?\s+(?P<rest>[a-z]+\s.+)$"
)
# "the plumber, Rolf Aders, is coming"
_THE_NAMED = re.compile(
    rf"^(?P<np>[Tt]he\s+[a-z][a-z-]*(?:\s[a-z][a-z-]*)?),\s+(?P<n>{PERSONAL_NAME}),\s+(?P<rest>[a-z]+\s.+)$"
)
# "Ana, my sister, lives"
_NAMED_LAST = re.compile(rf"^(?P<n>{PERSONAL_NAME}),\s+(?P<np>(?:my|our)\s+[a-z][a-z -]*?),\s+(?P<rest>[a-z]+\s.+)$")
_AND = re.compile(r"\s*,\s+(?:(?:and|but)\s+)?(?:also\s+|then\s+)?|\s+(?:and|but)\s+(?:also\s+|then\s+)?")
_BEFORE_A_NOUN = re.compile(
    r"\s+(?:at|on|in|to|from|with|by|for|as|up|out|off|the|an?|my|our|his|her|their|its|every|each|once|twice|\d|[A-Z£$€])"
)
# "expires in June and my licence in 2031": the verb goes for both
_GAP = re.compile(
    r"\s(?P<v>[a-z]+)\s+(?P<p>in|on|at|for|with|to|from|by)\s(?:(?!\sand\s).)+?(?P<and>,?\s+and\s+|,\s+)"
    r"(?P<s>(?:my|our|the)\s[a-z][a-z '’-]*?)(?=\s+(?P=p)\s)"
)
# "my sister, who lives in Porto, works", "a brother called Tom who works"
_WHO = re.compile(r"^(?P<s>[^,]+?),?\s+who(?:\s+(?P<is>is)|['’]s)?\s+(?P<rest>.+)$")
_HAVE = re.compile(
    rf"^I(?:['’]ve got|\s+have(?:\s+got)?)\s+(?:an?|one)\s+(?P<np>[a-z][a-z -]*?)"
    rf"(?:,?\s+(?:called|named)\s+(?P<n>{PERSONAL_NAME}))?$"
)
# After these another verb of the same form is one more thing to be done, or that can be.
_TO_DO = re.compile(r"\b(?:to|can|could|will|would|should|may|might|must|let|lets|help|helps|make|makes)\s+[a-z]+")
_LIVES_WITH = re.compile(r"^(?P<s>.*\b[Ll]ives?)\s+(?P<a>(?:in|at|on|near)\s.+?)\s+(?P<b>with\s+(?!an?\s+view)\S.*)$")
# "a bakery with my husband Jonas"
_WITH_NAMED = re.compile(
    rf"^(?P<a>.+?)\s+with\s+(?P<np>(?:my|our)\s+[a-z][a-z-]*(?:\s[a-z][a-z-]*)?)\s+(?P<n>{PERSONAL_NAME})[.!]*$"
)


# "with my wife Katja and our two kids, Mila and Theo"
_COMPANY = re.compile(r"^(?P<a>(?:.*\b)?(?:I|[Ww]e)\b.+?)\s+with\s+(?P<who>(?:my|our)\s.+?)[.!]*$")
_NEXT_OF_THEM = re.compile(r"(?:,\s*|\s+)and\s+(?=(?:my|our)\s)|,\s+(?=(?:my|our)\s)")
_ONE_OF_THEM = re.compile(
    rf"^(?P<np>(?:my|our)\s+(?:(?:two|three|four|five|six|\d)\s)?(?P<noun>[a-z][a-z-]*(?:\s[a-z][a-z-]*)?)),?\s+"
    rf"(?:called\s+|named\s+)?(?P<n>{PERSONAL_NAME}(?:,\s+{PERSONAL_NAME})*(?:,?\s+and\s+{PERSONAL_NAME})?)$"
)
# "5 mg of this every morning and 20 mg of that at night", "ballet on Tuesdays and judo on Fridays"
_OF_EACH = re.compile(
    rf"^(?P<s>(?:I|[Ww]e|{PERSONAL_NAME}|(?:[Mm]y|[Oo]ur)\s[a-z]+)\s+(?P<v>[a-z]+))\s+(?P<a>\S.*?),?\s+and\s+(?P<b>\S.*?)[.!]*$"
)
_WHEN = re.compile(r"\s(?P<p>on|at|in|every|for|before|after)\s(?P<t>.+)$")
# "Lien does the early shift, Bart the late one"
_THE_OTHER_ONE = re.compile(
    rf"^(?P<a>{PERSONAL_NAME}\s(?P<v>[a-z]+)\sthe\s[a-z]+\s(?P<noun>[a-z]+)),\s+(?:and\s+)?(?P<n>{PERSONAL_NAME})\sthe\s(?P<b>[a-z]+)(?:\s(?:one|(?P=noun)))?[.!]*$"
)


# "I run a small bakery in Ghent called De Korst"
_A_PLACE_CALLED = re.compile(
    r"^(?P<s>(?:.*\b)?(?:I|[Ww]e))\s+(?:run|own|have|manage|opened|started|founded|keep|lead)\s+an?\s+(?:(?:small|little|big|tiny|large|new|old|"
    r"nice|lovely|cosy|cozy|family|local)\s+)*(?P<np>[a-z]+(?:\s[a-z]+)?)\s+(?P<p>in|near|on|at)\s+(?P<at>[^,]+?)\s+(?:called|named)\s+(?P<n>.+?)[.!]*$"
)


# "I'm Rosa, a nurse at Marienhof hospital in Leipzig, ward 4B"
_INTRODUCED = re.compile(
    rf"^I(?:['’]m|\s+am)\s+(?P<n>{PERSONAL_NAME}),\s+(?P<as>an?\s[a-z][a-z -]*?)\s+(?:at|with|for)\s+(?P<at>[^,]+?)"
    r"(?:\s+in\s+(?P<town>[A-Z]\w+(?:\s[A-Z]\w+)?))?(?:,\s+(?P<unit>(?:ward|team|floor|unit|department|room)\s\S+?))?[.!]*$"
)


def _introduced(text: str) -> Iterator[str]:
    """What *text*, in which its speaker says who they are, tells of them besides: as what, where and on which ward."""
    if (m := _INTRODUCED.match(text)) is None:
        return
    yield f"I'm {m['n']}"
    yield f"I work as {m['as']}"
    yield f"I work at {m['at']}"
    noun = m["at"].rpartition(" ")[2]
    if m["town"] and noun.islower():
        yield f"my {noun}'s town is {m['town']}"
    if m["unit"]:
        yield f"I work {'in' if m['unit'].startswith(('room', 'dep')) else 'on'} {m['unit']}"


def company(text: str) -> tuple[str, ...] | None:
    """With whom *text* says that the speaker is, each as a clause of its own, after what else it tells."""
    m = _COMPANY.match(text)
    found = [one for piece in _NEXT_OF_THEM.split(m["who"]) if (one := _ONE_OF_THEM.match(piece))] if m else []
    if m is None or not found or (len(found) == 1 and "," not in m["who"] and " and " not in m["who"]):
        return None
    told = [
        f"{'my' if one['np'].startswith('my') else 'our'} {one['noun']} {'are' if ' and ' in one['n'] else 'is'} {one['n']}"
        for one in found
    ]
    return m["a"], *told


def _each(text: str) -> tuple[str, ...] | None:
    """*text* of two things that are measured or dated each for itself, as two clauses."""
    m = _OF_EACH.match(text)
    if m is None or (form := verb_form(m["v"])) is None or form[1] not in ("base", "s") or verb_form(m["b"].split()[0]):
        return None
    first, second = measures(m["a"]), measures(m["b"])
    if not first or not second:
        return None
    counted = all(ones[0].start == 0 and ones[0].kind in ("amount", "money", "number") for ones in (first, second))
    when = [_WHEN.search(m["a"]), _WHEN.search(m["b"])]
    dated = second[0].start > 0 and all(one is not None and one.start() > 0 and measures(one["t"]) for one in when)
    if not counted and not (dated and first[0].kind == second[0].kind):
        return None
    return f"{m['s']} {m['a']}", f"{m['s'][: -len(m['v'])]}also {m['v']} {m['b']}"


def spelled_out(text: str) -> tuple[str, ...]:
    """*text* with what two clauses share said in both: `and my licence in 2031` as `my licence expires in 2031`."""
    if introduced := tuple(_introduced(text)):
        return introduced
    if m := _THE_OTHER_ONE.match(text):
        return m["a"], f"{m['n']} {m['v']} the {m['b']} {m['noun']}"
    if m := _A_PLACE_CALLED.match(text):
        whose = "our" if m["s"].lower().endswith("we") else "my"
        return f"{whose} {m['np']} is {m['n']}", f"{whose} {m['np']}'s place is {m['p']} {m['at']}"
    if (apart := company(text) or _each(text)) is not None:
        return apart
    if (m := _NAMED_LAST.match(text)) and _finite(m["rest"]) == "s":
        return f"{m['np']} is {m['n']}", f"{m['n']} {m['rest']}"
    m = _GAP.search(text)
    if m is None or (form := verb_form(m["v"])) is None or form[1] != "s" or m["v"] in RATHER_NOUNS:
        return (text,)
    if any((other := verb_form(word)) and other[1] in ("s", "past") for word in m["s"].split()):
        return (text,)
    return text[: m.start("and")], f"{m['s']} {m['v']}{text[m.end('s') :]}"


def apart(clause: str) -> tuple[str, ...]:
    """
    The clauses that *clause* is made of: `my sister Ana lives in Porto and works at the zoo` as `my sister is Ana`,
    `Ana lives in Porto`, `Ana works at the zoo`; what tells one thing as it stands.
    """
    if (m := _WHO.match(clause)) and (subject := _subject(m["s"])):
        told = f"is {m['rest']}" if m["is"] or "who " not in clause else m["rest"]
        first, _, after = told.partition(", ")
        named = [f"{subject[0]} is {subject[1]}"] if subject[1] else []
        whom = subject[1] or subject[0]
        return *named, *(one for part in (first, after) if part for one in _predicates(f"{whom} {part}"))
    if (m := _NAMED_FIRST.match(clause) or _THE_NAMED.match(clause)) and _finite(m["rest"]) == "s":
        return f"{m['np']} is {m['n']}", *_predicates(f"{m['n']} {m['rest']}")
    return tuple(_predicates(clause))


def _subject(text: str) -> tuple[str, str | None] | None:
    """The noun and the name by which *text* tells of whom more is to be said: `I have a brother called Tom`."""
    if m := _HAVE.match(text):
        return f"my {m['np']}", m["n"]
    if m := re.fullmatch(rf"(?P<np>(?:[Mm]y|[Oo]ur)\s[a-z][a-z -]*?)(?:\s(?P<n>{PERSONAL_NAME}))?", text):
        return m["np"], m["n"]
    return None


def _predicates(clause: str) -> Iterator[str]:
    """*clause* with its subject before each of its verbs."""
    at = _verb_of(clause)
    if at is None:
        yield from _with_whom(clause)
        return
    subject, begin = clause[:at].strip(), at
    form = _finite(clause[at:])
    for cut in _AND.finditer(clause, at):
        told, rest = clause[begin : cut.start()], clause[cut.end() :]
        if " " in told and " " in rest and _finite(rest) == form and not (form == "base" and _TO_DO.search(told)):
            yield from _with_whom(f"{subject} {clause[begin : cut.start()]}")
            begin = cut.end()
    yield from _with_whom(f"{subject} {clause[begin:]}")


def _verb_of(clause: str) -> int | None:
    """Where the verb of *clause* stands: after `I` or `we`, or as the first that goes with another subject."""
    if m := re.match(rf"^(?:I|we)\s+{ADVERBS}", clause, re.IGNORECASE):
        return m.end() if _finite(clause[m.end() :]) == "base" else None
    for m in re.finditer(r"[\w'’-]+(?P<after>\W*)", clause):
        if m.start() and _finite(clause[m.start() :]) == "s":
            return m.start()
        if m["after"] != " " or clause[: m.end()].count(" ") > 5:
            return None
    return None


def _with_whom(clause: str) -> Iterator[str]:
    """*clause*, and apart from it with whom one lives, and who that is, where it tells."""
    named = _WITH_NAMED.match(clause)
    if m := _LIVES_WITH.match(clause):
        yield f"{m['s']} {m['a']}"
        yield f"{m['s']} {m['b']}"
    else:
        yield named["a"] if named else clause
    if named:
        yield f"{named['np']} is {named['n']}"


def _finite(text: str) -> Form | None:
    """Which form of a verb *text* begins with; None where its first word is rather a noun there, or no finite form."""
    word = text.split(" ", 1)[0]
    form = verb_form(word) if word.islower() else None
    if form is None or form[1] not in ("s", "base"):
        return None
    if word in RATHER_NOUNS and not _BEFORE_A_NOUN.match(text[len(word) :]):
        return None
    return form[1]
