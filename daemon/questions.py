"""What a question asks of the facts: which words name the thing, and whether now, then, all of it, or word for word."""

import re
from dataclasses import dataclass
from typing import Literal

Mode = Literal["now", "history", "previous", "topic", "verbatim"]
Expects = Literal["person", "place", "time", "length", "count", "any"]


@dataclass(frozen=True)
class Question:
    """
    *about* is the question without its asking words, for meaning; *names* are phrases that may name the attribute.

    *shared*: asked of `us` rather than of `me`. *before*, *after*: the value next to which another is asked for.
    """

    text: str
    mode: Mode
    about: str
    names: tuple[str, ...]
    expects: Expects
    shared: bool
    plural: bool
    before: str | None = None
    after: str | None = None


_ASKS = re.compile(
    r"^(?:(?:hey|hi|so|ok|okay|and|also|please|quick question|remind me|sorry|just|well|now|btw|by the way)\b[\s,:;-]*)*"
    r"(?:(?:what|who|where|when|how)s|what|who|whom|whose|where|when|which|why|how|is|are|am|do|does|did|can|could|have|has|list|name|tell|give|say|cite|recite|quote|show|recall|repeat|enumerate|in what order|remind|describe|summari[sz]e|state|read)\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"\bover (?:time|the (?:years|months|weeks))\b|\b(?:in|by) (?:chronological )?order\b|earliest|oldest|(?:from|since) the (?:very )?(?:beginning|start|outset)|from the (?:very )?(?:first|earliest|oldest)\b|one after (?:the other|another)|(?:un)?till? (?:now|today)|(?:through|down) the (?:years|months|weeks)|first to (?:last|latest|newest|most recent)|from first|chronological|history of|"
    r"\b(?:original|initial)(?:ly)?\b|\bso far\b|timeline|have (?:i|we) (?:gone|been) through|\b(?:all|every|which|what)\b.*\b(?:i|we)(?:['’]ve| have) (?:had|used|owned|lived|been|driven|worked|tried|subscribed|consumed|taken|gone)|"
    r"\bwho (?:(?:have|has) (?:(?:my|our|the|all)\b.*)?been|were)\b|\bhave (?:i|we) (?:had|used|owned|lived|worked|driven|been)\b|how (?:has|have|did) .*\b(?:change|changed|evolve|evolved)|sequence of|past and present|up to now|to date\b",
    re.IGNORECASE,
)
_PREVIOUS = re.compile(
    r"\b(?:previous(?:ly)?|former(?:ly)?|used to|ex-|prior|last time|before (?:that|this|now|the)|did (?:i|we) (?:use|have|live|work|drive|go)|was my|was our|(?<!how )old)\b|"
    r"\b(?:was|were|did)\b.*\bbefore\W*$",
    re.IGNORECASE,
)
# "before Mina", "after Tom Vega", "that Mina replaced"
_BESIDE = re.compile(
    r"\s+(?:(?:right |just |immediately )?(?P<w>before|preceding|prior to|after|following)\s+(?:we (?:had|used|got) |i (?:had|used|got) |it was |switching to |moving to |changing to )?"
    r"(?P<v>(?:the\s+)?(?-i:[A-Z0-9])[\w'’.&-]*(?:\s+(?:&\s+)?(?-i:[A-Z0-9])[\w'’.&-]*)*)(?:\s+(?:was|became|took over|came|as)(?=\W|$))?)(?=\s*[?.,]|\s+as\b|$|\s)",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"\b(?:(?:list|tell me|name|give me|show me|say|share) (?:me )?(?:everything|all|every\w*|anything|whatever)|everything (?:you (?:know|have|remember)|about|on)|all (?:of it|that you know|you know)|what (?:all )?do you (?:know|remember|have) (?:about|on)|"
    r"list (?:all|them|every)|name (?:all|every|them)|tell me every|every \w+ you know|what (?:all|else)|anything you know|(?:full|whole|complete|big) (?:picture|list|rundown|story)|overview|the lot\b|list (?:it|them)? ?all|(?:it|them) all\b|all there is|everything|all of (?:them|it|our|my)|summari[sz]e)\b",
    re.IGNORECASE,
)
_VERBATIM = re.compile(
    r"\bverbatim\b|\bliterally\b|letter (?:for|by) letter|\bwording\b|in (?:exactly )?those words|word[- ]for[- ]word|\brecite\b|\bquote\b|\bexact(?:ly)?\b|to the letter|in full\b|repeat back|as i (?:wrote|said|told)",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:list|tell me|name|give me|show me|say|share)?\s*(?:me\s+)?\b(?:everything|all|anything|whatever)\b(?: (?:that )?(?:you know|you remember|you have|of it|of them|i told you)(?: about| on)?)?|"
    r"\b(?:list|name|give me|show me|recite|quote|recall|repeat|tell me|remind me(?: of| what| who| where| when)?|can you|could you|do you (?:know|remember)|please|what do you know about|what do you remember about)\b|"
    r"\b(?:verbatim|word[- ]for[- ]word|exactly|in order|over time|from (?:the )?(?:earliest|oldest|first) (?:one )?(?:to|until|through) (?:the )?(?:latest|newest|last|most recent|present)|from (?:earliest|first|oldest)|earliest (?:first|to latest)|oldest (?:first|to newest)|"
    r"first to (?:last|latest)|chronologically|in chronological order|so far|these days|at the moment|right now|currently|nowadays|i shared|i told you|i gave you|you know of|to the letter)\b",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"^(?:what|who|where|when|which|how)(?:['’]s|['’]re|\s+is|\s+are|\s+was|\s+were|\s+will be|\s+has been|\s+have been)\s+(?P<np>.+)$",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"^(?:what|which)\s+(?:(?:kind|type|sort|brand|make) of\s+)?(?P<np>[\w'’ /-]+?)\s+(?:do|does|did|am|are|is|have|has|was|were|will|should|['’]m)\b\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_DO = re.compile(
    r"^(?:what|who|where|when|how|which)\s+(?:long |often |much |many |else )?(?:do|does|did|am|are|is|have|has|can|should|will)\s+(?:(?:i|we|you)\s+)?(?P<rest>.+)$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^(?:who|what)\s+(?P<rest>[a-z]+s\b.+)$", re.IGNORECASE)
_OWNED = re.compile(r"\b(?:my|our)\s+(?P<np>[\w'’-]+(?:\s+[\w'’/-]+){0,4})", re.IGNORECASE)


_ITEMS = re.compile(
    r"(?:(?P<told>[:?.])\s+|\b(?:for|of|about|are)\s+)(?P<items>(?:[^,:;?.]{2,40},\s*)+(?:and\s+)?[^,:;?.]{2,50}|[^,:;?.]{2,40}\s+and\s+[^,:;?.]{2,50})(?:,?\s+please)?[?.!]*$",
    re.IGNORECASE,
)


def items_of(text: str) -> tuple[str, ...]:
    """What *text* asks for one by one, each as a question: `What do you know of my boat? Its name, engine and berth.`"""
    m = _ITEMS.search(re.sub(r"\s+", " ", text).strip())
    if m is None or (m["told"] is None and "," not in m["items"]):
        return ()
    parts = [p.strip() for p in re.split(r",\s*(?:and\s+)?|\s+and\s+", m["items"]) if p.strip()]
    if not 2 <= len(parts) <= 6 or any(len(p.split()) > 8 or p.lower() in ("please", "in order") for p in parts):
        return ()
    if re.match(r"(?:list|name|tell|give|say|show|from|in|please|i|we|you|everything|all)\b", parts[0], re.IGNORECASE):
        return ()
    asked: list[str] = []
    for part in parts:
        bare = re.sub(r"^(?:its|his|her|their|the|my|our)\s+", "", part, flags=re.IGNORECASE)
        asked.append(f"{part}?" if re.match(r"(?:where|who|what|when|which|how)\b", bare) else f"What is our {bare}?")
    return tuple(asked)


def is_question(text: str) -> bool:
    """Whether *text* asks for something that facts might hold."""
    text = text.strip()
    return len(text) < 400 and "\n\n" not in text and (text.endswith("?") or bool(_ASKS.match(text)))


_WITHOUT_APOSTROPHE = re.compile(
    r"(?<![\w'’])(?:what|who|where|when|how)s(?=\s+\w)"
    r"|\b(?:my|our)\s+[a-z]+s(?=\s+(?:name|names|birthday|age|job|phone|number|address|email|e-mail)\b)",
    re.IGNORECASE,
)


def with_apostrophes(text: str) -> str:
    """*text*, a question typed in haste, with its apostrophes: `whats my sisters name`."""
    return _WITHOUT_APOSTROPHE.sub(lambda m: f"{m[0][:-1]}'s", text) if is_question(text) else text


_HOW_OLD = re.compile(
    r"\b(?P<ask>how old|what age)(?:['’]s|\s+(?P<be>is|are|am|was|were))\s+(?P<np>[^?.!,]+?)(?=\s+(?:now|today|these days|before)\b|[?.!,]|$)",
    re.IGNORECASE,
)


def of_age(text: str) -> str:
    """*text* with what it asks of how old somebody is as what it asks of their age: `What is Marta's age?`."""

    def asked(m: re.Match[str]) -> str:
        whose = re.sub(r"^(?:the|our|my)\s+", "my ", m["np"], flags=re.IGNORECASE)
        return f"what {'was' if m['be'] in ('was', 'were') else 'is'} {'my' if whose == 'I' else whose + chr(39) + 's'} age"

    return _HOW_OLD.sub(asked, text)


def parse_question(text: str) -> Question:
    """*text*, taken as a question, by its form."""
    text = re.sub(r"\s+", " ", text).strip()
    mode: Mode = "now"
    beside = _BESIDE.search(text) if not re.search(r"\bwhen\b|\btime\b", text, re.IGNORECASE) else None
    before = after = None
    if beside is not None:
        before, after = (
            (beside["v"], None) if beside["w"].lower() not in ("after", "following") else (None, beside["v"])
        )
        text = text[: beside.start()] + text[beside.end() :]
        text = re.sub(
            r"^(who|what|which)\s+(?:came|was there|followed|did we have|did i have)(?:\s+as)?\s+(?=(?:my|our|the|as)\b|\w)",
            r"\1 is ",
            text,
            flags=re.IGNORECASE,
        )
        text = re.sub(r"^(who|what) is\s+as\s+", r"\1 is ", text, flags=re.IGNORECASE)
    if beside is not None:
        mode = "previous"
    elif _VERBATIM.search(text):
        mode = "verbatim"
    elif _HISTORY.search(text) and not re.match(r"\W*(?:since when|how long)\b", text, re.IGNORECASE):
        mode = "history"
    elif _PREVIOUS.search(text) and not _TOPIC.search(text):
        mode = "previous"
    elif _TOPIC.search(text):
        mode = "topic"
    parts = [
        p.strip()
        for p in re.split(
            r"(?<=[.?!])(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bProf\.)\s+|,\s+(?=(?:first|in order|earliest|oldest|from|word|to the)\b)",
            text,
        )
        if p.strip()
    ]
    kept = []
    for part in parts:
        bare = re.sub(r"\s+", " ", _TASK.sub(" ", part)).strip(" ,.?!;:")
        if re.search(r"\w{3,}", bare) and not re.fullmatch(
            r"(?:all of |every )?(?:it|them|me|of it|that|please|all|every \w+|you know|know|about|of|of all)*",
            bare,
            re.IGNORECASE,
        ):
            kept.append(bare)
    about = ". ".join(kept) if kept else text
    first = kept[0] if kept else text.strip("?!. ")
    plural = bool(re.search(r"\b(?:all|every|which)\b", text, re.IGNORECASE))
    names: list[str] = []
    for source in kept or [first]:
        if m := _COPULA.match(source):
            names.append(m["np"])
        elif m := _WHICH.match(source):
            names.append(m["np"])
            rest = re.sub(r"^(?:i|we|you|my|our)\s+", "", m["rest"], flags=re.IGNORECASE)
            names.append(f"{rest} {m['np']}".strip())
        elif (m := _DO.match(source)) or (m := _SUBJECT.match(source)):
            names.append(m["rest"])
        names += [m["np"] for m in _OWNED.finditer(source)]
        if not names:
            names.append(source)
    names = [
        n
        for n in (
            re.sub(
                r"^(?:my|our|the|all|every|of)\s+",
                "",
                re.sub(r"^(?:all|every|of)\s+", "", n.strip(" ?.,!"), flags=re.IGNORECASE),
                flags=re.IGNORECASE,
            )
            for n in names
        )
        if n
    ]
    return Question(
        text,
        mode,
        about,
        tuple(dict.fromkeys(names)),
        _expects(text),
        bool(re.search(r"\b(?:we|our|us)\b", text, re.IGNORECASE)),
        plural,
        before,
        after,
    )


def _expects(text: str) -> Expects:
    low = text.lower()
    if re.match(r"^\W*(?:who|whom|whose)\b", low):
        return "person"
    if re.match(r"^\W*where\b", low):
        return "place"
    if re.match(r"^\W*(?:when|what (?:time|day|date))\b", low):
        return "time"
    if re.match(r"^\W*how (?:long|far)\b", low):
        return "length"
    if re.match(r"^\W*how (?:many|much|often)\b", low):
        return "count"
    return "any"
