"""Clauses that speak of what the clause before named: `that's our potter`, `the new one is Leo`, `we replaced it with X`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory_store.conditions import IF
from memory_store.doing import RATHER_NOUNS, is_done_to, verb_form
from memory_store.mentions import Mention
from memory_store.news import KIN
from memory_store.phrases import clean_value, noun_phrase, specific
from memory_store.said import NAME, PERSONAL_NAME, Said
from memory_store.statement import Statement
from memory_store.verbs import is_role, is_verbal

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
    r"^(?:it|that|they)(?:['’]s|['’]re|['’]ll be|\s+is|\s+are|\s+will be)\s+(?:going to be\s+|called\s+|now\s+)*(?P<v>.+)$",
    re.IGNORECASE,
)


_AM_ON = re.compile(r"^(?:I['’]m|we['’]re|I am|we are)\s+(?:now\s+)?(?:on|with|using|at)\s+(?P<v>.+)$", re.IGNORECASE)


_NEW_ONE = re.compile(
    r"^(?:(?:and|so)\s+)?(?:the|our|my)\s+(?:new|next|current|other)\s+one(?:['’]s|\s+is)(?:\s+(?:called|named))?\s+(?P<v>.+)$",
    re.IGNORECASE,
)


_VERB_AHEAD = r"(?:(?:has|have|just|finally|recently|got)\s+)*(?:[a-z]+ed|is|was|went|has|had|fell|broke|sold|died|lost|took|made|said|let|left|gave|ran|shut|burnt|quit|got|came|blew|sank|became)\b"


def _subject_before(text: str) -> str | None:
    """What *text* is about: `our venue` in `our venue fell through`, `camera` in `I switched cameras`."""
    if m := re.match(
        r"^(?:(?:[Bb]ig |[Gg]ood |[Ss]ome )?(?:[Nn]ews\s+|[Uu]pdate\s+|[Aa]n update\s+|[Aa] change\s+)?(?:about|on|for|of|regarding)|(?:I|[Ww]e)(?:['’]ve)?\s+(?:changed (?:our|my) minds?|had second thoughts|have (?:some )?news|went back and forth|reconsidered|had to change plans)\s+(?:about|on|for)|"
        rf"(?:[Tt]he\s+)?{NAME}\s+(?:fell through|cancell?ed(?: on us)?|dropped out|backed out|said no|quit|bailed|is out|didn['’]t work out)\s+(?:as|for))\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*)$",
        text,
    ):
        return noun_phrase(m["np"])
    if m := re.match(rf"^(?:my|our|the)\s+(?:old\s+)?(?P<np>[a-z][a-z '’-]*?)\s+{_VERB_AHEAD}", text, re.IGNORECASE):
        return noun_phrase(m["np"])
    if m := re.match(
        r"^(?:I|we)(?:['’]ve|\s+have)?\s+(?:just\s+|finally\s+)?(?:switched|changed|swapped|replaced|exchanged|moved|redone|renamed)\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*?)(?:\s+(?:last|this|again|recently|today|yesterday|on)\b.*)?$",
        text,
        re.IGNORECASE,
    ):
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


def by_pronoun(text: str, earlier: str, found: list[Statement], *, only_a_name: bool) -> tuple[bool, Said | None]:
    """
    What *text* says of what the clause *earlier* named, and whether it is such a clause at all.

    *found*, what the sentence stated so far, loses what *text* names better. *only_a_name*: *text* is no clause itself.
    """
    if m := _ANAPHOR_NAMED.match(text) or (_NAMED_ONLY.match(text) if only_a_name else None):
        groups = m.groupdict()
        named = (groups["np"] or groups.get("np2") or "").rstrip(". ")
        if groups["np"] is None and not (found and found[-1].verb):
            return True, None
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
            return True, None
        if np and value:
            if found and found[-1].verb:
                found.pop()
            change = bool(re.search(r"\b(?:new|now)\b", text))
            return True, Said(np, value, "i" if (m["o"] or "").lower() == "my" else "we", change=change)
    if m := _ANAPHOR_IS.match(text):
        np = _subject_before(earlier)
        value, _ = clean_value(m["v"])
        if np and value and len(value.split()) <= 8:
            return True, Said(np, value, "we", change=True)
        return True, None
    if (m := _NEW_ONE.match(text)) and (np := _subject_before(earlier)):
        value, _ = clean_value(m["v"])
        return True, Said(np, value, "we", change=True) if value else None
    if (m := _AM_ON.match(text)) and (np := _subject_before(earlier)):
        value, _ = clean_value(m["v"])
        return True, Said(np, value, "i", change=True) if value and specific(value) else None
    return False, None


# "if that changes", "should she leave", "once we replace it"
_IN_CONDITION = re.compile(
    rf"(?P<if>(?:^|[\s,;:—–]){IF}\s+)(?P<we>(?:i|we|they|you)\s+(?:(?:ever|have to|had to|need to|should|decide to|were to)\s+)?[a-z]+\s+)?"
    r"(?P<p>that|this|it|he|she|they|him|her|them)\b(?(we)|(?=['’]s\s|\s+(?!(?:we|i|you|they|he|she|it|our|my|the|this|that)\b)[a-z]+))",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(rf"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s)?{NAME}")


# "…, it would be renamed"
_IN_CONSEQUENCE = re.compile(
    rf"^{IF}\s[^,]+,\s+(?:then\s+)?(?P<p>that|this|it|they)(?=['’](?:ll|d)\s|\s+(?:will|would|shall|should|has|have|is|are|becomes?|changes?|moves?|goes|turns?|switch(?:es)?)\s)",
    re.IGNORECASE,
)


def with_names(text: str, told: Sequence[Statement], values: Mapping[str, Sequence[str]]) -> str:
    """*text*, where it is a condition, with names for its pronouns by what was *told* just before; *values*: what facts are."""
    if told and (m := _IN_CONSEQUENCE.match(text)) and (effect := told[-1].about.name or told[-1].about.alias):
        text = f"{text[: m.start('p')]}our {_subject(effect)}{text[m.end('p') :]}"
    if told and (m := _IN_CONDITION.search(text)) and (meant := _meant(m["p"].lower(), told[-1], values)):
        text = f"{text[: m.start('p')]}{meant}{text[m.end('p') :]}"
    return text


def _subject(attribute: str) -> str:
    """What *attribute* is about, without what is done to it or what it does: `sessions` for `sessions held in`."""
    words = attribute.split()
    for i, word in enumerate(words[1:], 1):
        form = verb_form(word)
        if is_done_to(word) or (form is not None and form[1] == "s" and word not in RATHER_NOUNS):
            return " ".join(words[:i])
    return attribute


def _meant(pronoun: str, last: Statement, values: Mapping[str, Sequence[str]]) -> str | None:
    """What *pronoun* stands for after *last*: the fact that it told, or the one on which it said that another hangs."""
    name, value = last.attribute, last.value
    if last.kind in ("dependency", "rule"):
        name = next((c.name or c.alias for c in last.depends_on if c.name or c.alias), None)
        value = next(iter(values.get(name or "", ())), None)
    if name is None:
        return None
    if value and pronoun in ("he", "she", "him", "her", "they", "them") and _SOMEBODY.fullmatch(value):
        return value
    if is_verbal(name) or is_role(name):
        return value
    return f"our {name}"


_OF_THEIRS = re.compile(r"^(?P<p>he|she|they|it)(?P<rest>['’]s\s|\s).+$|^(?P<o>his|her|their|its)\s", re.IGNORECASE)


def with_subject(text: str, before: Statement | None) -> str:
    """
    *text* with the name of whom, or what, its pronoun means where *before* told of one: `his number is …` after a
    plumber called Carlos as `Carlos's number is …`.
    """
    m = _OF_THEIRS.match(text)
    if m is None or before is None:
        return text
    person = (m["p"] or m["o"]).lower() not in ("it", "its")
    name = _somebody(before) if person else _something(before)
    if name is None:
        return text
    if m["o"]:
        return f"{name}'s {text[m.end() :]}"
    rest = re.sub(r"^['’]s(?=\s(?:an?|from)\s)", " is", text[m.end("p") :]) if person else text[m.end("p") :]
    if re.match(r"['’]s\s+(?:been|got|\w+ed|\w+ing)\b", rest) or (
        not person and re.match(r"['’]s|\s(?:is|was|will)\b", rest)
    ):
        return text
    return f"{name}{rest}"


def _somebody(statement: Statement) -> str | None:
    """Of whom *statement* told, as the subject of a sentence; None where of nobody who has a name or is kin."""
    attribute, value = statement.attribute or "", statement.value or ""
    if (m := re.match(rf"{PERSONAL_NAME}(?=['’]s\s|\s[a-z]+|$)", attribute)) and statement.subject != "i":
        return m[0]
    if (m := _WHO_DOES.match(attribute)) and statement.verb:
        return _owned(statement, m["np"])  # of whom the speaker says `she`
    if is_verbal(attribute) or is_role(attribute):
        return None
    if re.fullmatch(rf"(?:(?:Dr|Mr|Mrs|Ms)\.?\s)?{PERSONAL_NAME}", value):
        return value
    whose = _subject(re.sub(r"['’]s\s.*$", "", attribute))
    return _owned(statement, whose) if KIN.search(whose) else None


_WHO_DOES = re.compile(
    r"(?P<np>[a-z]+(?:er|or|ist|ian|man|woman|ant|ess|nny|tor|vet|nurse|coach|chef|cook))\s[a-z]+s(?:\s|$)"
)


def _something(statement: Statement) -> str | None:
    """The thing of which *statement* told, as the subject of a sentence; None where it is known by a verb alone."""
    attribute = statement.attribute or ""
    if not attribute.islower() or KIN.search(attribute) or is_verbal(attribute) or is_role(attribute):
        return None
    return _owned(statement, re.sub(r"\s(?:has|is|costs|expires)\b.*$", "", attribute))


def _owned(statement: Statement, noun: str) -> str:
    return f"{'my' if statement.subject == 'i' else 'our'} {noun}"
