"""Texts that are to be kept word for word."""

import re

from memory_store.mentions import Mention
from memory_store.pasted import own_words
from memory_store.phrases import noun_phrase
from memory_store.sentences import speaks_of_a_text
from memory_store.statement import Statement

_EXACTLY = re.compile(
    r"\b(?:keep|kept|save|store|preserve|remember|memori[sz]e|hold|note|copy|log|record|file|write|stay|leave|have|need|want)\w*\b[^.?!\n\"“:]{0,80}\b(?:exact(?:ly)?|as (?:it )?(?:is|stands)|unchanged|untouched|intact|unedited|to the comma|bang on|warts and all|typos and all|spelling and all)\b|"
    r"word[- ]for[- ]word|verbatim|to the letter|letter (?:for|by) letter|\bby heart\b|(?:memori[sz]e|remember|keep|store|learn|quote)\s+(?:it|this|that|them)\s+(?:literally|precisely|unaltered)|(?:says?|reads?|must (?:say|read)|goes),? (?:exactly|precisely|literally):|exactly as (?:it is|is|written|i (?:say|write|wrote|put) it|it stands|follows|given)|"
    r"(?:remember|memori[sz]e|keep|save|store|note|record|learn|write down)\b[^.?!\n\"“:]{0,60}\b(?:exact(?:ly)?|literally|unaltered)\b|"
    r"(?:remember|memori[sz]e|save|store|keep) (?:this|the following|these) (?:exact )?(?:text|quote|words?|lines?|sentences?|passage|paragraph|note|message|poem|error|log|wording)?\s*(?=:)|"
    r"\b(?:remember|memori[sz]e|keep|save|store)\b[^.?!\n]{0,50}\bquote\b|exact (?:words?|wording|text|quote)|without changing (?:a|any|one) (?:\w+ )?(?:word|letter|thing|comma)|(?:don['’]t|do not|never) (?:change|alter|touch|edit) (?:a|any|one|a single|the|its) (?:word(?:s|ing)?|letter|comma|thing|syllable|character)\b|exactly (?:like|as|the way) (?:this|that|i (?:write|wrote|type|say|put|have) it)\b|in (?:exactly|precisely) these words",
    re.IGNORECASE,
)


_PAYLOAD = re.compile(r"[\"“](?P<q>.+)[\"”]", re.DOTALL)


_STORES = re.compile(
    r"\b(?:remember(?:ed)?|memori[sz]ed?|preserved?|keep|kept|stored|saved|save|store|want (?:it|this|that|you)|need (?:it|this|you)|note|hold|know|record|learn|goes|reads|says|"
    r"is as follows|don['’]t (?:change|forget)|here(?:['’]s| is)|write (?:it|this) down)\b",
    re.IGNORECASE,
)


_VERBATIM_NAME = re.compile(
    r"\b(?P<np>(?:my|our|the|this(?! (?:is|was|[a-z]+ed|kept|word|exactly|verbatim)\b)|an?)\s+(?:[a-z][\w'’-]*\s+){0,4}?[a-z][\w'’-]*)(?![\w'’-])(?=\s*(?:$|[—–:,;.(]|\s-|goes?\b|reads?\b|is\b|says?\b|that\b|which\b|i\b|word\b|verbatim|exactly|to the|as\b|in full|without|so\b|for\b|and\b|states?\b|runs?\b))",
    re.IGNORECASE,
)


def find_verbatim(text: str) -> tuple[Statement | None, str]:
    """The text that is to be kept word for word, and the message without it."""
    cue = _EXACTLY.search(text)
    if cue is None or len(text) > 6000:
        return None, text
    if (m := re.match(r"\W*verbatim,\s+", text, re.IGNORECASE)) and speaks_of_a_text(text[m.end() :]):
        return None, text
    if not own_words(text[: cue.end()], framed=False)[cue.start() :].strip():
        return None, text
    quoted = _PAYLOAD.search(text)
    if quoted and len(quoted["q"].split()) >= 2:
        start, end, value = quoted.start(), quoted.end(), quoted["q"]
    else:
        colon = re.compile(
            r"(?::|\bit (?:goes|reads|says|is)[:,]?|\bhere it (?:is|goes)[.:,]?)\s+", re.IGNORECASE
        ).search(text, max(cue.start() - 1, 0)) or re.search(r":\s+", text)
        if colon is None:
            return None, text
        start, end = colon.end(), len(text)
        value = text[start:end]
        stop = re.search(
            r"(?<=[.!?\n])\s*(?:do you|any (?:tips|thoughts|ideas)|what|how|should|is|which|can you|could you|thanks|thank you)\b[^.\n]*[?!]?\s*$",
            value,
            re.IGNORECASE,
        )
        if stop:
            end = start + stop.start()
            value = value[: stop.start()]
    value = value.strip()
    if len(value.split()) < 2 or len(value) > 4000:
        return None, text
    before = text[:start] + " " + text[end:]
    if (not quoted or start != quoted.start()) and speaks_of_a_text(text[:start]):
        return None, text
    plainly = (
        quoted is not None and len(value.split()) >= 5 and "?" not in before and not speaks_of_a_text(text[:start])
    )
    if not plainly and not _STORES.search(before):
        return None, text
    if (
        re.match(
            r"^\W*(?:what|who|where|when|which|how|can you (?:tell|quote|recite)|quote|recite|give|repeat)\b",
            before,
            re.IGNORECASE,
        )
        and "?" in before
    ):
        return None, text
    opening = re.split(r"(?<=[.!?])\s+|\n+", text[:start].rstrip())
    name = (
        _whose(text[:start])
        or _verbatim_name(opening[-1])
        or (_verbatim_name(text[:start]) if len(opening) > 1 else None)
    )
    if name is None:
        name = _verbatim_name(text[end:]) or _by_its_place(text[:start]) or "text to remember"
    statement = Statement(
        "verbatim",
        Mention(name),
        attribute=name,
        value="\n".join(line for line in (re.sub(r"[ \t]+", " ", part).strip() for part in value.splitlines()) if line),
        span=(start, end),
        sentence=re.sub(r"\s+", " ", text[:start]).strip(),
    )
    return statement, text[:start] + re.sub(r"[^\n]", " ", text[start:end]) if quoted is None else text[
        : max(text.rfind(".", 0, start), 0)
    ]


# "it's the seller's note about the boiler", "this is what the ref wrote about us", "Mateo wrote this", "a line from my gran"
_IT_IS = re.compile(
    r"\b(?:it['’]s|it is|this is|that['’]s|here['’]s|here is)\s+(?P<np>(?:(?:my|our|the|an?)\s+)?(?:[\w'’-]+\s+){0,4}?(?:note|message|text|sign|letter|poem|motto|rule|rules|notice|quote|line|blurb|wording|review|report|speech|toast|vow|vows|slogan|caption|email|statement|verse|prayer|instructions?|recipe|clause|warning)(?:\s+(?:about|on|from|for|of|by)\s+(?:(?:my|our|the)\s+)?[\w'’-]+(?:\s+(?!(?:and|or|so|but|which|that|i|we|it|as|for|please)\b)[a-z'’-]+)?)?)",
    re.IGNORECASE,
)
_WHAT_ONE_WROTE = re.compile(
    r"\b(?P<w>what\s+(?:(?:my|our|the)\s+)?[\w'’-]+(?:\s+[\w'’-]+)?\s+(?:wrote|said|says|sent|told|posted|put|left)(?:\s+(?:about|to|on|for|at)\s+(?:(?:my|our|the)\s+)?[\w'’-]+)?)",
    re.IGNORECASE,
)
_ONE_WROTE_IT = re.compile(
    r"(?:^|[.,;!?]\s+|\band\s+|\bso\s+)(?P<who>(?:(?:my|our|the)\s+)?[\w'’-]+(?:\s+[A-Z][\w'’-]+)?)\s+(?:just\s+|has\s+|also\s+)?(?P<verb>wrote|sent|said|posted|left|gave us|gave me|put up|read out)\s+(?:us\s+|me\s+)?(?:this|these|it|the following)\b",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\b(?:an?|the|this|my|our)\s+(?P<np>(?:[a-z]+\s+)?(?:note|message|text|sign|letter|poem|motto|rule|notice|quote|line|sentence|saying|blurb|wording|review|toast|verse|proverb|paragraph|warning|reminder|announcement)\s+(?:from|by|about|for|on|of)\s+(?:(?:my|our|the)\s+)?[\w'’-]+(?:\s+(?:about|on|for)\s+(?:(?:my|our|the)\s+)?[\w'’-]+)?)",
    re.IGNORECASE,
)


def _whose(text: str) -> str | None:
    """What the words before a quotation call it by telling whose it is or what about."""
    for pattern in (_FROM, _IT_IS, _WHAT_ONE_WROTE, _ONE_WROTE_IT):
        if m := pattern.search(text):
            told = m.groupdict()
            if told.get("who"):
                if re.match(r"(?:i|we|you|it|this|that|they|he|she|and|who)\b", told["who"], re.IGNORECASE):
                    continue
                return f"what {told['who']} {told['verb']}"
            if told.get("w"):
                return None if re.match(r"what (?:i|you|it|this|that|we)\b", told["w"], re.IGNORECASE) else told["w"]
            np = re.sub(r"^(?:my|our|the|an?|exact|following)\s+", "", told["np"], flags=re.IGNORECASE)
            return np if len(np.split()) > 1 else None
    return None


# Somebody's words, handed on: no text that is asked for
_SAID_SO = re.compile(
    r"^(?!.*(?:\?|\n.*\n|[={}<>]|\b(?:provide|write me|generate|create|produce|compose|draft|rewrite|translate|summari[sz]e|explain)\b)).{0,300}\b(?:wrote|gave|sent|said|posted|made|left|read out|put up)\s+(?:us\s+|me\s+)?(?:this|these|it|the following)\b",
    re.IGNORECASE | re.DOTALL,
)


_BEARS = re.compile(
    r"\b(?:has|bears|carries|got|holds|is|there['’]s)\s+an?\s+(?P<np>inscription|motto|slogan|saying|proverb|dedication|engraving|sign|poem|verse|note|plaque|epigraph|chorus|refrain)\b",
    re.IGNORECASE,
)
# `Announcement, to be kept word for word:`
_HEADED = re.compile(
    r"^(?!(?:Please|Remember|Keep|Save|Store|Note|Memori[sz]e|This|That|It|Here|And|So|Now|Also)\b)(?P<np>[A-Z][a-z]+(?:\s[a-z]+){0,3}?),?\s+(?:to be|which|please|word|verbatim|exactly|for you)\b"
)
_HAS_IT = re.compile(
    r"\b(?:my|our)\s+(?P<np>[a-z]+(?:\s[a-z]+)??)\s+(?:once\s+|always\s+|often\s+)?(?P<v>told|taught|tells|says|said|wrote|ends?|begins?|opens?|starts?|closes?)\b",
    re.IGNORECASE,
)


def _by_its_place(text: str) -> str | None:
    """Where a text stands or who said it, where it has no name: `our rules end with a sentence`."""
    if m := _BEARS.search(text):
        return m["np"].lower()
    if m := _HEADED.match(text.strip()):
        return str(m["np"]).lower()
    if m := _HAS_IT.search(text):
        return f"what {m['np']} {m['v']}" if re.match(r"t|s|w", m["v"]) and m["v"] != "starts" else m["np"]
    return None


def _verbatim_name(text: str) -> str | None:
    for m in _VERBATIM_NAME.finditer(text):
        words = re.sub(r"\b(?:exact|following|full|precise|complete|whole|entire)\s+", "", m["np"])
        np = noun_phrase(words)
        np = (
            re.sub(r"\s+(?:for (?:me|us|you|later)|stored|saved|kept|remembered|noted|recorded)$", "", np)
            if np
            else None
        )
        if np and not re.match(
            r"^(?:letter|way|text|word|words|following|quote|moment|exact|note|line|sentence|record|future|memory|wording)$",
            np,
            re.IGNORECASE,
        ):
            return np
    return None
