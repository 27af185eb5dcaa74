"""Being asked to forget, in the ways in which people ask."""

import re

from memory_store.clauses import parse_clause
from memory_store.mentions import Mention, mention
from memory_store.news import KIN
from memory_store.phrases import noun_phrase
from memory_store.said import PERSONAL_NAME
from memory_store.sentences import Sentence
from memory_store.statement import Statement

_STORE = r"(?:your|my|the|our|these|this|those)\s+(?:\w+\s+)?(?:memory|memories|notes?|records?|mind|database|files?|knowledge|profile|log|head|list|data|history|storage)|what you (?:know|have|remember|store|keep)(?:\s+(?:about|on|of) (?:me|us))?|(?:there|here|the record|the system|memory)|(?:everything|anything|all|whatever)(?:\s+(?:that\s+)?(?:is|has been))?\s+(?:stored|kept|saved|recorded|noted)(?:\s+here)?|everything you (?:know|have|remember|store[d]?|keep)"


_ASK = r"(?:(?:please|kindly|can you|could you|would you|will you|you can|you may|you should|i['’]d like you to|i want you to|i need you to|i would like you to|let['’]s|just|go ahead and|now|also|actually|and|so|oh|hey|ok|okay|to|safely|feel free to|make sure to|be sure to|do)\b[\s,]*)*"


_FORGET = re.compile(
    rf"^{_ASK}(?P<verb>forget|unlearn)\s+(?:about\s+)?(?P<x>.+?)(?:\s+from\s+(?:{_STORE}))?(?:[\s,]+(?:please|now|for good|completely|entirely|again|thanks|for me|altogether|then|if you (?:can|could|would|don['’]t mind)))*$",
    re.IGNORECASE | re.DOTALL,
)


_REMOVE = re.compile(
    rf"^{_ASK}(?P<verb>delete|erase|remove|expunge|wipe|clear|drop|scrub|discard|purge|get rid of|strike|take|cut|throw|lose|scratch|kick|let|clean|rub|dump|toss|scrap|bin)\s+(?P<x>.+?)\s+(?:out\s+|off\s+)?(?:of|from|in|out of|off)\s+(?:{_STORE})(?:[\s,]+(?:please|now|for good|completely|entirely|thanks))*$",
    re.IGNORECASE | re.DOTALL,
)


_ERASE_BARE = re.compile(
    rf"^{_ASK}(?P<verb>delete|erase|wipe|discard|purge|scrub|expunge|unlearn|get rid of|bin off|bin)\s+(?:out\s+)?(?P<x>(?:(?:my|our|the|that|this|it|what|everything|anything|all)\b|(?-i:[A-Z])\w+['’]s\s).*?)(?:[\s,]+(?:please|now|for good|completely|entirely|thanks))*$",
    re.IGNORECASE | re.DOTALL,
)


# Any way of throwing away, where what goes is told to be what was said or is remembered.
_THROW_AWAY = re.compile(
    rf"^{_ASK}(?:never ?mind|scrap|scratch|drop|lose|toss(?: out)?|dump|bin|ditch|throw (?:away|out)|get rid of|let go of|strike|clear(?: out)?|wipe(?: out)?|ignore|disregard|forget|unlearn|take back|nix|trash|cancel|remove|undo)\s+"
    r"(?P<x>(?:what(?:ever)?|everything|anything|all|the (?:thing|bit|part|stuff|note|message|info(?:rmation)?|detail)s?)\s+(?:(?:that\s+)?(?:i|we)(?:['’]ve)?\s+(?:ever |just |once |have |had )?(?:told|said|mentioned|shared|gave|given|wrote|written|noted)(?:\s+(?:to\s+)?you)?|(?:that\s+)?you(?:['’]ve)?\s+(?:know|have|remember|stored|saved|learned|noted|wrote down|got))?\s*(?:about|on|regarding|concerning|of)\s+.+?)(?:[\s,]+(?:please|now|for good|completely|entirely|thanks|again))*$",
    re.IGNORECASE | re.DOTALL,
)


# Let what was told be as if it never had been.
_AS_IF_NEVER = re.compile(
    rf"^{_ASK}(?:pretend|act|behave|act like|carry on|imagine)\s+(?:like |that |as if |as though )?(?:i|we|you)(?:['’]d)?\s+(?:had |have )?(?:never|didn['’]t)\s+(?:ever\s+)?(?:told you|tell you|said|say|mentioned|mention|shared|share|gave you|give you|heard|hear|knew|know)\s+(?:you\s+|anything\s+)?(?:about\s+)?(?P<x>.+?)(?:[\s,]+(?:please|ok|thanks))*$",
    re.IGNORECASE | re.DOTALL,
)


_DO_NOT_KEEP = re.compile(
    rf"^{_ASK}(?:(?:please\s+)?don['’]?t|do not|stop|not|no need to|you don['’]t (?:need|have) to|i don['’]t want you to|i don['’]t need you to|there['’]s no need (?:for you )?to|you can stop|you may stop|please stop|i do not want you to|i['’]d (?:rather|prefer) (?:that )?you (?:didn['’]t|not|don['’]t|did not)|i['’]d prefer you not to|i['’]d prefer if you didn['’]t|(?:i|we) no longer (?:want|need) you to|you shouldn['’]t|never)\s+"
    r"(?:ever\s+)?(?:remember(?:ing)?|keep(?:ing)?(?: track of| a record of)?|stor(?:e|ing)|sav(?:e|ing)|retain(?:ing)?|hold(?:ing)? on to|hang on to|record(?:ing)?|not(?:e|ing)|know(?:ing)?|have|track(?:ing)?|bring(?:ing)? up|mention(?:ing)?|memori[sz](?:e|ing))\s+"
    r"(?P<x>.+?)(?:[\s,]+(?:any ?more|any longer|please|in your (?:memory|notes)|on file|around|from now on|again|stored|saved|thanks|in memory|on record))*$",
    re.IGNORECASE | re.DOTALL,
)


_SCRATCH = re.compile(
    rf"^{_ASK}(?:scratch|strike|forget|ignore|erase|delete|disregard)\s+(?:that|this|it|what i just said|the last (?:bit|part|thing|one))(?:[\s,]+(?:please|from (?:{_STORE})|completely|again|for good|now|entirely))*$",
    re.IGNORECASE,
)


_LEAD = re.compile(
    r"^(?:everything|anything|all|what(?:ever)?)?\s*(?:(?:that\s+)?(?:i|we)(?:['’]ve)?\s+(?:ever\s+|just\s+|once\s+|have\s+|had\s+)?(?:told|said|mentioned|shared|gave|given|wrote|written)(?:\s+(?:to\s+)?you)?\s*(?:about|on|regarding|concerning|of)?|(?:that\s+)?you (?:know|have|remember|stored|saved|learned|noted)\s+(?:about|on|of))\s*|"
    r"^(?:the (?:fact|bit|part|thing|detail|note|info|information|entry|stuff|line)s? (?:about|that|on|of)\s+|about\s+|all about\s+|everything (?:about|on)\s+|anything (?:about|on)\s+|any (?:mention|record|trace|note|memory) of\s+|the (?:value|record|mention) of\s+)",
    re.IGNORECASE,
)


_NOT_A_FACT = re.compile(
    r"^(?:it|about it|to\b|how\b|the (?:previous|above|last|first|rest|rules|instructions|whole thing)|all (?:previous|prior|the above|instructions)|everything(?: above| before)?$|your\b|you\b|if\b|when\b|me\b|him\b|her\b|them\b)",
    re.IGNORECASE,
)


# What is said now, and nothing that was known before: `don't remember this: …`.
_NOT_TO_BE_KEPT = re.compile(
    rf"^{_ASK}(?:don['’]?t|do not|never)\s+(?:remember|note|store|save|keep|record|write down|memori[sz]e)\s+"
    r"(?:this|that|it|the following|what (?:follows|comes))(?:\s+(?:down|please|in your (?:memory|notes)))*\s*[:,—–-]\s*\S",
    re.IGNORECASE,
)


# The thing first, or the wish about it: `X should be forgotten`, `I want X gone from your memory`, `about X: forget it`.
_DONE_AWAY = r"(?:forgotten|deleted|erased|removed|wiped|scrubbed|purged|gone|dropped|cleared|unlearned|thrown out|struck|taken out|off)"
_AWAY = r"(?:forget|delete|erase|remove|wipe|scrub|purge|drop|clear|unlearn|lose|get rid of|bin|ditch|scrap)"
_WISHES = (
    re.compile(r"^(?:would you (?:mind|be so kind as)|do you mind|could i ask you|can i ask you|may i ask you|i(?:['’]d| would) (?:appreciate|be (?:glad|happy|grateful))(?: it)?(?: if you)?|how about|what about)\s+(?:to |please |kindly |could |would )*(?:forget(?:ting)?|delet(?:e|ing)|eras(?:e|ing)|remov(?:e|ing)|wip(?:e|ing)|dropp?(?:ing)?|scrubb?(?:ing)?|forgot)\s+(?:about\s+)?(?P<x>.+)$", re.IGNORECASE),
    re.compile(rf"^(?:(?:i|we)(?:['’]d| would)?\s+(?:like|want|need|love|prefer|wish)(?:\s+(?:for|to have|to see))?|let['’]s have|please have|have|i think)\s+(?P<x>(?:my|our|the|that)\s+.+?)\s+(?:to be\s+|should be\s+)?{_DONE_AWAY}(?:\s+(?:from|out of|off)\s+(?:{_STORE}))?$", re.IGNORECASE),
    re.compile(rf"^(?P<x>(?:my|our|the|that)\s+[^,;:]+?|(?-i:[A-Z])[^,;:]*?)\s+(?:should|must|needs? to|has to|have to|is to|ought to|can|may|had better)\s+(?:please\s+|now\s+)?be\s+{_DONE_AWAY}(?:\s+(?:from|out of)\s+(?:{_STORE}))?$", re.IGNORECASE),
    re.compile(rf"^(?:about|as for|regarding|concerning|the bit about|what i (?:said|told you) about)\s+(?P<x>(?:my|our|the|that)\s.+?|(?-i:[A-Z]).+?)(?:[,:]|\s+[—–-])\s+(?:please\s+|just\s+|you can\s+|could you\s+|can you\s+)*(?:{_AWAY})(?:\s+(?:about\s+)?(?:it|that|this|them))?(?:\s+(?:from|out of|off)\s+(?:{_STORE}))?(?:\s+please)?(?:,\s.*)?$", re.IGNORECASE),
    re.compile(rf"^(?P<x>(?:my|our|the|that)\s+(?:(?!\b(?:is|was|are|were|should)\b)[^,;:])+?)(?:[,:]|\s+[—–-])\s+(?:please\s+|just\s+|(?:i|we)(?:['’]d| would)?\s+(?:like|want|prefer)\s+(?:that\s+)?(?:you\s+)?(?:to\s+)?|you can\s+|could you\s+|can you\s+|better\s+)*(?:(?:{_AWAY})\s+(?:it|that|this|them)\b.*|(?:take|strike|cut|cross|scratch)\s+(?:it|that|this|them)\s+(?:out of|from|off)\s+(?:{_STORE}))$", re.IGNORECASE),
    re.compile(r"^(?:please\s+)?(?:keep|hold|have|leave)\s+no\s+(?:record|trace|note|memory|mention)s?\s+of\s+(?P<x>.+)$", re.IGNORECASE),
    re.compile(r"^(?:please\s+)?(?:make|be)\s+sure\s+(?:that\s+)?(?:you\s+|to\s+)*(?:don['’]t|do not|never|not)\s+(?:to\s+)?(?:remember|keep|store|know|have|save|retain)\s+(?P<x>.+)$", re.IGNORECASE),
    re.compile(r"^you\s+(?:no longer (?:need|have)|needn['’]t|do not need|don['’]t need|don['’]t have|do not have)\s+(?:to\s+)?(?:know|remember|keep|store|bother with|hold on to|have)\s+(?P<x>.+?)(?:\s+(?:any ?more|any longer|now))?$", re.IGNORECASE),
    re.compile(r"^(?:please\s+)?(?:treat|consider|regard)\s+(?P<x>.+?)\s+as\s+(?:if|though)\s+(?:i|we|you)(?:['’]d| had)?\s+(?:never|not)\s+(?:told|said|mentioned|shared|heard|known).*$", re.IGNORECASE),
    re.compile(rf"^(?:please\s+)?(?:make|be)\s+sure\s+(?:that\s+)?(?P<x>(?:my|our|the|that)\s+.+?)\s+(?:is|are|gets?|has been|will be)\s+(?:all\s+|completely\s+|fully\s+)?{_DONE_AWAY}(?:\s+(?:from|out of)\s+(?:{_STORE}))?$", re.IGNORECASE),
    re.compile(rf"^(?:(?:i|we) (?:must|have to|would|want to|need to|hereby|kindly) (?:ask|request|insist)|(?:i|we) (?:ask|request)|(?:please |kindly )?(?:see to it|ensure|arrange)|it is (?:requested|required|asked))(?: you)?(?: that)?\s+(?P<x>(?:my|our|the|that)\s+.+?)\s+(?:is|are|be|should be|must be)\s+(?:now\s+)?{_DONE_AWAY}(?:\s+(?:from|out of)\s+(?:{_STORE}))?$", re.IGNORECASE),
    re.compile(rf"^(?P<x>(?:my|our|the|that)\s+[^,;:]+?|(?-i:[A-Z])[^,;:]*?)\s+(?:should|must|shall|may|ought|can|is|are)(?:\s?n[o'’]t| no longer| never)\s+(?:to\s+)?(?:be\s+)?(?:remembered|on file|on record|(?:kept|stored|saved|recorded|retained|held|noted)\s+(?:in|by|on)\s+(?:you|file|record|{_STORE}))(?:\s+any ?(?:more|longer))?$", re.IGNORECASE),
    re.compile(r"^(?P<x>(?:my|our|the|that)\s+[^,;:]+?|(?-i:[A-Z])[^,;:]*?)\s+(?:is|are) (?:private|secret|confidential|sensitive)[^,;:]*\s+and\s+(?:should|must|shall|may|ought|can|is|are)(?:\s?n[o'’]t| no longer| never)\s+(?:to\s+)?(?:be\s+)?(?:kept|stored|saved|recorded|retained|remembered|held|noted)$", re.IGNORECASE),
    re.compile(rf"^never ?mind\s+(?P<x>(?:my|our|the|that)\s+.+?),\s+(?:just\s+|please\s+)*(?:{_AWAY})\s+(?:it|that)$", re.IGNORECASE),
)  # fmt: skip


# "Security notice: delete ...", where more than a name stands before what is asked
_LABEL = re.compile(r"^(?-i:[A-Z])[\w'’ -]{2,60}:\s+(?=\w)", re.IGNORECASE)
# "our dog's vet" is no clause: 's is no `is`
_POSSESSED = re.compile(r"^(?:(?:my|our|the)\s+)?[\w-]+['’]s\s+[a-z][a-z -]*$", re.IGNORECASE)


def is_not_to_be_kept(text: str) -> bool:
    """Whether *text* tells something that is not to be remembered."""
    return _NOT_TO_BE_KEPT.match(text.strip()) is not None


def find_deletion(sentence: Sentence, last: list[Statement], before: str) -> Statement | None:
    """
    The wish in *sentence* that something be forgotten; None where it is none.

    *last* and *before*, what was said before it, tell what `that` means.
    """
    text = sentence.text.strip().rstrip("?!. ").strip()
    text = (
        re.sub(
            r"^(?:(?:btw|by the way|also|plus|oh|and|so|anyway|actually|sir|madam|oi|one (?:more thing|thing more)|another thing|last thing|ok|okay|right|good|yes|thanks|cheers)\b[\s,:—–-]*)+",
            "",
            text,
            flags=re.IGNORECASE,
        )
        or text
    )
    text = re.sub(r",\s+(?:would|could|will|can) you(?: please)?$", "", text, flags=re.IGNORECASE)
    if (label := _LABEL.match(text)) and not re.search(
        r"\b(?:it|that|this|them)\b", text[label.end() :], re.IGNORECASE
    ):
        text = text[label.end() :]
    if any(wish.match(text) for wish in _WISHES) and (wished := _deletion_of(text, sentence, last, before)):
        return wished
    if m := _AND_FORGET_IT.match(text):
        return _deletion_of_last(sentence, [], m["x"])
    text = (
        re.sub(
            r"^(?:[\w' ]{2,30},\s+)?(?=(?:please|forget|could you|can you|don['’]t)\b)",
            "",
            text,
            count=1,
            flags=re.IGNORECASE,
        )
        if not text.lower().startswith("please")
        else text
    )
    pieces = [text, *re.split(r"\s*;\s*|,\s+(?:so|and|but)?\s*(?=(?:please|forget|delete|erase)\b)", text)[1:]]
    for piece in pieces:
        if statement := _deletion_of(piece, sentence, last, before):
            return statement
    return None


_AND_FORGET_IT = re.compile(
    rf"^(?P<x>(?:my|our|the)\s+.+?)(?:\s+(?:is|was|should (?:be|stay|have been|have stayed|remain))\s+(?:private|secret|confidential|personal|not for you|none of your business|a secret|between us|not (?:for|meant for) you))?[,;.]\s+(?:so\s+|and\s+)?{_ASK}(?:forget|delete|erase|remove|drop|scrap|wipe|lose|get rid of)\s+(?:it|that|this)(?:\s+(?:please|now|again))*$",
    re.IGNORECASE,
)


# The reason that people give for it, and what they say instead of it.
_WHY = re.compile(
    r"(?:,\s+|\s+[—–-]\s+|\s*;\s*)(?:(?:i|we|they|he|she|you)['’](?:ve|re|d|ll|m|s)\b|forget (?:it|that|about it)|delete it|because|since|as (?:it|that|this|they)|it['’]s (?:private|secret|none|not|no longer|wrong)|(?:i|we) (?:oughtn['’]t|ought not|never ought|shouldn['’]t|should not|should never|didn['’]t mean|regret|don['’]t want)|that (?:was|is)|it (?:was|is|should|must|may|ought|need)\b|get rid of it|ok(?:ay)?$|will you$|would you$|if you can$|ta$)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


_FORGET_ABOUT = re.compile(r"\b(?:forget|unlearn)\s+(?:all\s+)?about\s", re.IGNORECASE)


def _deletion_of(text: str, sentence: Sentence, last: list[Statement], before: str) -> Statement | None:
    span = (sentence.start, sentence.end)
    if _SCRATCH.match(text):
        return _deletion_of_last(sentence, last, before)
    whole, text = text, _WHY.sub("", text)
    m = (
        _THROW_AWAY.match(text)
        or _AS_IF_NEVER.match(text)
        or _REMOVE.match(text)
        or _DO_NOT_KEEP.match(text)
        or _ERASE_BARE.match(text)
        or _FORGET.match(text)
        or next((told for wish in _WISHES if (told := wish.match(whole) or wish.match(text))), None)
    )
    if m is None:
        return None
    what = m["x"].strip().strip("\"“”'")
    what = re.sub(
        rf"\s+(?:from|out of|off)\s+(?:{_STORE}|memory|your mind|the books)(?:\s+(?:please|now))?$",
        "",
        what,
        flags=re.IGNORECASE,
    )
    if re.match(
        r"^(?:to|how|your|you|if|when|me|him|her|them|the (?:previous|above|rest|instructions|whole))\b",
        what,
        re.IGNORECASE,
    ):
        return None
    if re.match(r"^(?:that|this|it|these|those)(?:\s+(?:fact|one|detail|information|info))?$", what, re.IGNORECASE):
        return _deletion_of_last(sentence, last, before)
    everything = re.match(r"(?:everything|anything|all|whatever)\b", what, re.IGNORECASE) is not None
    for _ in range(2):
        what = _LEAD.sub("", what, count=1).strip()
    what = re.sub(r"^that\s+(?=(?:i|we|my|our|the)\b)", "", what, flags=re.IGNORECASE)
    if not what or _NOT_A_FACT.match(what):
        return None
    said = None if _POSSESSED.match(what) else parse_clause(what, loose=True)
    if said is not None and said.value and not said.weak:
        return Statement(
            "deletion",
            Mention(said.attribute, value=said.value, certain=True),
            said.attribute,
            said.value,
            span=span,
            sentence=sentence.whole,
        )
    found = mention(what)
    if found is None or found.pronoun:
        return None
    name = found.name or found.alias
    whom = name or found.value or ""
    if _FORGET_ABOUT.search(text) and (re.fullmatch(PERSONAL_NAME, whom) or KIN.fullmatch(whom)):
        everything = True
    return Statement("deletion", found, name, everything=everything, span=span, sentence=sentence.whole)


def _deletion_of_last(sentence: Sentence, last: list[Statement], before: str) -> Statement | None:
    """`Forget that`: what the sentence before stated, or, where it was not understood, the value that it names."""
    span = (sentence.start, sentence.end)
    of = next((s for s in reversed(last) if s.value), None)
    if of is not None:
        about = Mention(of.attribute, value=of.value, certain=True)
        return Statement("deletion", about, of.attribute, of.value, span=span, sentence=sentence.whole)
    words = re.sub(
        r"^(?:(?:i|we|my|our|the|it|that|this|is|are|am|have|had|use|['’]m|['’]re|['’]s|i['’]m|we['’]re|it['’]s)\s+)+",
        "",
        before.strip(" .!"),
        flags=re.IGNORECASE,
    )
    words = re.sub(
        r"^(?:really\s+|probably\s+)?(?:shouldn['’]t|should not|should never|didn['’]t mean to|regret)\s+(?:have\s+)?(?:told|tell|telling|given|give|giving|shared|share|sharing|mentioned|mention|mentioning)\s+(?:you\s+)?(?:about\s+)?(?:(?:my|our|the)\s+)?",
        "",
        words,
        flags=re.IGNORECASE,
    )
    if not words or before.endswith("?") or len(words) > 120:
        return None
    named = noun_phrase(words) if re.match(r"[a-z]", words) else None
    return Statement("deletion", Mention(named, value=words), named, span=span, sentence=before)
