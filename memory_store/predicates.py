"""Clauses with `I` or `we` as their subject: the verb and what follows it make the fact."""

import re

from memory_store.doing import verb_form
from memory_store.grammar import tag
from memory_store.phrases import clean_value, implausible, noun_phrase, specific
from memory_store.purposes import SOME, TALK_OBJECT, WORK_AS, with_purpose
from memory_store.said import ADVERBS, NAME, Said, Subject, stated, subject_of, value_of

# -- verb frames ---
# Verbs of having, doing and dwelling that state a lasting fact of their subject in the present.
_HABIT = frozenset(
    """live reside stay work study drive ride take use own play train practise practice learn speak read watch
    attend follow deploy host release ship buy order sleep eat drink wear carry prefer like love enjoy rent
    commute meet teach collect grow cook volunteer store keep run write code develop hike swim cycle bike go
    walk shop bank sing paint sell measure rely track manage test log build monitor serve subscribe support save
    bake brew knit dance climb fish row sail major specialise specialize park belong report lead head chair
    coach own breed feed fly fence box box surf ski skate garden do get have operate source stock publish submit
    depend hate dislike start open close bill invoice pay send share sit camp backpack fund advise supervise
    mentor represent cover handle organise organize host broadcast record stream print ferment roast brew smoke
    plant harvest fertilise fertilize water treat prescribe carpool""".split()
)


_PREP = r"(?:in|at|on|near|by|with|for|to|from|as|out of|out at|out in|through|via|under|over|around|up|about|into|out)"


_NOT_A_HABIT = frozenset(
    """think want need know see feel guess hope wish believe mean say ask wonder understand agree appreciate try
    remember forget apologize assume suppose notice find look seem am are was were have had did can could will
    would should might may must imagine expect doubt suspect promise swear bet realize realise figure recommend
    suggest propose came went got saw said told made took felt thought knew found gave tend happen intend mind
    care refuse decide call regret never really just also still always usually often now then only currently
    already recently just do don't not love like almost nearly barely hardly""".split()
)


_FRAME = re.compile(
    rf"^(?P<s>I|we)(?P<aux>['’]m|['’]re|['’]ve|\s+am|\s+are|\s+was|\s+were|\s+have(?=\s+{ADVERBS}(?:\w+ed|been|gone|become|got|gotten|taken|bought|begun|chosen|found|left|come|built|sold|started|moved)\b))?\s+(?P<adv>{ADVERBS})(?P<verb>[a-z]+)\s+(?P<rest>.+)$",
    re.DOTALL | re.IGNORECASE,
)


_BEEN = re.compile(rf"^been\s+(?P<adv>{ADVERBS})(?P<verb>[a-z]+ing)\s+(?P<rest>.+)$", re.DOTALL | re.IGNORECASE)


def base(ing: str) -> str:
    """`living` -> `live`, `running` -> `run`, `working` -> `work`: the form in `_HABIT` if there is one."""
    root = ing.lower().removesuffix("ing")
    for form in (root, root + "e", root[:-1] if len(root) > 2 and root[-1:] == root[-2:-1] else root):
        if form in _HABIT or form in _EXTRA_ING:
            return form
    return root


_EXTRA_ING = frozenset("""plan recover aim save act""".split())


_STATES = re.compile(
    r"^(?P<v>married|single|dating|divorced|engaged|widowed|retired|unemployed|self-employed|pregnant|vegan|vegetarian|pescatarian|"
    r"left-handed|right-handed|colou?r-?blind|diabetic|freelance|freelancing|remote|separated|homeschooled|in an? \w+ relationship|in a relationship|"
    r"on parental leave|on sabbatical|bilingual|deaf|celiac|coeliac|asthmatic)\b",
    re.IGNORECASE,
)


_BE_PREP = re.compile(
    r"^(?P<p>allergic to|based (?:in|out of)|part of|a member of|a part of|a fan of|in charge of|responsible for|subscribed to|"
    r"enrolled (?:in|at)|employed (?:at|by)|insured (?:with|by|through)|signed up (?:for|with|to|at)|married to|engaged to|from|located in|"
    r"diagnosed with|registered (?:at|with)|on|with|at|in|into|afraid of|scared of|intolerant to|addicted to|good at|born in|born on|staying (?:in|at))\s+(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


def parse_predicate(text: str, loose: bool) -> Said | None:
    """
    *text*, a clause of subject, verb and object, as a fact; None where it tells none. *loose* takes verbs of any kind.
    """
    if said := with_purpose(text):
        return said
    if m := WORK_AS.match(text):
        trade, now = value_of(re.sub(r"^(?:an?|the|their|its)\s+", "", m["v"], flags=re.IGNORECASE))
        return Said("work as", trade, subject_of(text), verb=True, change=now) if trade else None
    if m := re.match(r"^(?P<s>I|we)(?:['’]m|['’]re|\s+am|\s+are)\s+(?P<v>\S+)$", text, re.IGNORECASE):
        return _parse_be(m["v"], "i" if m["s"].lower() == "i" else "we")
    m = _FRAME.match(text)
    if m is None:
        return None
    subject: Subject = "i" if m["s"].lower() == "i" else "we"
    verb, rest, aux = m["verb"].lower(), m["rest"], (m["aux"] or "").strip().lower().replace("’", "'")
    perfect = aux in ("'ve", "have")
    if perfect and (been := _BEEN.match(f"{verb} {rest}")):
        verb, rest, aux, perfect = been["verb"].lower(), been["rest"], "'m", False
    if aux in ("was", "were"):
        return _event(subject, verb, rest)
    if aux in ("'m", "'re", "am", "are") and not verb.endswith("ing"):
        return _parse_be(f"{verb} {rest}", subject)
    if verb in ("am", "are", "was", "were"):
        return _parse_be(rest, subject) if verb in ("am", "are") else None
    if aux in ("'m", "'re", "am", "are"):
        ing, verb = verb, base(verb)
        if verb not in _HABIT and verb not in _EXTRA_ING:
            return _uncommon(subject, ing, rest, progressive=True)
        if (
            verb
            in (
                "do",
                "get",
                "have",
                "start",
                "try",
                "go",
                "use",
                "look",
                "run",
                "write",
                "build",
                "test",
                "sell",
                "pay",
                "send",
                "develop",
                "code",
            )
            and not specific(rest)
            and not loose
        ):
            return None
        return _frame(subject, verb, rest, loose)
    if perfect or verb.endswith("ed") or verb in _EVENT_PAST or (aux in ("was", "were") and verb == "promoted"):
        return _event(subject, verb, rest)
    if verb not in _HABIT:
        return None if verb.endswith(("ed", "ly", "ing")) else _uncommon(subject, verb, rest, progressive=False)
    return _frame(subject, verb, rest, loose)


_UNCOMMON = re.compile(
    r"^(?:(?P<o>everything|most (?:things|of it)|it all|(?:(?:my|our|the|all (?:my|our))\s+)?[a-z]+s?)\s+)?(?P<p>in|on|at|with|through|from|via|out of|off|by|under|over)\s+"
    r"(?P<v>(?:(?:an?|the)\s+)?(?:old\s+|new\s+)?[A-Z0-9£$€#].*)$",
    re.DOTALL,
)


_UNDER_WAY = re.compile(
    r"^(?:(?P<p>on|up|out|off|in|down|through|for)\s+)?(?P<v>(?:(?:The|A|An)\s+)?[A-Z0-9].*)$", re.DOTALL
)


# Verbs of thought, speech and feeling, and of asking for help: what follows them is no lasting fact.
NOT_LASTING = _NOT_A_HABIT | frozenset(
    """talk speak chat argue disagree deal struggle stumble click type enter reply respond object panic laugh cry smile worry
    thinking looking trying going having asking wondering hoping talking making getting doing seeing feeling considering facing
    missing struggling creating guessing starting telling saying referring using coming dealing worrying suggesting assuming
    expecting requesting inquiring sending getting running receiving experiencing encountering attempting debating leaning leaving
    finding losing ditching dropping quitting selling replacing switching parting saying dumping letting kidding joking being confusing writing building adding calling""".split()
)


def _uncommon(subject: Subject, verb: str, rest: str, *, progressive: bool) -> Said | None:
    """A verb outside the everyday ones: only with a name, as in `we rehearse at X`, `we're staging X`."""
    if verb in NOT_LASTING:
        return None
    if m := _UNCOMMON.match(rest):
        value, now = value_of(m["v"])
        if (
            value is None
            or len(value.split()) > 8
            or (m["o"] or "") in ("to", "that", "it", "about", "up", "out", "back")
        ):
            return None
        noun = re.match(rf"^(?P<v>{NAME})\s+(?P<np>[a-z][a-z-]*(?:\s+[a-z][a-z-]*)?)$", value)
        if (
            noun
            and m["p"] not in ("at", "from")
            and re.match(r"(?:an?|the)\s", m["v"])
            and (np := noun_phrase(noun["np"]))
        ):
            return Said(np, noun["v"], subject, change=now)
        name = " ".join(w for w in (verb, "" if (m["o"] or "") in ("everything", "it all") else m["o"], m["p"]) if w)
        return Said(name, value, subject, verb=True, change=now)
    if progressive and (m := _UNDER_WAY.match(rest)):
        value, now = value_of(m["v"])
        if value and specific(value) and len(value.split()) <= 6 and not re.match(r"(?:I|We|You)\b", value):
            return Said(" ".join(w for w in (verb, m["p"]) if w), value, subject, verb=True, change=now)
    return None


_EVENT_PAST = frozenset("""went got bought took began left became found chose met sold came""".split())


_EVENTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^(?:moved|relocated|resettled|moved back|moved out|moved house|moved over)\s+(?:\w+\s+)?(?:to|into|in)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "live in"),
    (re.compile(r"^(?:settled|landed)(?: down)?\s+in\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "live in"),
    (re.compile(r"^(?:joined|started (?:working )?(?:at|with)|accepted (?:an?|the) (?:new )?(?:\w+ )?(?:position|job|role|offer|post) (?:at|with|from)|got (?:an?|the) (?:new )?(?:job|position|role) (?:at|with)|"
                r"been hired (?:by|at)|taken (?:an?|the) (?:new )?(?:\w+ )?(?:job|position|role) (?:at|with)|took (?:an?|the) (?:new )?(?:\w+ )?(?:job|position|role) (?:at|with)|signed on with|gone to work (?:at|for)|"
                r"begun (?:working )?at|began (?:working )?at|landed (?:an?|the) (?:new )?(?:job|position|role) (?:at|with)|gotten (?:an?|the) (?:new )?(?:job|position|role) (?:at|with))\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "work at"),
    (re.compile(r"^(?:been |got |gotten |was |were )?promoted to\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "position"),
    (re.compile(r"^(?:enrolled (?:in|at)|transferred to|been admitted to|been accepted (?:to|at|into)|begun studying(?: at)?|started studying(?: at)?|started (?:a|an|my) (?:degree|program|course|master's|phd|bachelor's)(?: at| in)?)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "study at"),
    (re.compile(r"^(?:been |was |got )?diagnosed with\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "diagnosed with"),
    (re.compile(r"^(?:bought|purchased|got myself|acquired|picked up|gotten|got)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "own"),
    (re.compile(r"^(?:started|begun|began|taken up|took up|picked up)\s+(?:(?:playing|learning|practi[cs]ing|doing|taking|using|reading|watching)\s+)?(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "started"),
    (re.compile(r"^(?:switched|changed|converted|migrated|moved over|moved|gone over|upgraded|transitioned)\s+(?:over\s+)?to\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "switched to"),
    (re.compile(r"^subscribed to\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "subscribed to"),
    (re.compile(r"^(?:become|became)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "am"),
    (re.compile(r"^(?:gotten|got)\s+(?P<v>married|engaged|divorced)\b.*$", re.IGNORECASE | re.DOTALL), "am"),
    (re.compile(r"^(?:adopted|rolled out|introduced|deployed|chosen|chose|picked|hired|appointed)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "use"),
)  # fmt: skip


# "moved to Leeds from York in 2021"
WHENCE_AND_WHEN = re.compile(
    r"(?:\s+(?:all the way\s+)?from\s+(?:the\s+|my\s+|our\s+)?\S.*|\s+(?:back\s+)?(?:in|during|around|by)\s+(?:(?:early|late|mid|the (?:spring|summer|autumn|fall|winter) of|spring|summer|autumn|winter)\s+)*"
    r"(?:(?i:January|February|March|April|May|June|July|August|September|October|November|December)\b.*|\d{4}\b.*|the\s+\d{2,4}s|spring|summer|autumn|winter)|"
    r"\s+(?:\w+\s+)?(?:\w+\s+)?(?:years?|months?|weeks?|days?)\s+ago|"
    r"\s+(?:(?:on|last|this|this past)\s+)+(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|weekend|week|month|year|spring|summer|autumn|fall|winter)(?:\s+(?:morning|afternoon|evening|night))?|\s+(?:yesterday|today))+$"
)
# Groups and places at work or at school, into which one is moved: which one it is, is a fact of its own.
PART_OF_A_WHOLE = re.compile(
    r"^(?P<v>(?:[\w’'-]+\s){1,3}?(?P<np>ward|team|department|unit|branch|section|division|class|group|shift|crew|squad|floor|site|depot|station|platoon|orchestra|choir|league|platform|desk|office))$"
)


# `team Blue`, `ward 7`
_NUMBERED_PART = re.compile(
    r"^(?P<v>(?P<np>ward|team|department|unit|section|division|class|group|shift|crew|squad|floor|platoon|desk)\s(?:[A-Z]\w*|\d+\w?))$"
)


_SAYS_WHEN = re.compile(r"(?:yesterday|today|tonight|last|this|on|in|at)\b")
_AND_DID = re.compile(r",?\s+and\s+(?P<did>[a-z]+)\s+(?:my|our|the|an?|it|that|him|her|them|[A-Z0-9])")


def _until_next_deed(text: str) -> str:
    """*text* without what was done besides: `bought a van and sold the car` -> `bought a van`."""
    for m in _AND_DID.finditer(text):
        form = verb_form(m["did"])
        if form is not None and form[1] == "past":
            return text[: m.start()]
    return text


def _event(subject: Subject, verb: str, rest: str) -> Said | None:
    """A past or perfect verb that leaves a new state behind."""
    text = _until_next_deed(f"{verb} {rest}")
    for pattern, attribute in _EVENTS:
        if m := pattern.match(text):
            purpose = re.match(r"^(?P<v>.+?)\s+(?:for|as)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][a-z -]*)$", m["v"])
            if attribute == "switched to" and purpose and (np := noun_phrase(purpose["np"])):
                value, _ = value_of(purpose["v"])
                return stated(np, value, subject, change=True)
            if attribute in ("own", "use") and not re.match(r"(?:(?:an?|the|my|some)\s+)?(?:new\s+)?[A-Z0-9]", m["v"]):
                return None
            named = re.match(rf"^(?:an?\s+|the\s+|some\s+)?(?:new\s+)?(?P<v>{NAME})\s+(?P<np>[a-z][a-z -]*)$", m["v"])
            if (
                named
                and attribute in ("own", "switched to", "use")
                and (np := noun_phrase(named["np"]))
                and _is_kind(np, m["v"])
                and not _SAYS_WHEN.match(named["np"])
            ):
                return Said(np, named["v"], subject, change=True)
            value, _ = value_of(m["v"])
            if value is None or (
                re.match(
                    r"(?:an?|the|my|our|some)\s+(?:new\s+)?(?:place|house|apartment|flat|job|team|phase|point|city|country|project)\b",
                    value,
                    re.IGNORECASE,
                )
                and attribute != "live in"
            ):
                return None
            value = re.sub(r"^(?:an?|the|my|our)\s+(?:new\s+)?(?=\S)", "", value) if attribute != "am" else value
            if attribute == "position":
                return Said(attribute, value, subject, change=True)
            if attribute == "live in":
                value = WHENCE_AND_WHEN.sub("", value)
                if part := PART_OF_A_WHOLE.match(value) or _NUMBERED_PART.match(value):
                    return Said(part["np"], part["v"], subject, change=True)
            verbs = {"switched to": "", "started": "", "diagnosed with": "diagnosed with"}
            return Said(verbs.get(attribute, attribute), value, subject, change=True, verb=True)
    return None


def _parse_be(text: str, subject: Subject) -> Said | None:
    text = re.sub(rf"^{ADVERBS}", "", text)
    if m := _STATES.match(text):
        return Said("am" if subject == "i" else "are", m["v"], subject, verb=True)
    if m := re.match(r"^(?:named|called)\s+(?P<v>[A-Z]\S*(?:\s[A-Z]\S*)*)", text):
        return Said("name", m["v"], subject)
    if m := _BE_PREP.match(text):
        prep = m["p"].lower()
        value, now = value_of(m["v"])
        if value is None:
            return None
        if prep in ("in", "at", "on", "with") and now and re.match(r"(?:the|an?)\s", value) and specific(value):
            # "we're in the Quaker hall now": of what that is news, the facts that are known must tell
            return Said("", value, subject, change=True)
        if prep in ("in", "at", "on", "with", "into") and not (specific(value) and re.match(r"[A-Z0-9]", value)):
            return None
        if prep in ("at", "on", "into", "with", "in") and (
            re.search(r"\d|^(?:I|AI)\b", value) or len(value.split()) > 4
        ):
            return None
        if prep == "on" and not value.istitle():
            return None
        name = {"in": "live in", "based in": "live in" if subject == "i" else "based in", "staying in": "live in", "a member of": "member of", "a part of": "part of", "employed at": "work at",
                "employed by": "work at", "from": "from", "located in": "live in"}.get(prep, prep)  # fmt: skip
        value = (
            re.sub(r"^(?:an?|the)\s+(?=[a-z])", "", value) if prep in ("part of", "a member of", "a part of") else value
        )
        return Said(name, value, subject, verb=True, also=False, change=now)
    if m := re.match(r"^(?P<a>an?)\s+(?P<v>[a-z0-9-][\w’'-]*(?:\s+[\w’'&/-]+){0,4})$", text, re.IGNORECASE):
        if subject == "i" and not re.match(
            r"(?:bit|little|lot|few|couple|big|huge|fan|beginner|total|complete|newbie|noob|great|good|bad|person|human|man|woman|guy|girl|user|"
            r"firm|strong|mess|victim|believer|very|fairly|tad|native|non|mere|perfect|new|real|true|long|loyal|sucker|regular|pretty)\b", m["v"], re.IGNORECASE
        ) and not re.search(r"\b(?:who|that|looking|trying|and|with|interested|curious|for|of|on|about)\b", m["v"]):  # fmt: skip
            value, now = value_of(m["v"])
            if value:
                return Said("am", f"{m['a']} {value}", subject, verb=True)
    return None


_OBJECT_PREP = re.compile(
    r"^(?P<np>(?:(?:my|our|the|all our|all my)\s+)?[a-z][a-z-]*(?:\s+[a-z][a-z-]*){0,2})\s+(?P<p>from|through|in|with|at|on|off|via|by|to)\s+"
    r"(?P<v>(?:(?:an?|the)\s+)?[A-Z#/@].*)$",
    re.DOTALL,
)


_PURPOSE = re.compile(
    r"^(?P<v>.+?)\s+(?P<p>for|to|as|on|from|with)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][a-z-]*(?:\s+[a-z][a-z-]*){0,2})$",
    re.DOTALL,
)


_TRAVELS = frozenset("go get travel commute come ride".split())
# "go to campus by tram line 4"
_BY_WHAT = re.compile(
    r"^(?:the\s+|my\s+|our\s+)?(?P<to>[a-z]+(?:\s[a-z]+)?|[A-Z]\w+)\s+(?:by|via|on|with)\s+(?P<v>(?:the\s+|my\s+|a\s+)?(?:tram|bus|train|metro|subway|ferry|bike|bicycle|car|boat|scooter|foot|taxi|line|underground|coach|motorbike|tube|moped|van|shuttle)\b.*)$"
)
_HAS_NAMED = frozenset("use read follow play drive ride wear sail".split())
# "use the textbook Camino Abierto": of what kind it is comes before its name
_NAMED_KIND = re.compile(rf"^(?:the|an?)\s+(?P<np>[a-z]+(?:\s[a-z]+)?)\s+(?:called\s+|named\s+)?(?P<v>{NAME})$")


def _is_kind(np: str, told: str) -> bool:
    """Whether *np* says of what kind the thing is that *told* names, rather than how it is: `a blue Skoda`."""
    last = next((t.tag for t in tag(told) if t.text == np.split()[-1]), "")
    return last in ("NN", "NNS")


_STAYS = frozenset("live stay sleep sit meet train park".split())


_LIKES = frozenset("like love prefer enjoy hate dislike".split())
# What the assistant proposed, and they think of it.
_PROPOSED = re.compile(
    r"(?:the\s+)?(?:option|number|version|choice|idea|suggestion)\s|#\d|[\"“]|(?:the\s)?(?:first|second|third|last|other)\b|\S+\s+but\s+(?:it|they|that)\b",
    re.IGNORECASE,
)
_TAKES_INFINITIVE = frozenset(
    "plan like love start prefer hate learn enjoy have do run open close keep use get".split()
)


def _frame(subject: Subject, verb: str, rest: str, loose: bool) -> Said | None:
    """A verb of having, doing or dwelling with what follows it: the attribute is made of the verb."""
    rest = rest.strip()
    we = "" if subject == "i" else "we "
    if m := re.match(rf"^(?:{ADVERBS})?(?P<p>{_PREP})\s+(?P<v>.+)$", rest, re.DOTALL | re.IGNORECASE):
        prep, object_ = m["p"].lower(), m["v"]
    else:
        prep, object_ = "", rest
    if prep == "to" and verb in _TAKES_INFINITIVE:
        return None
    # "planning a big purchase — road bike"
    if (
        m := re.match(
            r"^(?:an?|some|the)\s+(?P<np>[a-z][a-z ]*?)\s*(?:—|–|:|\s-|,? called|,? named)\s+(?P<v>.+)$",
            rest,
            re.DOTALL,
        )
    ) and (np := noun_phrase(m["np"])):
        named, now = value_of(m["v"])
        if named:
            return Said(np, named, subject, change=now)
    if verb in _TRAVELS and prep == "to" and (m := _BY_WHAT.match(object_)):
        value, now = value_of(m["v"])
        if value:
            return Said(f"{verb} to {m['to']} by", value, subject, verb=True, change=now)
    if verb in _HAS_NAMED and not prep and (m := _NAMED_KIND.match(object_)) and (np := noun_phrase(m["np"])):
        value, now = value_of(m["v"])
        if value and _is_kind(np, object_):
            return Said(np, value, subject, change=now)
    value, now = value_of(object_)
    if value is None or (verb in _LIKES and _PROPOSED.match(object_)):
        return None
    if verb == "live" and re.match(r"^(?:alone|with)\b", rest, re.IGNORECASE):
        value = value if prep else "alone"
        return Said("live with", value, subject, verb=True, change=now)
    if re.match(r"^(?:me|us|myself|ourselves|him|her|them|it|you|your)\b", value, re.IGNORECASE):
        return None
    # "have X coming up"
    if verb == "have" and (
        m := re.match(r"^(?P<v>.+?)\s+(?P<tail>coming up|lined up|planned|scheduled|booked|left to do)\b", value)
    ):
        return Said(f"{we}have {m['tail']}", m["v"], subject, verb=True)
    # "a Hille Akton tent", "a medication called X"
    with_noun = re.match(
        rf"^(?:an?\s+|the\s+|my\s+|our\s+|some\s+)?(?P<v>{NAME})\s+(?P<np>[a-z][a-z-]*(?:\s+[a-z][a-z-]*)?)$", value
    )
    if (
        with_noun
        and prep not in ("at", "to", "on", "from", "with", "near", "through", "via")
        and verb
        not in (
            "work",
            "learn",
            "study",
            "teach",
            "speak",
            "follow",
            "love",
            "like",
            "enjoy",
            "track",
            "read",
            "watch",
            "hate",
            "start",
        )
        and not re.match(
            r"(?:for|to|as|on|in|at|with|from|and|or|when|every|twice|once|by|of|only|near|during|before|after|per|a|because|about|over|until|all|so|too|right|well|each|than|instead|is|are|via|under|via|out|exclusively|together|daily|weekly)\b",
            with_noun["np"],
        )
    ):
        np = noun_phrase(with_noun["np"])
        if np and not np.endswith("ing"):
            return Said(np, with_noun["v"], subject, change=now)
    if verb == "have":
        return _have(subject, value, now)
    # "get our fish from Tidewater", "do my analysis in FitLab"
    if (
        verb != "plan"
        and not (prep and verb in _STAYS)
        and (m := _OBJECT_PREP.match(value))
        and (np := noun_phrase(m["np"]))
    ):
        thing = re.match(rf"^an?\s+(?P<v>{NAME})\s+(?P<np>[a-z][a-z-]*(?:\s+[a-z][a-z-]*)?)$", m["v"])
        if thing and (noun := noun_phrase(thing["np"])):
            return Said(noun, thing["v"], subject, change=now)
        if re.match(r"an?\s", object_) and m["p"] in ("at", "in", "on"):
            return Said(np, m["v"], subject, change=now)
        where = f"{prep} {m['np']}" if prep == "to" else np  # `go to the gym on`
        return Said(f"{verb} {where} {m['p']}", re.sub(r"^an?\s+", "", m["v"]), subject, verb=True, change=now)
    if m := _PURPOSE.match(value):
        tail, found = m["np"], re.sub(r"^(?:an?|the)\s+(?=[a-z])", "", m["v"])
        if m["p"] == "as" and (np := noun_phrase(tail)):
            return Said(np, found, subject, change=now)
        if (
            not implausible(found)
            and not (m["p"] in ("on", "from", "with", "to") and verb not in ("take", "get", "have"))
            and noun_phrase(tail)
        ):
            name = " ".join(w for w in (verb, prep, m["p"], noun_phrase(tail)) if w)
            return Said(name, found, subject, verb=True, change=now)
    if verb in ("do", "get", "start", "make", "keep", "run", "take", "go", "test", "send", "share", "write", "build", "code", "read", "close", "open", "cover",
                "handle", "like", "love", "enjoy", "prefer", "use", "work", "buy", "learn", "develop", "have", "report", "save", "serve", "pay", "log", "treat",
                "water", "set", "sit", "see", "meet", "sell", "record", "support", "hate", "dislike") and not (loose or specific(value) or (prep in ("at", "in", "on") and verb == "work" and not re.match(r"(?:an?|the|my|this|that|some|it)\b", value))):  # fmt: skip
        if not (
            verb in ("like", "love", "enjoy", "prefer", "hate", "dislike", "learn", "use", "take")
            and len(value.split()) <= (6 if subject == "we" else 3)
            and not re.match(r"(?:the|a|an|my|our|how|it|to)\b", value)
        ):
            return None
    value = re.sub(r"^(?:an?)\s+(?=\S)", "", value)
    name = " ".join(w for w in (verb if verb != "plan" else "planning", prep) if w)
    if verb == "work" and prep == "for":
        name = "work at"
    return Said(name, value, subject, verb=True, change=now)


def _have(subject: Subject, value: str, now: bool) -> Said | None:
    """`have X for/as NP`, `have a NP to/of X`: a noun stands beside; bare possession needs a name."""
    if m := re.match(
        r"^(?P<v>.+?)\s+(?:for|as)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][a-z-]*(?:\s+[a-z][a-z-]*){0,2})$", value
    ):
        np = noun_phrase(m["np"])
        if np and len(np.split()) <= 2 and not TALK_OBJECT.match(m["v"]) and not SOME.match(m["v"]):
            return Said(np, m["v"], subject, change=now)
    if m := re.match(
        r"^(?:an?|the|some)\s+(?P<np>(?:[a-z-]+\s+)?(?:allergy|allergies|intolerance|degree|subscription|membership|appointment|phobia|reservation|contract|license|licence|certificate|diploma|qualification|account|deadline))\s+(?:to|in|with|at|for|on|of)\s+(?P<v>.+)$",
        value,
    ):
        return stated(noun_phrase(m["np"]), clean_value(m["v"])[0], subject, change=now)
    if m := re.match(
        rf"^(?:an?|the|some|two|three|\d)\s+(?P<np>[a-z][a-z -]*?)(?:,)?\s+(?:called|named)\s+(?P<v>{NAME})", value
    ):
        return stated(noun_phrase(m["np"]), m["v"], subject, change=now)
    return None
