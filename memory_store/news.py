"""Clauses that tell of a change: whichever of the old and the new value is named, in either order."""

import re

from memory_store.phrases import noun_phrase, specific
from memory_store.said import (
    ADVERBS,
    NAME,
    PERSONAL_NAME,
    Said,
    Subject,
    owned_noun,
    stated,
    subject_of,
    value_of,
    without_determiner,
)

_CHANGED_TO = re.compile(
    r"^(?P<np>(?:(?:my|our|the)\s+)?[^\W\d_][^,;:—?!]*?)\s+(?:role\s+|job\s+)?(?:has\s+|have\s+|just\s+|recently\s+|got\s+|was\s+|were\s+|is\s+|are\s+|been\s+|will\s+|be\s+|now\s+|then\s+)*"
    r"(?:chang(?:ed|es?)|mov(?:ed|es?)|switch(?:ed|es)?|went|goes|shift(?:ed|s)?|adjust(?:ed|s)?|pass(?:ed|es)?|turn(?:ed|s)?|replaced|"
    r"migrat(?:ed|es?)|updated?|upgraded?|renamed|swapped|transferred|handed|becomes?|pushed|brought|put|bumped|postponed|rescheduled|delayed|extended|raised|lowered|cut|reset|slipped|slips?|dropped|drops?|rose|rises?|risen|fell|falls?|climbed|grew|shrank|jumped|crept|landed|settled)"
    r"(?:\s+(?:over|back|forward|up|down|out))?(?:\s+from\s+(?P<old>.+?))?\s+(?:over\s+)?(?:to|by|with|for|into)\s+(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)


# `the crew is down to seven`, `the class has grown to thirty`: a number, not what it comes down to
_COUNTED = re.compile(
    r"^(?P<np>(?:(?:my|our|the)\s+)?[^\W\d_][^,;:—?!]*?)(?:\s+(?:is|are|has|have|had)|['’]s)\s+(?:now\s+|been\s+|since\s+|just\s+)*(?:up|down|back|[a-z]+(?:ed|en|wn|one|ome|unk|ut))(?:\s+(?:up|down|back))?\s+(?:from\s+(?P<old>.+?)\s+)?to\s+"
    r"(?P<v>(?:[£$€]?\d|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|one|half|a hundred|a dozen)\b).*)$",
    re.IGNORECASE,
)


_WE_CHANGED = re.compile(
    rf"^(?:I|we|they|someone|(?:the\s+)?(?-i:{NAME})(?=\s+(?:has\s+)?[a-z]+ed\s+(?:my|our)\b))(?:['’]ve|\s+have|\s+has|['’]re|['’]m|\s+are|\s+am)?\s+{ADVERBS}(?:chang(?:ed|e|ing)|took(?=.*\s(?:to|into)\s+(?-i:[A-Z0-9]))|switch(?:ed|ing)?|put|shift|push|rais(?:e|ed)|lower|swap(?:ped)?|mov(?:ed|e|ing)|migrat(?:ed|e|ing)|"
    r"updat(?:ed|e|ing)|push(?:ed|ing)?|shift(?:ed|ing)?|upgrad(?:ed|e|ing)|transferr?(?:ed|ing)?|renam(?:ed|e|ing)|set|convert(?:ed|ing)?|handed|brought|port(?:ed|ing)?|"
    r"relocat(?:ed|ing)|bump(?:ed|ing)?|rais(?:ed|ing)|lower(?:ed|ing)|extend(?:ed|ing)|adjust(?:ed|ing)?)\s+(?P<np>(?:(?:my|our|the|all our|all my)\s+[^,;:—?!]+?|(?!house\b|home\b|on\b|back\b|away\b|out\b|from\b|over\b|to\b|it\b|up\b)[a-z]+(?:\s[a-z]+){0,2}?))"
    r"(?:\s+over|\s+back|\s+forward|\s+up|\s+down|\s+out)?(?:\s+from\s+(?P<old>.+?))?(?:\s+over)?\s+(?:to|into|onto|as|for|with|by)\s+(?!(?:bed|sleep|rest|use|work|good use|silent|mute|vibrate|standby)\b)(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)


_FROM_TO = re.compile(
    rf"^(?:I|we)(?:['’]ve|\s+have|['’]re|['’]m)?\s+{ADVERBS}(?P<verb>switched|moved|went|migrated|changed|converted|transitioned|upgraded|moving|switching|"
    r"migrating|going)(?:\s+over|\s+away)?\s+from\s+(?P<old>.+?)\s+(?:over\s+)?to\s+(?P<v>.+?)(?:\s+(?:for|as)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][^,.;:]*))?$",
    re.DOTALL | re.IGNORECASE,
)


_SWAPPED = re.compile(
    rf"^(?:I|we)(?:['’]ve|\s+have)?\s+{ADVERBS}(?P<verb>replaced|recast|refilled|swapped(?:\s+out)?|traded(?:\s+in)?|exchanged|dropped|ditched|dumped|abandoned|left|sold|"
    r"substituted|retired)\s+(?P<old>(?:(?!\band (?:I|we)\b).)+?)\s+(?P<p>with|for|by|in favou?r of|and (?:now )?(?:bought|got|use|went with|moved to|switched to|picked))\s+"
    r"(?P<v>.+?)(?:,?\s+(?:as|for)\s+(?P<np>(?:my|our|the)\s+[^,.;:]+))?$",
    re.DOTALL | re.IGNORECASE,
)


# `I swapped my Friday shift with Malik`: with whom, and no other one
_WITH_SOMEBODY = re.compile(
    rf"(?:I|[Ww]e)(?:['’]ve|\s+have)?\s(?:just\s)?(?:swapped|exchanged)\s(?:my|our)\s(?:[A-Z]\w+\s)?[a-z]+(?<!er)(?<!or)(?<!ist)(?:\soff)?"
    rf"\swith\s(?:{PERSONAL_NAME}|(?:my|our)\s[a-z]+(?:\s[A-Z]\w+)?)(?:$|[,.;])"
)


_REPLACED = re.compile(
    r"^(?P<v>[^,;:—?!]+?)\s+(?:has\s+|have\s+|just\s+|recently\s+|will\s+)*(?:replac(?:ed|es?)|succeed(?:ed|s)?|(?:taken|took|takes?)\s+over(?:\s+from)?|"
    r"stepped in for|fills? in for|superseded|supersedes)\s+(?P<old>.+?)(?:\s+as\s+(?P<np>.+))?$",
    re.DOTALL | re.IGNORECASE,
)


_TOOK_OVER = re.compile(
    r"^(?P<v>[^,;:—?!]+?)\s+(?:has\s+|have\s+|just\s+|recently\s+)*(?:(?:taken|took|takes?)\s+over|stepped (?:in|up)|stepped into(?: the role of)?|agreed to (?:be|become)|offered to (?:be|become)|volunteered (?:as|to be)|signed (?:on|up)(?= as)|came (?:on board|aboard)(?= as)|(?:started|joined(?: us)?)(?= as)|"
    r"was (?:named|made|appointed|elected|promoted to)|been (?:named|made|appointed|elected)|came in|got (?:promoted to|elected|appointed|picked|chosen|selected|named|made|hired)|(?:is|are) filling (?:[\w.’']+ ){1,3}shoes|"
    r"steps? in|got the job)\s+(?:as\s+)?(?P<np>(?!(?:by|of|in|on|at|with|from|for|to)\b)(?:(?:my|our|the)\s+)?[a-z][^,.;:]*)$",
    re.DOTALL,
)


_NEW_THING = re.compile(
    rf"^(?:I|we|there)(?:['’]ve|['’]s|\s+have|\s+has|\s+is|['’]re|['’]m)?\s*{ADVERBS}(?:got|have|found|hired|bought|picked|chose|chosen|adopted|started with|"
    rf"gotten|elected|appointed|signed up with|signed with|(?:gone|went|switched|moved|migrated|moving|changed|upgraded|come|came)(?: over| on)? to|went with|going with|set up|settled on|received|is|with|on|using|now with|)\s*"
    r"(?P<det>a (?:brand[- ])?new|another|a different|a|an)\s+(?P<np>[a-z][\w'’ -]*?)(?:\s+now)?(?:\s*[:,—–]\s*|\s+-\s+|\s+(?:called|named)\s+)"
    r"(?:it['’]s\s+|namely\s+|called\s+|named\s+|which is\s+|who['’]s called\s+|(?:her|his|their|its|the) name(?:['’]s|\s+is)\s+)?(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)


NOT_BUT = re.compile(
    r"^(?P<np>(?:my|our|the)\s+[^,;:—?!]+?)\s+(?:isn['’]t|is not|is no longer|aren['’]t|are not)\s+(?P<old>[^,;:]+?)(?:\s+any ?more|\s+any longer|\s+now)?[,;]\s+(?:but\s+)?(?:it['’]s|it is|they['’]re|that['’]s)\s+(?P<v>.+)$",
    re.IGNORECASE,
)


# "Jo isn't our treasurer any more, Pat is"
NOT_SHE_BUT = re.compile(
    rf"^(?P<old>{NAME})\s+(?:isn['’]t|is not|is no longer|aren['’]t|are no longer)\s+(?:my|our|the)\s+(?P<np>[a-z][a-z -]*?)(?:\s+any ?more|\s+any longer|\s+now)?[,;]\s+(?:but\s+|now\s+)?(?P<v>{NAME})\s+(?:is|are)(?:\s+now)?$"
)


# "our new accountant started today: Leo Falk"
_NEW_STARTED = re.compile(
    rf"^(?:[Mm]y|[Oo]ur|[Aa])\s+new\s+(?P<np>[a-z][a-z -]*?)\s+(?:just\s+|has\s+|has just\s+|was\s+|has been\s+)?(?:appointed|elected|hired|named|found|chosen|installed|started|starts|joined(?: us)?|arrived|came|begins|began|moved in)(?:\s+[a-z]+){{0,3}}\s*[:,—–]\s*(?:it['’]s\s+|(?:her|his|their) name(?:['’]s| is)\s+)?(?P<v>{NAME})$"
)


_LABELLED = re.compile(
    r"^(?P<o>my|our|new|my new|our new)\s+(?P<np>[a-z][a-z -]*?)(?:,\s+(?:by the way|btw|fyi))?:\s+(?P<v>\S.*)$",
    re.IGNORECASE,
)


_SET_TO = re.compile(
    r"^(?:please\s+)?(?:set|change|switch|move|make)\s+(?P<np>(?:my|our|the)\s+[^,;:—?!]+?)\s+to\s+(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)


_MAKE = re.compile(
    rf"^(?:I|we)(?:['’]ll|['’]d)?\s+{ADVERBS}make\s+(?P<v>.+?)\s+(?P<np>(?:my|our|the)\s+[^,;:—?!]+)$",
    re.DOTALL | re.IGNORECASE,
)


ENDS = re.compile(
    r"^(?:I|we)(?:\s+|(?=['’]))(?:have\s+)?(?:no longer|don['’]t|do not|stopped|quit|gave up|have stopped|['’]ve stopped|have quit|cancelled|canceled|dropped|ended(?! up| the| my| our)|abandoned|ditched|got rid of|moved away from|left|lost(?! (?:my|our) (?:temper|mind|way|nerve|patience|voice|cool|balance|appetite|bet)\b)|fired|sacked|let go of|parted (?:ways )?with|said (?:goodbye|bye) to|broke up with|(?:['’]re|['’]m|are|am)\s+(?:no longer with|not with|no longer at|ditching|dropping|leaving|quitting|dumping|selling|done with|parting with|letting go of)|['’]ve (?:left|lost|ditched|dropped|dumped|sold|fired|parted with|parted ways with|quit|given up))\s+(?P<rest>.+?)(?P<more>\s+(?:any ?more|any longer))?$",
    re.IGNORECASE | re.DOTALL,
)


OVER = re.compile(
    r"^(?P<o>my|our)\s+(?P<old>[^,;:—?!]+?)\s+(?:(?:has|have|is|are|was|were|got|been|just|recently|finally|now)\s+)+(?:been\s+)?"
    r"(?:treated|resolved|cured|gone|over|cancelled|canceled|healed|finished|done|closed|discontinued|retired|ended|cleared up|history|no more|"
    r"shut down|sold|fixed|completed|dissolved)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


LEFT = re.compile(
    rf"^(?P<old>{NAME})\s+(?:has\s+|have\s+|just\s+|recently\s+|is\s+)*(?:left|stepped down|retired|quit|resigned|died|moved on|gone|went out of business|closed|"
    r"stopped|passed away|leaving|handed over|history|bankrupt|out of business|no more)\b.*$",
)


# "I ran 1:54 in the half marathon, a new best"
_RECORD = re.compile(
    r"^(?P<s>I|we)(?:['’]ve|\s+have)?\s+(?:just\s+)?[a-z]+\s+(?:an?\s+)?(?P<v>\S*\d[\w:.,]*(?:\s(?:kg|km|m|s|min|minutes?|seconds?|hours?|points?))?)"
    r"(?:\s+(?:in|at|for|on|over)\s+(?:(?:the|my|our)\s+)?(?P<np>[a-z][a-z -]*?))?,?\s+(?:which is\s+|that['’]s\s+|it['’]s\s+)?(?:a|my|our)\s+new\s+(?:personal\s+|season\s+)?(?:best|record|pb|high)$",
    re.IGNORECASE,
)

_GOING = re.compile(r"\b(?:went|goes|mov(?:ed|es)?)\b")


def _is_a_person(np: str) -> bool:
    return re.search(rf"{KIN.pattern}$", np, re.IGNORECASE) is not None or PEOPLE.search(np) is not None


def parse_news(text: str) -> Said | None:
    """*text*, a clause, as news of a fact; None where it is none."""
    if m := _RECORD.match(text):
        return Said(f"{m['np']} best" if m["np"] else "best", m["v"].rstrip(",."), subject_of(text), change=True)
    if (m := _COUNTED.match(text)) and (np := noun_phrase(m["np"])) and (value := value_of(m["v"])[0]):
        return Said(np, value, subject_of(text), old=m["old"], change=True)
    if _WITH_SOMEBODY.match(text):
        return None
    if m := _WE_CHANGED.match(text):
        value, _ = value_of(m["v"])
        owned = re.match(r"(?:my|our|the|all)\s", m["np"], re.IGNORECASE)
        to = text[m.end("np") : m.start("v")].split()[-1].lower()
        if (
            value
            and (to in ("to", "into", "onto", "as") or (owned and m["np"] == m["np"].lower()))
            and (owned or specific(value))
            and (found := stated(noun_phrase(m["np"]), value, subject_of(text), old=m["old"], change=True))
        ):
            return found
    if (m := _NEW_STARTED.match(text)) and (np := noun_phrase(m["np"])):
        return Said(np, m["v"], "we" if text[:1] in "oO" else "i", change=True)
    if (m := _LABELLED.match(text)) and (np := noun_phrase(m["np"])):
        value, _ = value_of(m["v"])
        if value:
            return Said(np, value, "i" if m["o"].lower() == "my" else "we", change="new" in m["o"].lower())
    if m := _FROM_TO.match(text):
        if m["np"] is None and m["verb"] == "moved" and text[:1] == "I" and re.fullmatch(NAME, m["old"]):
            if re.fullmatch(NAME, value := value_of(m["v"])[0] or ""):
                return Said("live in", value, "i", old=m["old"], change=True, verb=True)
        return _swap(m["old"], m["v"], m["np"], subject_of(text))
    if (m := _SWAPPED.match(text)) and not (
        m["verb"] == "swapped" and m["p"] == "with" and re.fullmatch(r"(?:my\s|our\s)?[a-z]+s", m["old"])
    ):  # with whom one swaps shifts is no shift
        return _swap(m["old"], m["v"], m["np"], subject_of(text))
    if m := _CHANGED_TO.match(text):
        np = (
            noun_phrase(m["np"])
            if not re.match(r"(?:I|we|you|it|this|that|they|he|she)\b", m["np"], re.IGNORECASE)
            else None
        )
        value, _ = value_of(m["v"], prep=True)
        theirs = re.match(r"(?:another|an?)\s", m["v"]) or _GOING.search(text[m.end("np") : m.start("v")])
        if np and theirs and _is_a_person(np):
            return None  # they went there, or have that now, and are not that
        if (
            np
            and value
            and (re.match(r"(?:my|our|the)\s", m["np"], re.IGNORECASE) or specific(value))
            and not re.match(r"(?:goes|go)\b", m["np"])
        ):
            if re.match(r"\s+go(?:es)?\s+(?:(?:hand in hand\s+)?with|by)\b", text[m.end("np") :], re.IGNORECASE):
                return None
            verb = re.search(r"\bgoes\s+to\b", text[len(m["np"]) : len(m["np"]) + 12])
            if verb is None:
                return Said(np, value, subject_of(text), old=m["old"], change=True)
    if (
        (m := _REPLACED.match(text))
        and not re.match(r"(?:as|by|with)\b", m["old"])
        and not re.match(r"(?:I|we|you|it|this|that)\b", m["v"], re.IGNORECASE)
    ):
        value, _ = value_of(m["v"])
        if value:
            old = m["old"]
            np = noun_phrase(m["np"]) if m["np"] else None
            if np is None and old.lower().startswith(("my ", "our ", "the ")):
                np, old = noun_phrase(old), ""
            return Said(np or "", value, "we", old=without_determiner(old) or None, change=True)
    if (m := _TOOK_OVER.match(text)) and specific(m["v"]):
        value, _ = value_of(m["v"])
        if found := stated(noun_phrase(m["np"]), value, "we", change=True):
            return found
    if m := _NEW_THING.match(text):
        if "new" in m["det"] or m["det"] in ("another", "a different") or specific(value_of(m["v"])[0] or ""):
            value, _ = value_of(m["v"])
            np = noun_phrase(re.sub(r"^big\s+", "big ", m["np"]))
            moves = re.search(r"\b(?:to|onto)\s*$", text[: m.start("det")]) is not None
            if found := stated(
                np, value, subject_of(text), change="new" in m["det"] or moves, also=m["det"] == "another" and not moves
            ):
                return found
    if m := _SET_TO.match(text):
        value, _ = value_of(m["v"])
        if found := stated(owned_noun(m["np"]), value, subject_of(m["np"]), change=True):
            return found
    if m := _MAKE.match(text):
        value, _ = value_of(m["v"])
        if found := stated(owned_noun(m["np"]), value, subject_of(m["np"]), change=True):
            return found
    return None


KIN = re.compile(
    r"\b(?:(?:grand|step|god|half[- ])?(?:mother|father|parents?|mum|mom|dad|ma|pa|sister|brother|son|daughter|child(?:ren)?|kids?)|(?:grand)?(?:ma|pa)|"
    r"uncle|aunt|auntie|cousin|niece|nephew|wife|husband|girlfriend|boyfriend|fiancée?|ex|in-laws?|friend|mate|room-?mate|flat-?mate|"
    r"neighbou?rs?|family|twin|siblings?|relatives?|friends)\b",
    re.IGNORECASE,
)

# who somebody is, or is to the owner
PEOPLE = re.compile(
    r"(?:colleague|boss|vet|coach|nurse|nanny|chef|cook|guide|guy|girl|lady|landlord|landlady|head|lead|partner|au pair|"
    r"mate|(?!(?:shelt|serv|rout|print|comput|trail|theat|cent|count|corn|tow|riv|pap|lett|chapt|quart|numb|ord|regist|"
    r"sup|fold|cov|boil|heat|freez|cook|mix|blend|charg|scann|speak|monit|mot|tract|do|radiat|elevat|project|indicat)"
    r"(?:er|or)s?$)\b[a-z]{3,}(?:er|or|ist|ian|man|woman)|\bby)s?$"
)


def _swap(old: str, new: str, np: str | None, subject: Subject) -> Said | None:
    value, _ = value_of(new)
    if value is None:
        return None
    old = re.sub(r"\s+(?:broke|died|because|since|so).*$", "", without_determiner(old))
    name = noun_phrase(np) if np else None
    if name is None:
        # "my Scarva boots with Lowmarks", "from Scarva to Lowmark boots": the common noun names the thing
        for phrase, is_new in ((value, True), (old, False)):
            if m := re.match(rf"^(?:an?\s+)?(?P<v>{NAME})\s+(?P<np>[a-z][a-z -]*)$", phrase):
                name = noun_phrase(m["np"])
                if is_new:
                    value = m["v"]
                else:
                    old = m["v"]
                break
    if name is None and re.match(r"^[a-z][a-z ]*$", old) and specific(value):
        return Said(noun_phrase(old) or "", value, subject, change=True)
    return Said(name or "", value, subject, old=old or None, change=True)
