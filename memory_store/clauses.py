"""
One declarative clause -> what it says of whom: a shallow grammar of English statement forms.

Takes a clause without its discourse prefix and without subordinate clauses of condition; those are `ties`.
"""

import re
from dataclasses import replace

from memory_store.ages import aged
from memory_store.amounts import kind_of
from memory_store.debts import owed
from memory_store.doing import RATHER_NOUNS, is_done_to, verb_form
from memory_store.engagements import engaged
from memory_store.grammar import parse
from memory_store.grammar.lexicon import brill
from memory_store.introductions import introduced
from memory_store.labels import AT_A_PLACE, CLAUSAL, HEADING, LABEL, LIST, bare_label, is_mood
from memory_store.news import ENDS, KIN, LEFT, NOT_BUT, NOT_SHE_BUT, OVER, parse_news
from memory_store.openly import PREP, taken_on
from memory_store.phrases import clean_value, implausible, noun_phrase, specific
from memory_store.predicates import base, parse_predicate
from memory_store.said import ADVERBS, NAME, PERSONAL_NAME, Said, owned_noun, stated, subject_of, value_of
from memory_store.tellings import first_telling
from memory_store.third_person import parse_other

# A thing of which more is told: where, when, with whom.
_THING_AND_PLACE = re.compile(rf"(?:the|my|our)\s(?:[a-z-]+\s){{1,3}}{PREP}\s", re.IGNORECASE)
_DAY_AND_PLACE = re.compile(
    r"(?P<day>\w+days?(?:\s(?:mornings?|afternoons?|evenings?|nights?))?)\s(?:at|in)\s(?P<place>(?:the|my|our|[A-Z]).+)$"
)
_NAME_AND_MORE = re.compile(rf"{PERSONAL_NAME}\s(?:at|in|on|from)\s|[^,]+,\s(?:once|twice|\w+ times|every|on|at)\s")
_ALSO = re.compile(r"\b(?:also|too|as well|another|in addition|on top of that|besides)\b", re.IGNORECASE)


_NEWS = re.compile(
    r"\b(?:(?<!while )(?<!years )(?<!months )(?<!weeks )now|new|newly|just|recently|from now on|as of|starting|switched|again|instead|no longer|these days|update|anymore|"
    r"any more|changed|moved|has become|officially|finally|going forward|from today|this week)\b",
    re.IGNORECASE,
)


_PAST_OR_MODAL = re.compile(
    r"\b(?:would|could|might|(?<!in )(?<!of )(?<!since )(?<!last )(?-i:may)(?!\s\d)|should|maybe|perhaps|wish|hope|hoping|wonder|suppose|imagine|pretend|considering|"
    r"thinking (?:of|about)|not sure|unsure|if|whether|unless|want to|wants to|wanted to|would like|['’]d like|need to|"
    r"needs to|plan to|plans to|used to|was|were|had|did|hypothetically|let['’]s say|say|assume|assuming|seems?|probably|"
    r"possibly|apparently|supposedly|allegedly|ought|must|will|['’]ll|going to|gonna|won['’]t|trying|about to)\b",
    re.IGNORECASE,
)


_NEGATED = re.compile(
    r"\b(?:not|never|n['’]t|don['’]t|doesn['’]t|isn['’]t|aren['’]t|hardly|no one|nobody|neither|nor|cannot|can['’]?t)\b",
    re.IGNORECASE,
)


_COPULA = re.compile(
    rf"^(?P<np>(?:(?:my|our|the|this)\s+)?[^\W\d_][^,;:—?!]*?)"
    rf"(?:,\s+[^,]{{2,40}},)?\s*\s(?:is|are|remains?|stays?|became|becomes?|has become|will be|means)\s+"
    rf"(?P<adv>{ADVERBS})(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)


_CONTRACTED = re.compile(
    rf"^(?P<np>(?:(?:my|our|the|this)\s+)?[^\W\d_][^,;:—?!'’]*?)(?P<s>['’]s|['’]re)\s+(?P<adv>{ADVERBS})(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)


_AS_FOR = re.compile(
    rf"^(?:as for|regarding|about|when it comes to|as far as|concerning|for)\s+(?P<np>[^,:]+?)(?:\s+(?:is concerned|goes))?[,:]\s+"
    rf"(?:it['’]s|it is|that['’]s|that is|they['’]re|they are|it will be|that will be)\s+(?P<adv>{ADVERBS})(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


_REVERSED = re.compile(
    rf"^(?P<v>[^,;:—?!]+?)(?:,[^,]+,)?\s*(?:(?P<s>['’]s|['’]re)|\s(?:is|are|becomes?|became|will be|has become|is going to be|serves as|acts as|works as))\s+"
    rf"(?P<adv>{ADVERBS})(?:one of\s+)?(?P<o>my|our|the)\s+(?P<np>.+)$",
    re.DOTALL,
)


def parse_clause(text: str, *, loose: bool = False) -> Said | None:
    """
    What *text* states; None where it states nothing of the owner, or not as a present fact.

    *loose* also takes bare and definite noun phrases with any value, as in `logs will drain to X`, which elsewhere
    need a value that is a name, a number or a path.
    """
    text = re.sub(r"\s+", " ", text).strip().rstrip("!").strip()
    if re.match(r"let(?:['’]?s|\s+(?:us|me))\b", text, re.IGNORECASE):
        return None
    text = re.sub(r"(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bJr)(?<!\bSr)(?<!\b[A-Z])\.+$", "", text)
    if not text or len(text) > 400 or text.endswith("?"):
        return None
    text = re.sub(
        r"^(?:(?:now|so|then|today|currently|anyway)\s+)+(?=(?:my|our|the|i|we)\b)", "", text, flags=re.IGNORECASE
    )
    if said := introduced(text):
        return said
    if said := aged(text):
        return said
    text = _plainer(text)
    if said := _parse_end(text):
        return said
    head = _CLAUSE_HEAD.split(text, maxsplit=1)[0]
    head = re.sub(
        r"\bwas (?=(?:\w+ly |just )?(?:diagnosed|named|made|appointed|elected|picked|chosen|selected|hired|promoted|replaced|changed|moved|swapped|switched|upgraded|exchanged)\b)",
        "",
        head,
    )
    if (m := NOT_BUT.match(text)) and (np := noun_phrase(m["np"])) and (value := value_of(m["v"])[0]):
        return Said(np, value, subject_of(text), old=m["old"], change=True)
    if (m := NOT_SHE_BUT.match(text)) and (np := noun_phrase(m["np"])):
        return Said(np, m["v"], "we", old=m["old"], change=True)
    if _PAST_OR_MODAL.search(head) or _NEGATED.search(re.sub(r"\bno longer\b", "", head)):
        return None
    news = bool(_NEWS.search(text))
    said = (
        engaged(text)
        or owed(text)
        or taken_on(text)
        or parse_news(text)
        or _parse_noun(text, loose)
        or parse_predicate(text, loose)
        or parse_other(text, loose)
        or first_telling(text)
    )
    if said is not None and said.value and (said.value.endswith(("'s", "’s")) or _runs_on(text, said.value)):
        said = first_telling(text)
    if (
        said is not None
        and said.verb
        and _is_of_two_things(said.value or "")
        and (apart := first_telling(text)) is not None
    ):
        said = apart  # `walk` the dogs along the canal
    if said is None:
        return None
    if (
        _ALSO.search(re.split(r",\s+(?:who|which|where|also)\b", text)[0])
        and not said.old
        and not (said.change and re.search(r"\b(?:an?|to another) new\b|\bto another\b", text))
    ):
        said = replace(said, also=True)
    return replace(said, change=said.change or (news and not said.also))


def _is_of_two_things(value: str) -> bool:
    """Whether *value* tells where as well as what or when: `the dogs along the canal`, `Tuesdays at the parish hall`."""
    if m := _DAY_AND_PLACE.match(value):
        return kind_of(m["day"]) is not None and kind_of(m["place"]) is None
    return _THING_AND_PLACE.match(value) is not None or (
        _NAME_AND_MORE.match(value) is not None and kind_of(value) is None
    )


def _runs_on(text: str, value: str) -> bool:
    """Whether *value*, as it stands in *text*, goes on into a clause of its own."""
    start = text.find(value)
    if start < 0 or len(value.split()) < 4:
        return False
    return any(
        c.verb is not None
        and c.subject is not None
        and start < c.subject.start
        and c.verb.start < start + len(value)
        and c.link in ("", "and", "but", "so")
        for c in parse(text)
    )


def _plainer(text: str) -> str:
    """`we had to move`, `we'll be playing`, `we managed to get` as what they leave behind: move, are playing, get."""
    # who will be our conductor was chosen by now
    text = re.sub(rf"^({NAME}) will be (?=(?:my|our)\s)", r"\1 is now ", text)
    text = re.sub(
        r"^(I|we)(?:['’]ll|\s+will)\s+be\s+(?=\w+ing\b)",
        lambda m: f"{m[1]}{'’m' if m[1] == 'I' else '’re'} ",
        text,
        flags=re.IGNORECASE,
    )
    # what must be or will be so is how it is done: `the boxes must be packed by noon`, `the kids will be sleeping at X`
    text = re.sub(
        r"^((?:(?:my|our|the)\s+)?[a-z][a-z'’-]*(?:\s[a-z][a-z'’-]*){0,2})\s+(?:must|have to|has to|need to|needs to|are to|is to|will|shall)\s+be\s+(?=[a-z]+(?:ed|ing|en|t)\s+(?:by|at|in|on|with|from|to|before|after|through)\s)",
        r"\1 are ",
        text,
        flags=re.IGNORECASE,
    )
    return re.sub(
        r"^(I|we)(?:['’]ve)?\s+(?:just\s+|finally\s+|recently\s+)?(?:(?:had|have|decided|managed|agreed|chose|opted|got)\s+to|have\s+had\s+to|had\s+had\s+to|went ahead and|ended up)\s+"
        r"(?=(?:mov|chang|shift|switch|swapp?|replac|pick|choos|go|get|us|tak|cast|hir|renam|push|rais|lower|updat|set|bring|drop|mak)(?:e|ing)?\b|(?:move|change|shift|switch|swap|replace|pick|choose|cast|hire|rename|push|raise|lower|update|set|bring|drop|make|use|take)\b)",
        r"\1 ",
        text,
        flags=re.IGNORECASE,
    )


_CLAUSE_HEAD = re.compile(
    r"\s+(?:—|–|-)\s+|;|,\s+(?:so|but|and|which|because|in case|where|who|not|no more)\b|\s+(?:because|so that|in case|instead of|rather than)\s",
    re.IGNORECASE,
)


def _parse_end(text: str) -> Said | None:
    if m := ENDS.match(text):
        if not m["more"] and re.match(r"(?:I|we)\s+(?:don|do not)", text, re.IGNORECASE):
            return None
        frame = parse_clause("I " + re.sub(r"^(\w+?)(?:ing)\b", lambda g: base(g[0]), m["rest"]))
        if frame is not None and frame.value:
            return replace(frame, ends=True, old=frame.value, value=None, change=True)
        old, _ = clean_value(re.sub(r"^(?:using|going to|doing|taking|eating|with)\s+", "", m["rest"]))
        return Said("", None, "i", old=old, ends=True, change=True) if old else None
    if m := OVER.match(text):
        return Said("", None, subject_of(text), old=m["old"], ends=True, change=True)
    if (m := LEFT.match(text)) and not re.match(
        r"(?:I|We|You|It|He|She|They|There|This|That|Everyone|Somebody)\b", m["old"]
    ):
        return Said("", None, "other", old=m["old"], ends=True, change=True)
    return None


def _parse_noun(text: str, loose: bool) -> Said | None:
    if m := _AS_FOR.match(text):
        value, now = value_of(m["v"], prep=True)
        if found := stated(noun_phrase(m["np"]), value, subject_of(m["np"]), change=now):
            if re.match(r"(?:my|our|the)\s", m["np"], re.IGNORECASE) or loose or specific(found.value or ""):
                return found
    if found := _reversed(text, loose):
        return found
    if not loose and (m := HEADING.match(text)) and (said := parse_clause(m["rest"])) and said.value:
        return said
    if not loose and (m := LABEL.match(text)) and not _is_clause(m["np"]) and (np := noun_phrase(m["np"])):
        value, now = value_of(m["v"])
        if value and len(value.split()) <= 5:
            return Said(np, value, "the", change=now, loose=True, weak=True, echo=True)
        return None
    if (
        not loose
        and (m := LIST.match(text))
        and not verb_form(m["np"].split()[0])
        and len(m["v"].split()) <= 32
        and not CLAUSAL.search(m["v"])
    ):
        np = noun_phrase(re.sub(r"\s+so far$", "", m["np"], flags=re.IGNORECASE)) or m["np"]
        if len(np.split()) <= 8 and not re.match(
            r"(?:and|but|so|note|also|however|e\.g|example|for example)\b", np, re.IGNORECASE
        ):
            return Said(np, m["v"].strip(), "the", loose=True, weak=True, echo=True)
    if (m := _COPULA.match(text) or _CONTRACTED.match(text)) and not (
        m.re is _CONTRACTED and (_is_possessive(m["v"]) or _is_bare_noun(m["v"]))
    ):
        if (done := _PASSIVE.match(m["v"])) and is_done_to(done["done"]) and not _ONLY_WHERE_OR_WHEN.match(m["v"]):
            return None
        if re.match(
            r"(?:I|we|you|it|this|that|they|he|she|there|here|what|who|which|these|those)\b(?!\s+\w+['’]s)",
            m["np"],
            re.IGNORECASE,
        ) and not re.match(r"this \w+['’]s", m["np"], re.IGNORECASE):
            return None
        owned = bool(re.match(r"(?:my|our)\s|the \w+['’]s\s|(?:this|today['’]s) \w+['’]s", m["np"], re.IGNORECASE))
        owned = owned or bool(re.match(r"the\s[a-z -]+\s(?:we|i)(?:['’](?:re|ve))?\s[a-z]+$", m["np"], re.IGNORECASE))
        np = noun_phrase(m["np"], any_noun=loose)
        adv = m["adv"] or ""
        placed = _tells_where_somebody_is(np or "", m["v"])
        value, now = clean_value(m["v"]) if placed else value_of(m["v"], prep=True)
        if np is None or value is None:
            return None
        if "no longer" in adv:
            gone = None if is_mood(np, value) else value  # "no longer clear" tells of no value
            return Said(np, None, subject_of(m["np"]), old=gone, ends=True, change=True) if gone else None
        if value.startswith("from ") and re.fullmatch(r"from\s+.*[A-Z].*", value):
            return Said(f"{np} is from", value[5:], subject_of(m["np"]), verb=True, weak=not owned, loose=not owned)
        if not owned and not loose and (_STATE_OF_THING.match(m["v"]) or is_mood(np, value)):
            return bare_label(np, m["v"], now) if AT_A_PLACE.match(m["v"]) else None
        definite = m["np"].lower().startswith("the ") or "'s " in m["np"] or "’s " in m["np"]
        bare = not owned and not definite
        named = not re.search(r"\d|\b\w+days?\b", value)
        if (
            named
            and bare
            and m.re is _CONTRACTED
            and not loose
            and 2 <= len(np.split()) <= 3
            and np == np[:1] + np[1:].lower()
        ):
            return Said(np, value, "the", change=now or "now" in adv, loose=True, weak=True, echo=True)
        if re.match(r"(?:let|here|how|where|who|what|when|why)\b", np, re.IGNORECASE):
            return None
        if bare and m.re is _CONTRACTED and not re.search(r"\d|\b\w+days?\b", value):
            return bare_label(np, value, now or "now" in adv)
        if owned and np.lower() in ("place", "home", "house", "flat", "apartment") and re.match(r"in\s+[A-Z]", m["v"]):
            return Said(
                "live in", value, subject_of(m["np"]), change=now or bool(re.search(r"\bnew\b", m["np"])), verb=True
            )
        if bare and not loose and re.fullmatch(PERSONAL_NAME, np) and re.match(r"an?\s", value):
            return Said(np, value, "the", change=now or "now" in adv, loose=True, weak=True, echo=True)  # what they are
        weak = not owned and not loose and not specific(value)
        if definite and not owned and not loose and " of " in np:
            # of somebody or something else's: it counts only where it is known as ours
            return Said(np, value, "the", change=now or "now" in adv, loose=True, weak=True, echo=True)
        if (
            weak
            and bare
            and not loose
            and len(np.split()) <= 3
            and len(value.split()) <= 5
            and np == np[:1] + np[1:].lower()
        ):
            if is_mood(np, value) or _STATE_OF_THING.match(m["v"]):
                return None
            return Said(np, value, "the", change=now or "now" in adv, loose=True, weak=True, echo=True)
        if weak and (bare or re.search(r"[A-Z]", np) or len(value.split()) > 6 or not 2 <= len(np.split()) <= 5):
            return bare_label(np, value, now or "now" in adv)
        if bare and not loose and not _bare_ok(m["np"], m["v"]):
            return bare_label(np, value, now or "now" in adv)
        if owned and not loose and is_mood(np, value):
            return None
        subject = subject_of(m["np"])
        if not owned and re.match(r"(?:my|our)\s", value) and (thing := noun_phrase(value)):
            # "the city museum is my main client"
            return Said(thing, re.sub(r"\s+$", "", m["np"]), subject_of(value), change=now)
        return Said(
            np,
            value,
            subject,
            change=now or "now" in adv or bool(re.search(r"\bnew\b", m["np"])),
            loose=not owned,
            weak=weak,
        )
    return None


def _tells_where_somebody_is(np: str, rest: str) -> bool:
    """Whether the preposition of *rest* is part of what is told of *np*: with whom it is, where somebody is or is from."""
    if re.match(rf"with\s(?:(?:my|our)\s|{NAME}$)", rest):
        return True
    return (re.fullmatch(NAME, np) is not None or KIN.search(np) is not None) and re.match(
        r"(?:at|in|from)\s", rest
    ) is not None


def _is_possessive(rest: str) -> bool:
    """Whether `'s` before *rest* tells whose it is: `the choir's hall lost its roof`."""
    for word in rest.split()[1:6]:
        form = verb_form(word.strip(","))
        if re.fullmatch(r"is|has|was|had|are|were|isn['’]t|hasn['’]t", word) or (
            form is not None and form[1] in ("s", "past") and word not in RATHER_NOUNS and word == word.lower()
        ):
            return True
        if re.search(r"[,;:]$", word):
            return False
    return False


def _is_clause(label: str) -> bool:
    """Whether *label* is a clause of its own: `Kofi drew up my plan: …`."""
    return any(c.subject is not None and c.verb is not None and c.verb.tense == "past" for c in parse(label))


def _is_bare_noun(rest: str) -> bool:
    """Whether *rest* is one noun, which belongs to what stands before its `'s`: `the consultant's list`."""
    return rest.isalpha() and rest.islower() and brill(rest) == "NN" and kind_of(rest) is None


def _reversed(text: str, loose: bool) -> Said | None:
    """`Tom Vega is our team lead`: the value stands first."""
    m = _REVERSED.match(text)
    if m is None:
        return None
    name, rest = m["v"].strip(), m["np"]
    if doer := re.match(rf"^(?P<n>{NAME})\s+[a-z]+\b.*\band$", name):
        # "Frau Dietz bought the building and is our landlady"
        name = doer["n"]
    name = re.sub(r"\s+(?:it|that|this|he|she|they)$", "", name)
    ours = m["o"].lower() != "the" or bool(
        re.search(r"\b(?:my|our|we|i)\b", rest, re.IGNORECASE) or _GROUPS.match(rest)
    )
    bare = re.sub(_REST_OF_REVERSED, "", rest)
    np = owned_noun(f"{m['o']} {bare}") or owned_noun(f"{m['o']} {rest}")
    if np is None or re.match(r"(?:my|our)\s", name, re.IGNORECASE) or implausible(name):
        return None
    article = bool(re.match(r"(?:the|an?|this|that|these|those)\s", name, re.IGNORECASE))
    if article and not specific(name[1:]):
        return None
    news = bool(
        re.search(r"\bnew\b|\bnow\b|from (?:today|now on|this)|starting\b|these days|this (?:week|month|year)", rest)
    )
    if not ours and not re.fullmatch(NAME, name):
        return None
    if not ours and not (specific(name) and (loose or not article) and len(name.split()) <= 4 and (loose or news)):
        return None
    value, _ = value_of(name)
    return stated(
        np, value, subject_of(f"{m['o']} "), change=bool(re.match(r"new\b", rest)) or news, also="one of" in text
    )


_GROUPS = re.compile(
    r"(?:team|group|club|company|lab|band|family|crew|class|office|household|shop|studio|department)['’]s\s"
)


_REST_OF_REVERSED = re.compile(
    r"\s+(?:from|for|on|in|at|since|as of|starting|this|we|I|by|he|she|it|that|who|which|until|during|and|now|these days)\b.*$"
)


# "taken by Olu", "kept in the attic": of what is done to a thing, how it is done makes a fact of its own
_PASSIVE = re.compile(
    rf"^(?P<done>[a-z]+)\s+(?:(?:after|for|of|up|out|off|down|over|back|away)\s+)?{PREP}\s", re.IGNORECASE
)


_ONLY_WHERE_OR_WHEN = re.compile(
    r"(?:based|located|called|named|set|moved|changed|fixed|planned|booked|meant)\s", re.IGNORECASE
)


# What is being done to a thing, or is so of it, is no value that tells which it is.
_STATE_OF_THING = re.compile(
    r"^(?:\w{3,}(?:ed|ing)(?=$|\s(?:to|in|on|by|with|from|at|for|as|into|of|an?|the|that|too|through|out|up)\b)|set(?! (?:for|at|to)\b)|made|built|meant|given|shown|known|found|kept|born|in|on|at|to|from|under|over|within|through)\b(?! (?:\d|[A-Z/#@]|\S*[/.:@#]\w))(?!\S*[/.:@#]\w)",
)


def _bare_ok(np: str, value: str) -> bool:
    """A bare subject counts where it looks like a label (short) and the value like an address, time or number."""
    if len(np.split()) > 4 or re.search(r"\b(?:and|or|the|an?)\b", np) or re.search(r"\s[A-Z][a-z]", np):
        return False
    return not re.match(r"(?:an?|one)\s|the\s(?!.*(?:\d|day\b|days\b))", value) and bool(
        re.search(r"\d|[/#@]|\w\.\w|^(?:at\s|in\s|on\s)?[A-Z]\w+(?:\s[A-Z]\w+)+(?:\s[a-z]+)?$|\b\w+days?\b", value)
    )
