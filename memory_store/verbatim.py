"""Texts that are to be kept word for word."""

import re

from memory_store.mentions import Mention
from memory_store.phrases import noun_phrase
from memory_store.sentences import speaks_of_a_text
from memory_store.statement import Statement

_EXACTLY = re.compile(
    r"word[- ]for[- ]word|verbatim|to the letter|letter for letter|exactly as (?:it is|is|written|i (?:say|write|wrote|put) it|it stands|follows|given)|"
    r"(?:remember|memori[sz]e|keep|save|store|note|record|learn|write down)\b[^.?!\n\"“:]{0,60}\bexact(?:ly)?\b|"
    r"(?:remember|memori[sz]e|save|store|keep) (?:this|the following|these) (?:exact )?(?:text|quote|words?|lines?|sentences?|passage|paragraph|note|message|poem|error|log|wording)?\s*(?=:)|"
    r"\b(?:remember|memori[sz]e|keep|save|store)\b[^.?!\n]{0,50}\bquote\b|exact (?:words?|wording|text|quote)|without changing (?:a|any|one) (?:\w+ )?(?:word|letter|thing|comma)|(?:don['’]t|do not|never) (?:change|alter|touch|edit) (?:a|any|one|a single|the|its) (?:word(?:s|ing)?|letter|comma|thing|syllable|character)\b|exactly (?:like|as|the way) (?:this|that|i (?:write|wrote|type|say|put|have) it)\b|in (?:exactly|precisely) these words",
    re.IGNORECASE,
)


_PAYLOAD = re.compile(r"[\"“](?P<q>.+)[\"”]", re.DOTALL)


_STORES = re.compile(
    r"\b(?:remember(?:ed)?|memori[sz]ed?|keep|kept|stored|saved|save|store|want (?:it|this|that|you)|need (?:it|this|you)|note|hold|know|record|learn|goes|reads|says|"
    r"is as follows|don['’]t (?:change|forget)|here(?:['’]s| is)|write (?:it|this) down)\b",
    re.IGNORECASE,
)


_VERBATIM_NAME = re.compile(
    r"\b(?P<np>(?:my|our|the|an?)\s+(?:[a-z][\w'’-]*\s+){0,4}?[a-z][\w'’-]*)(?![\w'’-])(?=\s*(?:$|[—–:,;.(]|\s-|goes?\b|reads?\b|is\b|says?\b|that\b|which\b|i\b|word\b|verbatim|exactly|to the|as\b|in full|without|so\b|for\b|and\b|states?\b|runs?\b))",
    re.IGNORECASE,
)


def find_verbatim(text: str) -> tuple[Statement | None, str]:
    """The text that is to be kept word for word, and the message without it."""
    cue = _EXACTLY.search(text)
    if cue is None or len(text) > 6000:
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
    if not _STORES.search(before):
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
    name = _verbatim_name(opening[-1]) or (_verbatim_name(text[:start]) if len(opening) > 1 else None)
    if name is None:
        name = _verbatim_name(text[end:]) or "text to remember"
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
