"""Facts told as labels: `wifi: 4471`, `ward round is at ten`, several things under one heading; and what is no label."""

import re

from memory_store.doing import verb_form
from memory_store.phrases import clean_value, implausible
from memory_store.said import NAME, Said


def is_list(text: str) -> bool:
    """Whether *text* names several things under one label, to be kept as they stand."""
    return LIST.match(text.rstrip(".! ")) is not None


AT_A_PLACE = re.compile(
    r"^(?:in|at|on|under|behind|by|next to|opposite|near|from|with)\s+(?:the|a|an|my|our|[A-Z0-9])", re.IGNORECASE
)


def bare_label(np: str, value: str, change: bool) -> Said | None:
    """`ward round is at ten`, `handover's in the hall`: a label rather than an opinion; it counts among one's own only."""
    value = clean_value(value)[0] or ""
    if (
        not value
        or re.match(r"(?:an?|one)\s(?!.*\d)", value)
        or len(np.split()) > 6
        or len(value.split()) > 9
        or is_mood(np, value)
    ):
        return None
    if np.split()[0].lower() in (
        "it",
        "that",
        "this",
        "he",
        "she",
        "they",
        "there",
        "everything",
        "nothing",
        "something",
        "everyone",
    ) or verb_form(np.split()[0]):
        return None
    if (
        value[:1].islower()
        and not re.search(r"\d", value)
        and (
            re.match(r"\w+(?:ing|ed|ly|ful|ous|ive|able|ible|ic|al|less|est)\b", value)
            or is_mood(np, value)
            or implausible(value)
        )
    ):
        return None
    if re.fullmatch(NAME, np) and (" " in np or re.match(r"the\s[a-z]", value)):
        return None
    if re.match(r"(?:on|in|at|for|with|of|to|by|from)\s", np, re.IGNORECASE) or re.match(
        r"(?:up|off|out|back|away|gone|over|here|there|home|done|fine|ill|sick|dead|late)\b", value
    ):
        return None
    return Said(np, value, "the", change=change, loose=True, weak=True, echo=True)


# "Dress code: black tie"
LABEL = re.compile(r"^(?:new\s+)?(?P<np>[A-Za-z][\w-]+(?:\s+[a-zA-Z][\w-]*){0,6}):\s+(?P<v>[^:;,?!]{2,40})$")


# "ok serious: the ref is 4471", "the creature suit: its maker is Crowther"
HEADING = re.compile(r"^[\w'’ ]{2,40}:\s+(?P<rest>[^,:]{3,60}?(?:\s(?:is|are)\s|['’]s\s)[^,:]{2,60})$")


CLAUSAL = re.compile(
    r"\b(?:can|will|would|should|could|may|might|must|you|they|it|who|which|that|because|if|when)\b", re.IGNORECASE
)


# "Exhibits so far: a deed, a licence and one cage": several things under one name, as they were told
LIST = re.compile(r"^(?P<np>[A-Za-z][\w'’ -]{2,60}?)(?:,\s+please remember)?:\s+(?P<v>[^:;?]+,[^:;?]+)$", re.IGNORECASE)


_PEOPLE = re.compile(
    r"\b(?:boss|friends?|mother|mom|mum|father|dad|parents?|sister|brother|son|daughter|wife|husband|partner|girlfriend|"
    r"boyfriend|kids?|child|children|family|dog|cat|baby|team|company|manager|neighbou?rs?|roommate|uncle|aunt|cousin|"
    r"grand\w+|colleagues?|coworkers?|teacher|doctor|client|customers?|phone|computer|laptop|car|app|website|program|landlord|"
    r"back|knee|skin|hair|body|stomach|leg|foot|feet|arm|neck|ear|eyes?|boyfriend|students?|class)\b",
    re.IGNORECASE,
)  # fmt: skip


def is_mood(np: str, value: str) -> bool:
    """Whether `my NP is VALUE` tells what somebody is doing or how something feels, rather than which it is."""
    first = value.split()[0].lower()
    if _PEOPLE.search(re.split(r"\s(?:of|for|in|at|on)\s", np)[0].split()[-1]):
        if re.match(r"(?:mr|mrs|ms|dr|prof|miss|sir)\.?\s\w+$", value, re.IGNORECASE):
            return False
        if first.endswith("ing") or (value == value.lower() and not re.search(r"\d", value)):
            alone = re.match(r"(?:an?\s)?\w+$|the\s|(?:my|our)\s", value)
            return not alone or first.endswith(("ing", "ed", "y", "ful", "ive"))
    if re.fullmatch(r"[A-Z][a-z]+", np) and re.fullmatch(
        r"(?:still |very |so |a bit )?(?:ill|sick|tired|well|old|shy|afraid|home|fine|\w+(?:ous|ful|ive|less|ish|ed))|[a-z]{2,}ing\b.*",
        value,
    ):
        return True
    return bool(_MOOD.match(value))


_MOOD = re.compile(
    r"^(?:(?-i:[a-z])\w*ly\s+(?:\w+ed|\w+ing|good|bad|great|low|high|fine|ok|simple|easy|hard|slow|fast|small|large|big)\b|\w+ed by\b|"
    r"(?:broken|slow|fast|small|large|big|good|great|bad|nice|simple|easy|hard|difficult|different|similar|ready|available|clear|"
    r"fine|ok|okay|correct|wrong|right|true|false|empty|full|based|related|due|close|far|high|low|limited|hers|his|yours|theirs|"
    r"mine|ours|that|worth|interested|used|filled|complete)(?=$|\s+(?:for|to|in|with|and|but|enough|at|on|from|than|if|when|because)\b))",
    re.IGNORECASE,
)
