"""
A sentence that the owner told, and of what sort it is: news, a condition, a tie, a wish to forget. By cue words and
tenses alone, so that a sentence need not be understood whole. Pure.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from daemon.questions import is_question
from memory_store.grammar import content, parse, tag
from memory_store.index.hits import Hit
from memory_store.journal import parse_journal
from memory_store.openly import MEASURED
from memory_store.page import Page
from memory_store.sentences import Sentence, sentences

# What says on what something hangs.
_TIES = re.compile(
    r"\b(?:depend\w*|hing(?:e|es|ed)|h[au]ngs? on|go(?:es)? by|(?:comes?|boils|is|['’]s) down to|"
    r"(?:is|are|['’]s) (?:all )?up to (?!\d)|decide[sd]?(?! (?:to|on)\b)|determine[sd]?|dictate[sd]?|"
    r"govern\w*|laid down|rests? with|follows? from|appoints?|chooses?|picks? (?:what|which|who|the)|assigns?|"
    r"(?:fitted|planned) around|comes? with|(?:as|so) long as)\b",
    re.IGNORECASE,
)
# What may say so too, where news of it was told since: reasons, arrangements, whose choice it was.
_MAY_TIE = re.compile(
    r"\b(?:decisions?|says? (?:so|when|what|who|how|where)|tied|ties? in|rel(?:y|ies) on|followed from|thanks to|"
    r"owing to|due to|on account of|based on|var(?:y|ies) with|lives? (?:and|or) dies?|plans?|planned|because|[’']?cos|"
    r"cause|since|chosen|chose|choice|picks?|picked|appoint\w*|assign\w*|allot\w*|arrange\w*|agreed|written into|"
    r"subject to|(?:set|fixed|settled|given|named|suggested|designed|made up) by|linked to|a matter (?:of|for)|"
    r"in the hands of|com(?:es?|ing) with|goes? with|lets? (?:us|me)|lends?|insists?|idea|reason|why|sets|fix(?:es|ed)|"
    r"only (?:works?|can|when)|came up with|so (?:that['’]s|we|I|it|they|the)|whoever|whichever|whatever|wherever|"
    r"which|what|who|how)\b",
    re.IGNORECASE,
)
# What supposes something, wherever it stands.
_IF = re.compile(
    r"(?<!as )(?<!even )(?<!wonder )(?<!know )(?<!what )(?<!see )(?<!ask )\bif\b(?! you ask| you must)|"
    r"\b(?:unless|once|whenever|when|soon as|the (?:day|moment|minute|second)|in case|in the event|otherwise|or else|"
    r"without|absent|failing|suppos(?:e|ing)|assuming|say (?=the\b|we\b|it\b)|whoever|"
    r"(?:any|some|no|every)(?:\s?one|body|where|thing)\s+(?:but|else|other)|(?:any|some|no) (?:other|one but)|"
    r"different|another|other|else|change of|chang(?:e|es|ing) (?:of|in|to)|switch|transition|"
    r"success(?:or|ion)s?|succeeds?|replacements?|ceas(?:e|es|ing)|stead|no longer|any more|new|next|"
    r"passes|pass(?:ed|ing)|comes? after|upon|"
    r"under (?:any|an?)|with (?:any|an?)|any|where|until|(?:as|so) long as)\b|^\W*(?:should|were|had|on)\b",
    re.IGNORECASE,
)
# What may stand before the words that begin a condition: `and`, `mind you, `, `now, `.
LEADS = (
    r"(?:(?:and|but|so|mind(?: you)?|though|well|now|ok|okay|also|then|or|plus|oh|obviously|honestly|anyway|"
    r"actually|of course|apparently|right|still|because|since|that)\b,?\s+)*"
)
# What supposes something so plainly that nothing else need say so.
_SURELY_IF = re.compile(
    rf"(?:^|[:;—–]\s)\W*{LEADS}(?:if|when|once|whenever|unless|should|soon as|as soon as|"
    r"as and when|were|suppose|say (?=the\b|we\b|it\b)|in case|whoever|"
    r"the (?:second|minute|moment|day) (?!(?:depends|hangs|is|was|goes|of|for|before|after)\b))|"
    r"(?<!as )(?<!even )(?<!wonder )(?<!know )(?<!what )(?<!see )(?<!ask )(?<!tell )"
    r"\bif\b(?! you (?:ask|must|like|want|know))|"
    r"\b(?:once it['’]s not|(?:any|some)(?:\s?one|body|where|thing)\s+(?:but|else|other than)|"
    r"(?<!than )(?:any|some) other|"
    r"any \w+ (?:but|other)|as soon as|unless|in case|in the event|absent which|"
    r"(?:change|switch) of)|^\W*(?:\w+\W+){0,3}(?:different|(?<!had )(?<!got )another)\b.{1,60}?,|"
    r"^\W*(?:new|other)\b.{3,40}?(?:=|:|,|→)|^\W*(?:but )?(?:with|under) .{3,60}\b(?:will|would)\b",
    re.IGNORECASE,
)
_WOULD = re.compile(
    r"\b(?:will|would|shall|might|could|(?<!to )becomes?|turns? into|means? that|entails?|and we['’]re|goes to|"
    r"falls? to)\b|"
    r"['’](?:ll|d)\b",
    re.IGNORECASE,
)
_WAS_WHEN = re.compile(
    r"^\W*(?:when|once)\b[^,]*\b(?:was|were|had|did|\w+ed|came|went|got|began|left|took)\b", re.IGNORECASE
)
# "Get us off that host and we'll talk for an hour"
_AND_THEN = re.compile(r"^.{4,70}\band (?:we|it|they|I|he|she|you|that|the|our|my)\b", re.IGNORECASE)
# What is over which measure, or one more of what, with nothing told of it: "any more rain and we're off"
_TOO_MUCH = re.compile(
    r"^\W*(?:(?:any|one more|another|no more)\b|"
    r"(?:(?!(?:is|are|was|were|has|have|had|go|goes|went|costs?|pays?)\b)[\w-]+ ){1,3}"
    r"(?:over|under|above|below|(?:more|less|fewer) than) \S*\d)",
    re.IGNORECASE,
)
# In notes: "the pump fails again -> we rent one", "no licence = we stay ashore"
_NOTED = re.compile(r"(?P<arrow>\s*(?:[-=]+>|[→⇒])\s*)|\s+=\s+")
# Where a sentence that tells something goes on to say what would follow.
_GOES_ON = re.compile(
    rf"[,:;—–-]\s+{LEADS}((?:if|unless|once|whenever|when|as soon as|should|"
    r"otherwise|without|with|in case|any|some(?:one|body|where|thing)|another|the (?:second|minute|moment|day))\b.*)$",
    re.IGNORECASE,
)
# Where a sentence may tell a second thing.
_CUTS = re.compile(
    r"\s*;\s+|\s+[-–—]{1,2}\s+|—|,?\s+(?:and|but|so|though|although|while|whereas)\s+|,\s+", re.IGNORECASE
)
_FIRM = (";", "-", "--", "–", "—")
_EQUALS = re.compile(r"^[\w'’]+(?: [\w'’]+){0,3} = \S")
_BEGINS_A_CONDITION = re.compile(
    rf"^\W*{LEADS}(?:if|when|once|whenever|unless|should|were|as soon as|in case|"
    r"where|suppose|until|as long as|the (?:second|minute|moment|day))\b",
    re.IGNORECASE,
)
# Whose doing it is, where it is not the speaker's: `my cousin has a bakery`, `the hotel across the lake`.
_OF_OTHERS = re.compile(
    r"^\W*(?:(?:and|but|so|oh|well)\b,?\s+)*(?:(?:my|our|a|the|another|some)\s+(?:\w+\s+){0,2}?"
    r"(?:neighbou?rs?|cousins?|friends?|sisters?|brothers?|uncles?|aunts?|mates?|buddy|colleagues?|rivals?|competitors?|"
    r"customers?|in-laws?)(?:['’]s?|\b.{0,40}?\b(?:his|hers?|theirs?|has|have|had|runs?|owns?|keeps?|uses?|starts?))\s|"
    r"(?:my|our)\s+(?:old|former|previous|last)\b|"
    r"(?:the|a|another)\s+\w+(?:\s\w+)?\s+(?:across|down|up|round|next door|in (?-i:[A-Z])|over)\b"
    r"(?!\W*(?:$|for good|so|and|because|last)))",
    re.IGNORECASE,
)
# the same where they only do something: `my friend Ada reads Comet`
_OTHERS_DO = re.compile(
    r"^\W*(?:(?:and|but|so|oh|well)\b,?\s+)*(?:my|our|a|one of my)\s+(?:\w+\s+)?(?:neighbou?rs?|cousins?|friends?|"
    r"sisters?|brothers?|uncles?|aunts?|mates?|colleagues?|rivals?|in-laws?)(?:\s(?-i:[A-Z])[\w’'-]+)?(?:\s(?:also|just|only))?"
    r"\s(?:[a-z]+s|[a-z]+ed|has|have|had|got|is|was)\s(?!.*\b(?:me|us|my|our|mine|ours)\b)",
    re.IGNORECASE,
)
_WITH_US = re.compile(r"\b(?:us|we|our|ours|for me|with me)\b", re.IGNORECASE)
_POINTS_BACK = re.compile(r"(?:he|she|it|they|that|this|these|those|there)\b", re.IGNORECASE)
_LEFT_OPEN = re.compile(
    r"\b(?:would|will|['’]d|['’]ll|could|might|may)\s+(?:(?:probably|likely|also|surely|then|well|all|just)\s+)*"
    r"(?:have to|need|change|vary|affect|not|differ|shift|decide|choose|review|reconsider|rethink|think|"
    r"(?:move|see|ask)\W*$|"
    r"be (?:(?:all|back|up|wide|decided|settled|arranged|chosen|set|fixed|worked out|negotiated|agreed|looked at)\b|"
    r"different|review|reconsider|renegotiat|reopen|open|off|void|unclear|another|some|elsewhere))|"
    r"\b(?:(?:no|any) (?:idea|clue)|don['’]t know|doubt|dunno|not sure|who knows|"
    r"(?:can['’]t|cannot|couldn['’]t) (?:say|tell)|no telling|anyone['’]s guess|(?:have|has) no (?:say|view)|"
    r"all (?:open|bets)|(?:from|back to) (?:zero|scratch|square one)|anew|afresh|over again|all over|up for|"
    r"anything|whatever|something else|somewhere else|"
    r"new decision|who(?:ever)?\b.{0,50}\b(?:says?|decides?|picks?|chooses?|sets?|can change))\b",
    re.IGNORECASE,
)
_NEWS = re.compile(
    r"\b(?:now|nowadays|no longer|any ?more|instead|these days|"
    r"(?:from|since|starting)\s+(?:now|today|this|next|here|last|\w+day)|as of|new|just|this (?:week|month|year))\b",
    re.IGNORECASE,
)
_TOO = re.compile(
    r"^And\b|\btoo\b(?!\s(?!now|and|but|since|because|so|if|for|from|with|in|at|on|this|last)[a-z])|"
    r"\b(?:also|as well|another|besides|an? (?:second|third|fourth)|both|(?:one|two|three|some) more|in addition|"
    r"so (?:has|have|is|are|do|does|did|was|were|can)|added to|onto|in there|in (?:its|their|his|her) (?:place|stead)|"
    r"(?:taken?|took|crossed|struck|come|came|is|are|gone|went|got) (?:\w+ ){0,4}(?:off|out of) (?:it|the|my|our))\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\bif (?:i|we|only|you)\b(?:(?!\b(?:change|switch)).)*?\b(?:ever|won|were)\b|\bhypothetical|\bimagine\b",
    re.IGNORECASE,
)
# `do i eat meat`: a question without its mark, unless it supposes something, as `were we to go, ...`
_INVERTED = re.compile(
    r"(?:(?:do|does|did|am|is|are|was|have|has|can|could|will|would)(?:n['’]?t)?\s+(?:i|we|you|he|she|it|they|there)|"
    r"(?:does|did|is|are|was|has)\s+(?:my|our|the|his|her|(?-i:[A-Z])\w+))\s+\w+[^,;.]*$",
    re.IGNORECASE,
)
_NAMES_AFTER = re.compile(r"^\W*wh(?:at|ich|o)\b[^:?]{4,60}:\s+[^?]*(?:,|\band\b)[^?]*$", re.IGNORECASE)
_SMALL_I = re.compile(r"\bi\b")
# Without those that people are called by as well.
_DAYS = "monday tuesday wednesday thursday friday saturday sunday easter christmas"
_CALENDAR = frozenset(f"{_DAYS} january february march july september october november december".split())
_CLAUSES = re.compile(r"[,;]\s+|\s+(?:and|but)\s+")
_ALTERED = re.compile(
    r"\b(?:different|another|other|new|changes?|changed|if|with|when|once|any|else|should|ever)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Utterance:
    """A *message* of the owner's and where it stands; *when* is ISO 8601. Of several the later counts."""

    message: str
    when: str
    path: str = ""
    start_line: int = 0
    end_line: int = 0


def utterances_in(hits: Iterable[Hit], read: Callable[[str], Page | None]) -> list[Utterance]:
    """The owner's messages among *hits* in conversations; *read* gives a page as it is now."""
    found: dict[Utterance, None] = {}
    for hit in hits:
        if hit.speaker is not None:
            if hit.speaker.lower() == "user":
                found[Utterance(hit.text, hit.when or "", hit.path, hit.start_line, hit.end_line)] = None
            continue
        page = read(hit.path)  # several turns that belong together
        for turn in parse_journal(page) if page else ():
            if turn.speaker == "user" and hit.start_line <= turn.end_line and turn.start_line <= hit.end_line:
                found[Utterance(turn.text, turn.when, hit.path, turn.start_line, turn.end_line)] = None
    return list(found)


@dataclass(frozen=True)
class Said:
    """The *nth* sentence of a *telling*, and the place of that among all."""

    text: str
    telling: Utterance
    place: int
    nth: int = 0

    @property
    def order(self) -> tuple[int, int]:
        """By what it is put among others: its telling, then where in that it stands."""
        return self.place, self.nth

    @property
    def is_conditional(self) -> bool:
        """Whether it says what would follow from what."""
        return is_conditional(self.text)

    @property
    def is_tie(self) -> bool:
        """Whether it says on what something hangs."""
        return _TIES.search(self.text) is not None

    @property
    def may_tie(self) -> bool:
        """Whether it may say so, as by a reason."""
        return self.is_tie or _MAY_TIE.search(self.text) is not None

    @property
    def is_supposed(self) -> bool:
        """Whether it only plays with a thought."""
        return _SUPPOSED.search(self.text) is not None

    @property
    def is_of_others(self) -> bool:
        """Whether it tells of what others do or have, and not of what they do for the speaker."""
        return bool(self.others)

    @property
    def others(self) -> str:
        """The words that say of which others it tells; none where it tells of the speaker's own."""
        m = _OF_OTHERS.search(self.text)
        return m[0] if m is not None and not _WITH_US.search(self.text[m.end() :]) else ""

    @property
    def adds(self) -> bool:
        """Whether what it tells joins what was told before."""
        return joins(self.text)

    def alone(self) -> Utterance:
        """The telling with this sentence only."""
        return replace(self.telling, message=self.text)


@lru_cache(maxsize=4096)
def sentences_of(message: str) -> tuple[Sentence, ...]:
    """The sentences of *message*, cut where one tells a second thing, or goes on to say what would follow."""
    return tuple(replace(one, text=part) for one in sentences(message) for part in _parts(one.whole))


def _parts(text: str) -> list[str]:
    """*text* cut between clauses that each tell something by themselves; a condition keeps what follows from it."""
    goes_on = _GOES_ON.search(text)
    if goes_on is not None and goes_on.start() > 12 and is_conditional(goes_on[1]):
        told = text[: goes_on.start()]
        if not is_conditional(told):
            return [*_parts(told), *_parts(goes_on[1])]
    parts, last = [], 0
    for cut in _CUTS.finditer(text):
        left, right = text[last : cut.start()].strip(), text[cut.end() :].strip()
        waits = _SURELY_IF.search(left) is not None and not _WOULD.search(left)  # for what would follow
        firmly = cut[0].strip() in _FIRM and len(left.split()) > 2
        if not waits and (firmly or tells_by_itself(left)) and tells_by_itself(right):
            parts.append(left)
            last = cut.end()
    return [*parts, text[last:].strip()]


@lru_cache(maxsize=8192)
def tells_by_itself(text: str) -> bool:
    """Whether *text* begins with a clause that tells something by itself."""
    if _EQUALS.search(text):
        return True
    first = next(iter(parse(text)), None)
    return (
        first is not None
        and first.subject is not None
        and first.verb is not None
        and first.verb.tense != "bare"
        and first.mood == "declarative"
        and not first.link
        and not _BEGINS_A_CONDITION.search(text)
        and not _POINTS_BACK.match(text)
    )


@lru_cache(maxsize=8192)
def is_conditional(text: str) -> bool:
    """Whether *text* says what would follow from what."""
    would = _WOULD.search(text) is not None
    if would and _IF.search(text):
        return True
    if _SURELY_IF.search(text):
        return would or not _WAS_WHEN.match(text)
    if _noted_outcome(text) is not None:
        return True
    then = _AND_THEN.search(text)
    if then is None:
        return False
    return any(t.tag in ("VB", "VBP") for t in tag(text)[:1]) or _TOO_MUCH.match(text) is not None


def _noted_outcome(text: str) -> re.Match[str] | None:
    """Where a note goes from what supposes something to what follows; None where *text* is no such note."""
    m = _NOTED.search(text)
    if m is None or not text[m.end() :].strip():
        return None
    told = text[: m.start()].rsplit(":", 1)[-1]
    verbs = [clause.verb for clause in parse(told) if clause.verb is not None]
    supposes = any(verb.tense != "past" for verb in verbs) or (m["arrow"] and not verbs and len(told.split()) > 1)
    return m if supposes or _TOO_MUCH.match(told) else None


def condition(text: str) -> str:
    """The part of a conditional *text* that comes before what follows, or after it where that is told first."""
    if (noted := _noted_outcome(text)) is not None:
        return text[: noted.start()]
    m = _SURELY_IF.search(text) or _IF.search(text)
    then = _AND_THEN.search(text)
    if then is not None and (m is None or _TOO_MUCH.match(text)):
        return text[: then.end()].rsplit(" and ", 1)[0]
    if m is None:
        return text
    would = _WOULD.search(text)
    if would is not None and would.start() < m.start():
        return text[m.start() :]
    ends = [at for at in (text.find(",", m.start()), would.start() if would else -1) if at > m.start()]
    return text[: min(ends)] if ends else text


def unaltered(text: str) -> str:
    """*text* without the words that say that something is another: `with a different judge` -> `a judge`."""
    return _ALTERED.sub(" ", text)


def after_tie(text: str) -> str:
    """What follows the words in *text* that say on what something hangs; nothing where there are none."""
    m = _TIES.search(text) or _MAY_TIE.search(text)
    return text[m.end() :] if m else ""


def is_done_by_others(text: str) -> bool:
    """Whether *text* tells of somebody else's doing that has nothing to do with the speaker."""
    return _OTHERS_DO.match(text) is not None


def joins(text: str) -> bool:
    """Whether what *text* tells joins what was told before, or leaves it."""
    return _TOO.search(text) is not None


def is_left_open(text: str) -> bool:
    """Whether *text* says that something would follow, but not what."""
    return _LEFT_OPEN.search(text) is not None


@lru_cache(maxsize=8192)
def is_news(message: str) -> bool:
    """Whether *message* tells that something became so, rather than that it is so."""
    return _NEWS.search(message) is not None or any(
        c.verb is not None and (c.verb.tense == "past" or c.verb.aspect == "perfect") and not c.verb.modal
        for c in parse(message)
    )


@lru_cache(maxsize=8192)
def is_measured(text: str) -> bool:
    """Whether *text* names a number, an amount or a time."""
    return MEASURED.search(text) is not None or any(t.tag == "CD" or t.text[:1].isdigit() for t in tag(text))


@lru_cache(maxsize=8192)
def asks(text: str) -> bool:
    """Whether *text* is a question, with or without its mark, or asks the assistant for something: `Tell me a joke`."""
    if text.lower().startswith("how to "):
        return True
    if _INVERTED.match(text):
        return True
    if "?" not in text and (_TIES.search(text) or _NAMES_AFTER.search(text)):
        return False  # "Which inn we meet at depends on the landlord", "What we still need: milk and bread"
    first = next(iter(parse(_SMALL_I.sub("I", text))), None)
    return first is not None and (first.mood == "question" or (first.mood == "imperative" and is_question(text)))


_WORK = re.compile(
    r"^\W*(?:(?:now|ok|okay|please|then|also|and|next|great|thanks)\b[\s,]*)*"
    r"(?:give|write|rate|use|make|remember|create|generate|list|tell|show|explain|rewrite|add|describe|summari[sz]e|"
    r"translate|suggest|act|continue|provide|let['’]s|can you|could you|help)\b",
    re.IGNORECASE,
)


def asks_for_work(message: str) -> bool:
    """Whether *message* gives the assistant something to do, and so tells no news: `Now give me 20 ways to do it`."""
    return _WORK.search(message) is not None


def clause_about(text: str, asked: frozenset[str]) -> str:
    """The clause of *text* with the most words of *asked*, where it has several; *text* where none has any."""
    found = max(_CLAUSES.split(text), key=lambda one: len(families(one) & asked))
    return found if families(found) & asked else text


@lru_cache(maxsize=8192)
def names(text: str) -> frozenset[str]:
    """The names in *text*, in small letters; those of days and months, which tell nobody apart, left out."""
    found = (t.text.lower().removesuffix("'s").removesuffix("’s") for t in tag(text) if t.tag.startswith("NNP"))
    return frozenset(name for name in found if len(name) > 1 and name.removesuffix("s") not in _CALENDAR)


families = lru_cache(maxsize=8192)(content)


def cause_of(inside: Sequence[Said], told: Iterable[Said]) -> str:
    """
    The words of a message (*inside*: its sentences) that may say on what something hangs: of what is asked itself
    (*told*) what follows the tie, of a condition all but what would follow, all of the rest.
    """
    asked = set(told)
    parts = []
    for one in inside:
        if one.is_conditional:
            parts.append(condition(one.text))
        elif one in asked:
            parts.append(after_tie(one.text))
        else:
            parts.append(one.text)
    return " ".join(parts).strip()


def conditions_in(inside: Sequence[Said]) -> str:
    """The conditions that a message names."""
    return " ".join(condition(one.text) for one in inside if one.is_conditional)
