"""
What a message of the owner says that memory should keep: text -> statements, by pattern, for English.

Only declarative sentences of the speaker's own count. Questions, hypotheticals, negations, quoted or pasted text, code
and tasks for the assistant give nothing. Statements name facts in the speaker's words; `linking` finds the facts meant.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_store.clauses import is_list, parse_clause
from memory_store.conditions import holds_for_a_while
from memory_store.deletions import find_deletion
from memory_store.doing import RATHER_NOUNS, verb_form
from memory_store.facts import same_value
from memory_store.familiar import Familiar
from memory_store.hanging import Hanging, find_hanging
from memory_store.mentions import PRONOUN, Mention
from memory_store.names import may_change
from memory_store.openly import MEASURED
from memory_store.phrases import clean_value, noun_phrase, specific, stems
from memory_store.predicates import trade_and_place
from memory_store.said import NAME, Said
from memory_store.sentences import Sentence, clauses, sentences, speaks_of_a_text, undress
from memory_store.statement import Kind, Statement
from memory_store.succession import Succession, find_succession
from memory_store.ties import (
    Tie,
    circumstance,
    find_ties,
    holds_while,
    is_one_part,
    reason_given,
    told_loosely,
    without_reason,
)
from memory_store.verbatim import find_verbatim

__all__ = ["Statement", "extract"]


def extract(text: str, *, after: Sequence[Statement] = (), known: Familiar | None = None) -> list[Statement]:
    """
    The statements of *text*, one message of the owner, in the order in which they stand.

    *after*: what their message before told, which this one may correct: `No, it's teal`. *known*: the facts by whose
    names and values it may speak of them; it learns what *text* tells.
    """
    verbatim, rest = find_verbatim(text)
    found = [verbatim] if verbatim else []
    told = sentences(rest)
    reader = _Reader(foreign=speaks_of_a_text(rest), after=after, known=known or Familiar(), asks="?" in rest)
    for sentence in told:
        new = reader.read(sentence)
        new = [*reader.overtaken(new), *new]
        if any(s.kind == "deletion" for s in new):
            # what is to be forgotten was repeated only to name it
            gone = {(s.attribute, s.value) for s in new}
            found = [s for s in found if (s.attribute, s.value) not in gone]
        found += new
    return found


class _Reader:
    """Reads sentences in order and remembers what the last one spoke of."""

    def __init__(self, *, foreign: bool, after: Sequence[Statement] = (), known: Familiar, asks: bool) -> None:
        self.foreign = foreign
        self.known = known
        self.after = after
        self.last: list[Statement] = []
        self.before = ""
        self.asks = asks
        self.was: list[Statement] = []  # told as past; it counts where the same message tells what came after it
        self.told: set[str] = set()  # words of the sentences so far
        self.ended: Statement | None = None  # what ended, waiting for what follows it

    def read(self, sentence: Sentence) -> list[Statement]:
        deletion = find_deletion(sentence, self.last, self.before)
        self.before = sentence.text
        if deletion is not None:
            # what is to be forgotten must not be learned first
            return [deletion]
        if (
            self.foreign
            or re.search(r"\bhypothetical", sentence.text, re.IGNORECASE)
            or (sentence.asks and not sentence.text.startswith("Should "))
        ):
            self.last = []
            return []
        found = self._declared(sentence)
        if found:
            self.last = found
        for statement in found:
            if statement.attribute and not statement.echo and statement.kind not in ("dependency", "rule", "end"):
                self.known.add(statement.attribute, statement.value)
        self.told |= set(stems(sentence.text))
        return found

    def overtaken(self, new: Sequence[Statement]) -> list[Statement]:
        """What was told to have been so before, now that *new* tells what is so instead."""
        found: list[Statement] = []
        for past in list(self.was):
            later = next(
                (n.attribute for n in new if n.value and n.attribute and may_change(n.attribute, past.attribute or "")),
                None,
            )
            if later is None or any(s.value == past.value for s in new):
                continue
            self.was.remove(past)
            if len(self.known.values.get(later, [])) <= 1:
                found.append(replace(past, attribute=later, about=Mention(later, value=past.value)))
        return found

    def _declared(self, sentence: Sentence) -> list[Statement]:
        text, news = undress(sentence.text)
        corrected = _correction(sentence, self.last) if self.last else _correction_of_before(sentence, self.after)
        corrected = corrected or ([] if self.last else _correction(sentence, []))
        if corrected:
            return corrected
        if holds_for_a_while(text):
            return []
        if self.was and (m := _NOW_IT_IS.match(text)) and (value := clean_value(m["v"])[0]) and specific(value):
            past_one = self.was[-1]
            return [
                replace(
                    past_one, kind="change", value=value, span=(sentence.start, sentence.end), sentence=sentence.whole
                )
            ]
        if (past := _WAS.match(text)) and (np := noun_phrase(past["np"])) and (value := clean_value(past["v"])[0]):
            done = verb_form(value.split()[0])
            if (not _SAYS_HOW.match(value) or specific(value)) and not (
                done is not None and done[1] in ("past", "ing")
            ):
                self.was.append(
                    _statement(
                        Said(np, re.sub(r"^an?\s+.*?\b(?:called|named|by the name of)\s+", "", value), "we"), sentence
                    )
                )
        held = holds_while(text)
        ties, main = find_ties(text) if held is None else ([], None)
        whole = is_one_part(text)
        if (whole or not ties) and (hanging := find_hanging(text, self.known)):
            return [_hung(one, sentence) for one in hanging]
        if succession := find_succession(text, self.known):
            return [_succeeded(succession, sentence)]
        found: list[Statement] = []
        if main is not None or not ties:
            main = main if main is not None and ties else held or without_reason(text)
            found = self._stated(sentence, main, news, loose=bool(ties))
        if not ties and not found and (loosely := told_loosely(text)):
            ties = [loosely]
        if not ties and found and (reason := reason_given(text) or circumstance(text)) is not None:
            why = {s.attribute for s in self.known.spots(reason)} - {s.attribute for s in found}
            if len(why) == 1:
                ties = [Tie(PRONOUN, (Mention(why.pop()),))]
        for tie in ties:
            effect = tie.effect
            if effect.pronoun:
                of = next((s for s in reversed(found) if s.value), None) or next(
                    (s for s in reversed(self.last) if s.value), None
                )
                if of is None:
                    continue
                effect = Mention(of.attribute, value=of.value, certain=True)
            found.append(_tied(tie, effect, sentence))
        return found

    def _stated(self, sentence: Sentence, text: str, news: bool, *, loose: bool = False) -> list[Statement]:
        found: list[Statement] = []
        parts = [text] if is_list(text) else [told for part in clauses(text) for told in trade_and_place(part)]
        earlier = ""
        for i, part in enumerate(parts):
            bare, more_news = undress(part)
            news = news or more_news
            said = self._clause(
                bare, earlier, found, whole=text if i == 0 else None, loose=loose, last=i == len(parts) - 1
            )
            if said is None:
                news = news or bool(re.search(r"\b(?:switched|changed|update|moved|new)\b", part, re.IGNORECASE))
                earlier = part
                continue
            earlier = part
            if said.weak and not sentence.short:
                continue
            if (
                said.weak
                and said.verb
                and said.loose
                and (not sentence.ours or said.attribute[:1].isupper())
                and not self._is_known(said.attribute)
            ):
                continue
            twin = next((s for s in found if s.value and s.value == said.value), None)
            if (
                twin is not None
                and (twin.verb or twin.loose or (twin.attribute or "").endswith(" recipient"))
                and said.attribute
                and not said.verb
            ):
                # "Ruth is marrying us, so Ruth is our officiant": the noun names it better than the verb
                found.remove(twin)
            elif twin is not None or any(s.attribute == said.attribute and said.attribute for s in found):
                continue
            if news and not said.also:
                said = replace(said, change=True)
            if said.echo and self._is_personal(said, sentence):
                said = replace(said, echo=False)
            statement = _statement(said, sentence)
            if statement.kind == "end":
                self.ended = statement
                found.append(statement)
                continue
            if self.ended is not None and statement.old is None:
                # "My X is over. I now have Y": the new value takes the place of the ended one
                statement = replace(
                    statement, old=self.ended.old, kind="change" if statement.kind == "state" else statement.kind
                )
            self.ended = None
            found.append(statement)
            if (
                i == 0
                and said.value
                and len(parts) > 1
                and said.value in text
                and any(said.value.endswith(p) for p in parts[1:])
            ):
                break
        return found

    def _is_personal(self, said: Said, sentence: Sentence) -> bool:
        """Whether a label without an owner is likely the speaker's: what they speak of has come up, or is theirs."""
        first, value = said.attribute.split()[0], said.value or ""
        if not sentence.short or (verb_form(first) is not None and first not in RATHER_NOUNS):
            return False
        if "," in value and re.search(r"\b(?:i|we|my|our)\b[^:]*:", sentence.text, re.IGNORECASE):
            return True  # several things under a label of one's own
        if re.match(r"(?:an?|one)\s(?!.*\d)", value) or re.search(r"\s(?:the|a|an)\s", said.attribute):
            return False  # of what sort it is
        if self._is_familiar(said.attribute) or (
            sentence.ours and (" " in said.attribute or re.match(r"(?:in|at|on|behind|under|by)\s", value))
        ):
            return True
        if ":" in sentence.text:
            # a code under its label
            return (
                bool(self.known.values)
                and len(value.split()) == 1
                and re.search(r"\d", value) is not None
                and len(said.attribute.split()) >= 2
            )
        if re.search(r"\s(?:of|in)\s", said.attribute):
            return False
        told = specific(value) or MEASURED.search(value) is not None
        few = 2 <= len(said.attribute.split()) <= 5 and len(sentence.text.split()) <= 24
        named = re.fullmatch(NAME, value) is not None or re.fullmatch(r"\S*\d\S*(?:\s[a-z]+)?", value) is not None
        return (sentence.ours or bool(self.known.values) or (named and not self.asks)) and told and few

    def _is_known(self, attribute: str) -> bool:
        """Whether *attribute* names something in a fact that is known."""
        words = set(stems(attribute))
        return any(words & set(stems(known)) for known in self.known.values) or bool(self.known.spots(attribute))

    def _is_familiar(self, attribute: str) -> bool:
        """Whether something in *attribute* was spoken of before: in a fact that is known or in this message."""
        return bool(set(stems(attribute)) & self.told) or self._is_known(attribute)

    def _clause(
        self, text: str, earlier: str, found: list[Statement], *, whole: str | None, loose: bool, last: bool
    ) -> Said | None:
        previous = found[-1] if found else (self.last[-1] if self.last else None)
        if m := _ANAPHOR_NAMED.match(text) or (_NAMED_ONLY.match(text) if earlier and last else None):
            groups = m.groupdict()
            named = (groups["np"] or groups.get("np2") or "").rstrip(". ")
            if groups["np"] is None and not (found and found[-1].verb):
                return None
            np = noun_phrase(named) if re.match(r"[a-z]|[A-Z]{2,4}\s[a-z]", named) else None
            value = found[-1].value if found else _last_name(earlier)
            doer = None if _BY_NAME.search(earlier) else _DOER.match(earlier)
            person = bool(_OF_PERSON.match(text))
            if doer and (person or not value or (value and not specific(value)) or value == earlier):
                # "Ruth paints our windows, she's our illustrator": the one who does it is meant
                value = doer["n"]
                if found and found[-1].value:
                    found.pop()
            if (
                value
                and (name := _last_name(earlier))
                and name != value
                and name in value
                and specific(name)
                and found
                and found[-1].verb
                and not name.endswith("day")
            ):
                value = name
            if found and found[-1].attribute and f"{value} {found[-1].attribute}" in earlier:
                # "the 85mm prime, it's my favourite lens"
                value = f"{value} {found.pop().attribute}"
            if np and found and not found[-1].attribute and found[-1].value:
                # "I traded my X for a Y, so that's my camera now"
                found[-1] = replace(found[-1], attribute=np, about=Mention(np, value=found[-1].value))
                return None
            if np and value:
                if found and found[-1].verb:
                    found.pop()
                change = bool(re.search(r"\b(?:new|now)\b", text))
                return Said(np, value, "i" if (m["o"] or "").lower() == "my" else "we", change=change)
        if m := _ANAPHOR_IS.match(text):
            np = _subject_of(earlier)
            value, _ = clean_value(m["v"])
            if np and value and len(value.split()) <= 8:
                return Said(np, value, "we", change=True)
            return None
        if (m := _NEW_ONE.match(text)) and (np := _subject_of(earlier)):
            value, _ = clean_value(m["v"])
            return Said(np, value, "we", change=True) if value else None
        if (m := _AM_ON.match(text)) and (np := _subject_of(earlier)):
            value, _ = clean_value(m["v"])
            return Said(np, value, "i", change=True) if value and specific(value) else None
        if (m := _REPLACED_IT.match(text)) and (np := _subject_of(earlier)):
            value, _ = clean_value(m["v"])
            return Said(np, value, "we", change=True) if value else None
        if re.match(r"^now\s+(?:get|use|have|take|buy|go|live|work|do|run|order|drive)\b", text):
            text = "we " + text
        said = parse_clause(text, loose=loose or (self.ended is not None and bool(found)))
        if said is None and whole is not None and whole != text:
            said = parse_clause(whole, loose=loose)
        if said is None:
            shorter = re.sub(
                r"^[^,:—]{2,40}(?:,|:|\s—)\s+(?=(?:my|our|the|i|we|i['’]m|we['’]re|i['’]ve|we['’]ve)\b)",
                "",
                text,
                flags=re.IGNORECASE,
            )
            if shorter != text and not re.match(
                r"^(?:if|when|once|unless|whenever|should|although|though|would|could|can|what|how|why|do|does|is|are|imagine|suppose|she|he|they|you)\b",
                text,
                re.IGNORECASE,
            ):
                said = parse_clause(shorter)
        if said is not None and previous is None and said.ends and not said.old:
            return None
        return said


_ANAPHOR_NAMED = re.compile(
    r"^(?:(?:and|so)\s+)?(?:(?:that|this|it|which|who|he|she|they|those|these)(?:['’]s|\s+is|\s+are|\s+would be|['’]re|\s+will be)|call(?:ed)? (?:it|that|this)|i call (?:it|that)|we call (?:it|that))\s+(?:now\s+|also\s+|just\s+)*"
    r"(?:(?P<o>my|our|the)\s+(?P<np>[^,;:]+)|(?P<np2>[a-z]+(?:[ -][a-z]+){0,2}))$",
    re.IGNORECASE,
)


_DOER = re.compile(
    rf"^(?!(?:I|We|You|It|They|He|She|This|That|There|My|Our|The|A|An)\b)(?P<n>{NAME})\s+(?:(?:is|are|will|has|have|was)\s+)?(?!(?:is|are|was|of|and)\b)[a-z]+(?:s|ed|ing|es|e|[a-z])?\b(?!$)"
)
_BY_NAME = re.compile(rf"\b(?:by|with|from|to|at|for)\s+(?:the\s+)?{NAME}$")
_OF_PERSON = re.compile(r"^(?:(?:and|so)\s+)?(?:he|she|they|who)\b", re.IGNORECASE)


_NAMED_ONLY = re.compile(r"^(?P<o>my|our)\s+(?P<np>[a-z][a-z -]*)\.?$", re.IGNORECASE)


_ANAPHOR_IS = re.compile(
    r"^(?:it|that)(?:['’]s|['’]ll be|\s+is|\s+will be)\s+(?:going to be\s+|now\s+)*(?P<v>.+)$", re.IGNORECASE
)


_AM_ON = re.compile(r"^(?:I['’]m|we['’]re|I am|we are)\s+(?:now\s+)?(?:on|with|using|at)\s+(?P<v>.+)$", re.IGNORECASE)


_NEW_ONE = re.compile(
    r"^(?:(?:and|so)\s+)?(?:the|our|my)\s+(?:new|next|current|other)\s+one(?:['’]s|\s+is)(?:\s+(?:called|named))?\s+(?P<v>.+)$",
    re.IGNORECASE,
)


_REPLACED_IT = re.compile(
    r"^(?:i|we)(?:['’]ve|\s+have)?\s+(?:just\s+)?(?:replaced|swapped|exchanged|upgraded)\s+(?:it|that|them|him|her)\s+(?:with|for|by|to)\s+(?P<v>.+)$",
    re.IGNORECASE,
)


_VERB_AHEAD = r"(?:(?:has|have|just|finally|recently|got)\s+)*(?:[a-z]+ed|is|was|went|has|had|fell|broke|sold|died|lost|took|made|said|let|left|gave|ran|shut|burnt|quit|got|came|blew|sank|became)\b"


def _subject_of(text: str) -> str | None:
    """What *text* is about: `our venue` in `our venue fell through`, `camera` in `I switched cameras`."""
    if m := re.match(
        r"^(?:(?:I|[Ww]e)(?:['’]ve)?\s+(?:changed (?:our|my) minds?|had second thoughts|have (?:some )?news|went back and forth|reconsidered|had to change plans)\s+(?:about|on|for)|"
        rf"(?:[Tt]he\s+)?{NAME}\s+(?:fell through|cancell?ed(?: on us)?|dropped out|backed out|said no|quit|bailed|is out|didn['’]t work out)\s+(?:as|for))\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*)$",
        text,
    ):
        return noun_phrase(m["np"])
    if m := re.match(rf"^(?:my|our|the)\s+(?:old\s+)?(?P<np>[a-z][a-z -]*?)\s+{_VERB_AHEAD}", text, re.IGNORECASE):
        return noun_phrase(m["np"])
    if m := re.match(
        r"^(?:I|we)(?:['’]ve|\s+have)?\s+(?:just\s+)?(?:switched|changed|swapped|moved)\s+(?P<np>[a-z]+(?:\s[a-z]+)?)s$",
        text,
        re.IGNORECASE,
    ):
        return noun_phrase(m["np"])
    return None


def _last_name(text: str) -> str | None:
    """The object that *text* ends with: a name, or what follows its last preposition or verb of doing."""
    if m := re.match(r"^it['’]s\s+(?P<v>[A-Z][\w'’.&-]*(?:\s+[A-Z0-9][\w'’.&-]*)*)", text, re.IGNORECASE):
        return re.sub(r"\s[a-z].*$", "", m["v"])
    if m := re.match(r"^[Ii]t['’]s\s+(?P<v>[A-Z][\w'’.&-]*(?:\s+[A-Z0-9][\w'’.&-]*)*)", text):
        return m["v"]
    value, _ = clean_value(text)
    if value is None:
        return None
    if m := re.search(
        r"\b(?:at|in|on|with|from|through|via|by)\s+(?P<v>the\s+[A-Z][\w'’.&-]*(?:\s+[A-Z0-9][\w'’.&-]*)*\s+[a-z]+)$",
        value,
    ):
        return m["v"]
    if m := re.search(
        r"(?<![\w-])(?P<v>[A-Z][\w'’.&-]*(?:\s+(?:&\s+)?[A-Z0-9][\w'’.&-]*)*)(?:\s+[a-z]+){0,3}$", value[1:]
    ):
        if m.start() > 0:
            return m["v"]
    if m := re.search(r"(?:^|\s)(?P<v>[£$€]?\d[\w.,:/-]*(?:\s[a-z]+)?|\S*\d\S*)$", value):
        return m["v"]
    if m := re.search(
        r"^.*\b(?:at|in|on|to|into|with|from|through|via|by|do|use|take|eat|drink)\s+(?P<v>(?:the\s+|an?\s+)?[^\s].{0,40})$",
        value,
    ):
        return m["v"]
    if (m := re.match(r"^(?:we|i)(?:['’]re|['’]m|\s+are|\s+am)?\s+[a-z]+\s+(?P<v>.+)$", value, re.IGNORECASE)) and len(
        m["v"].split()
    ) <= 5:
        # "we're open ten to six"
        return m["v"]
    return None


def _statement(said: Said, sentence: Sentence) -> Statement:
    kind: Kind = "end" if said.ends else "add" if said.also else "change" if said.change else "state"
    return Statement(
        kind,
        Mention(None if said.verb else said.attribute or None, said.attribute if said.verb else None, said.value),
        attribute=said.attribute or None,
        value=said.value,
        old=said.old,
        subject=said.subject,
        verb=said.verb,
        loose=said.loose,
        weak=said.weak,
        echo=said.echo,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def _hung(hanging: Hanging, sentence: Sentence) -> Statement:
    return Statement(
        "dependency" if hanging.becomes is None else "rule",
        Mention(alias=hanging.effect) if hanging.by_verb else Mention(hanging.effect),
        attribute=hanging.effect,
        value=hanging.becomes,
        depends_on=(Mention(hanging.cause),),
        trigger=hanging.trigger,
        when_value=hanging.value,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def _succeeded(succession: Succession, sentence: Sentence) -> Statement:
    return Statement(
        "change",
        Mention(succession.attribute, value=succession.value),
        attribute=succession.attribute,
        value=succession.value,
        old=succession.old,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def _tied(tie: Tie, effect: Mention, sentence: Sentence) -> Statement:
    return Statement(
        "dependency" if tie.becomes is None else "rule",
        effect,
        attribute=effect.name or effect.alias,
        value=tie.becomes,
        depends_on=tie.causes,
        weak=effect.within is not None,
        trigger=tie.trigger,
        when_value=tie.value,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


_NOW_IT_IS = re.compile(r"^(?:now\s+)?(?:it|he|she|that)(?:['’]s|\s+is)\s+(?:now\s+)?(?P<v>.+)$", re.IGNORECASE)
_WAS = re.compile(
    r"^(?:(?:my|our|the)\s+)?(?P<np>[a-zA-Z][a-z-]*(?:\s+[a-z][a-z-]*){0,4})\s+(?:was|were|used to be)\s+(?P<v>.+?)(?:\s+(?:until|till|since|for|before|at first|first)\b.*)?$"
)
_CORRECTS = re.compile(
    r"^(?:(?:no(?=[,.:;!—–-]|\s+(?:it|that|this|he|she|they|wait|sorry|actually|i)\b)|nope|wait|sorry|oops|actually|hmm|hm|correction|i mean|i meant|my mistake|my bad|apologies|i misspoke|i made a mistake|that['’]s (?:wrong|not right|incorrect)|not quite|ah|oh|well|rather|scratch that)\b[\s,:;.!—–-]*)+"
    r"(?:(?:it|that|this|he|she|they)(?:['’]s|\s+is|\s+are|\s+was|\s+should (?:be|have been)|['’]re)\s+(?:actually\s+|really\s+|supposed to be\s+)?)?(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


_CUE = re.compile(
    r"^(?:no(?=[,.:;!—–-]|\s+(?:it|that|this|he|she|they|wait|sorry|actually|i)\b)|nope|wait|sorry|oops|correction|i meant?|my mistake|my bad|i misspoke|i made a mistake|that['’]s (?:wrong|not right|incorrect)|not quite|scratch that)\b",
    re.IGNORECASE,
)


def _correction(sentence: Sentence, last: list[Statement]) -> list[Statement]:
    """`No, it's V`, `I meant V`, `Correction: my X is V`: the value told before was never true."""
    whole = sentence.text
    if not _CUE.match(whole) and not re.match(r"^actually,?\s+(?:it|that)(?:['’]s|\s+is)\b", whole, re.IGNORECASE):
        return []
    m = _CORRECTS.match(whole)
    if m is None:
        return []
    body = m["v"]
    said = parse_clause(undress(body)[0])
    if said is not None and said.value and said.attribute and not said.echo:
        return [replace(_statement(said, sentence), kind="correction")]
    of = next((s for s in reversed(last) if s.value), None)
    body = re.split(r",?\s+(?:not|rather than|instead of)\s+", body)[0]
    value, _ = clean_value(body)
    if (
        value is None
        or len(value.split()) > 6
        or re.match(
            r"(?:i|we|you|that|this|it|the|not|what|how|can|could|please|but|and|so|my|thanks?|problem|worries|need|no)\b",
            value,
            re.IGNORECASE,
        )
    ):
        return []
    if of is None and not specific(value):
        return []
    about = Mention(of.attribute, value=of.value, certain=True) if of else PRONOUN
    return [
        Statement(
            "correction",
            about,
            of.attribute if of else None,
            value,
            old=of.value if of else None,
            span=(sentence.start, sentence.end),
            sentence=whole,
        )
    ]


# Words for how things are, which people say of anything: no value that was meant instead of another.
_SAYS_HOW = re.compile(
    r"(?:all|almost|also|already|always|an?|the|about|at|in|on|to|for|from|of|too|very|so|still|fine|ok|okay|good|great|bad|better|best|wrong|"
    r"right|true|false|correct|enough|perfect|cool|nice|done|over|yes|no|not|just|only|me|you|him|her|them|us|mine|yours|hers|his|"
    r"up|here|there|nothing|something|really|quite|easy|hard|clear|\w+ing|\w+ed|\w+ly)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"^(?P<cue>(?:no|nope|wait|sorry|oops|actually|hmm?|ah|oh|well|correction|my mistake|my bad|i misspoke|that['’]s (?:wrong|not right|incorrect))\b[\s,:;.!—–-]*)*"
    r"(?:(?P<said>i meant|i mean|it['’]s|it is|it should be|it should have been|that['’]s|that should be|he['’]s|she['’]s|he is|she is)\s+(?:to say\s+)?(?:called\s+|named\s+|actually\s+|really\s+)?)?"
    r"(?P<v>[^,;:?]+?)(?:,?\s+(?:and\s+)?(?:not|rather than|instead of)\s+(?P<old>[^,;:?]+?))?[.!\s]*$",
    re.IGNORECASE,
)


def _correction_of_before(sentence: Sentence, after: Sequence[Statement]) -> list[Statement]:
    """
    `No, it's teal`, `I meant Max, not Rex`: one value instead of the one told in the message before.

    Where that is not named, only what is plainly said to be another value of the same form counts.
    """
    m = _INSTEAD.match(sentence.text)
    if m is None or not after or not (m["cue"] or m["said"]):
        return []
    value, _ = clean_value(m["v"])
    told = [s for s in after if s.value and s.attribute and s.kind not in ("deletion", "dependency", "rule", "end")]
    if m["old"]:
        told = [s for s in told if same_value(s.value, m["old"].strip())]
    elif not (m["cue"] and m["said"]) or value is None or _SAYS_HOW.match(value):
        return []
    if len(told) != 1 or value is None or len(value.split()) > 6 or same_value(value, told[0].value):
        return []
    of = told[0]
    if not m["old"] and _form(value) != _form(of.value or ""):
        return []
    return [
        Statement(
            "correction",
            Mention(of.attribute, value=of.value, certain=True),
            of.attribute,
            value,
            old=of.value,
            subject=of.subject,
            span=(sentence.start, sentence.end),
            sentence=sentence.whole,
        )
    ]


def _form(value: str) -> tuple[bool, bool]:
    """What tells values of two kinds apart at a glance: whether it holds a digit, whether it is a name."""
    return any(c.isdigit() for c in value), value[:1].isupper()
