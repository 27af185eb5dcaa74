"""
The many ways of saying which something is, as the one that the grammar knows: `my NP is V`.

Each line is a construction, not a sentence: what stands in it may be anything.
"""

import re

from memory_store.news import KIN, PEOPLE
from memory_store.said import NAME

_NP = r"(?:[a-z][\w'’-]*(?:\s+(?!(?:is|are|was|were|has|have|and|but|who|that|which|when|if)\b)[a-z][\w'’-]*){0,3})"
_MINE = rf"(?:my|our|the)\s+{_NP}"
_OURS = rf"(?:my|our)\s+{_NP}"
_V = rf"(?-i:(?:(?:the|an?)\s+)?{NAME}|[£$€]?\d[\w.,:/-]*(?:\s+[a-z]+)?|[\w-]*\d[\w-]*)"
_BE = r"(?:is|are|['’]s|['’]re)"
_LATELY = r"(?:\s+(?:for|since|all)\b[^,;]*)?"

_FORMS: tuple[tuple[str, str], ...] = (
    # "the person who's my teacher is V"
    (rf"^(?:the|our|my) (?:person|one|guy|man|woman|lady|people|place|company|firm|thing)\s+(?:who|that|which)(?:['’]s|\s+is|\s+are)\s+(?P<np>{_OURS})\s+{_BE}\s+(?P<v>.+)$", "{np} is {v}"),
    # "my teacher, V, is great" and "my teacher, that's V"
    # "as my teacher I have V", "for teacher we've got V"
    (rf"^(?:as|for)\s+(?:(?:my|our|the|a)\s+)?(?P<n>{_NP}),?\s+(?P<s>i|we)(?:['’]ve|['’]re|['’]m)?\s+(?:now\s+|currently\s+)?(?:have|got|have got|use|using|with|on|went with|chose|picked|took|hired)\s+(?P<v>{_V})$", "{our} {n} is {v}"),
    # other verbs of being
    (rf"^(?P<np>{_MINE})\s+(?:now\s+)?(?:goes by(?: the name(?: of)?|(?=\s+(?-i:[A-Z])))|answers to(?: the name(?: of)?)?|happens? to be|is known as|(?:is|are) named after|turns out to be|turned out to be|ended up being|amounts? to|comes? to|stands? at|sits? at|falls? on|lies? at|runs? to|totals|was set (?:to|at|for)|were set (?:to|at|for)|has been set (?:to|at|for)|got set to)\s+(?P<v>.+)$", "{np} is {v}"),
    # "V has been my teacher for years", "my teacher has always been V"
    (rf"^(?P<v>(?-i:{NAME}))\s+(?:has|have|['’]s|['’]ve)\s+(?:always\s+|long\s+|now\s+)?been\s+(?P<np>{_OURS}){_LATELY}$", "{v} is {np}"),
    # "we call V our teacher", "V, that's my teacher", "V (my teacher) lives nearby"
    (rf"^(?:i|we)\s+(?:call|consider|count)\s+(?P<v>(?-i:{NAME}))\s+(?:as\s+)?(?P<np>{_OURS})$", "{v} is {np}"),
    (rf"^(?!(?:no|nope|nah|yes|yep|yeah|ok|okay|oh|ah|well|sorry|right|sure|thanks|hi|hey|hello)\b)(?P<v>{_V})(?:,|\s+[—–-])\s+(?:that['’]s|that is|he['’]s|she['’]s|it['’]s|they['’]re)\s+(?P<np>{_OURS})$", "{v} is {np}"),
    (rf"^(?P<v>(?-i:{NAME}))\s+\((?P<np>{_OURS})\)\s+.+$", "{v} is {np}"),
    # "the role of teacher is filled by V"
    (rf"^(?:the|our|my) (?:role|job|position|post|part|place|honou?r) of (?:(?:my|our|the)\s+)?(?P<n>{_NP})\s+(?:is|has been|was)\s+(?:now\s+)?(?:filled|taken|held|played|done|covered|given)\s+(?:by|to)\s+(?P<v>{_V})$", "our {n} is {v}"),
    (rf"^(?P<np>{_MINE})\s+=\s+(?P<v>.+)$", "{np} is {v}"),
    (rf"^(?P<np>{_OURS})\s+it(?:['’]s|\s+is)\s+(?P<v>.+)$", "{np} is {v}"),
    # "use V as the router password", "V is used as our house wine", "what we pour as house wine is V"
    (rf"^(?:you (?:can |should )?|please )?use\s+(?P<v>\S*\d\S*|(?-i:{NAME}))\s+(?:as|for)\s+(?P<np>{_MINE})$", "{np} is {v}"),
    # "we have bin day on Thursday", "we have a budget of 4,000 euros"
    (r"^(?P<s>we|i)\s+have\s+(?P<n>[a-z]+\s+(?:day|time|night|hour))\s+(?:on|at|in)\s+(?P<v>.+)$", "{our} {n} is {v}"),
    (r"^(?P<s>we|i)(?:['’]ve|['’]re|['’]m|\s+have|\s+are|\s+am)?\s*(?:have|got|have got|set|working with|on|given ourselves)?\s*(?:an?|the)\s+(?P<n>[a-z]+(?:\s+[a-z]+)?)\s+of\s+(?P<v>[£$€]?\d.*)$", "{our} {n} is {v}"),
)  # fmt: skip
# The many ways of saying that it is something else now.
_THING = rf"(?:(?:my|our|the)\s+|[A-Z]\w+['’]s\s+){_NP}"
# the new boss of a neighbour is theirs
_PERSON = re.compile(rf"(?:.*\s)?(?:{KIN.pattern}|{PEOPLE.pattern.removesuffix('$')})(?:['’]s)?|[a-z -]+\s[A-Z].*")
_ENDING = r"(?:\s+(?:in the end|after all|instead|now|for now|from now on|this time|eventually|again))?"
_NOW: tuple[tuple[str, str], ...] = (
    # "we went for V as our NP in the end", "we go with V for heating now"
    (rf"^(?P<s>i|we)(?:['’]ve|\s+have|\s+had)?\s+(?:finally\s+|now\s+|just\s+)?(?:decided\s+(?:on|for)|(?:decided\s+to\s+)?(?:went|gone|go)\s+(?:for|with)|settled\s+(?:on|for)|ended\s+up\s+with|opted\s+for|(?:went|gone|go)\s+back\s+to)\s+(?P<v>[^,;:]{{2,60}}?)\s+(?:as|for)\s+(?:(?:my|our|the)\s+)?(?P<n>{_NP}?){_ENDING}$", "{our} {n} is now {v}"),
    # "our NP has changed again, it's V now"
    # "I gave our NP a new name: V"
    (rf"^(?:i|we)(?:['’]ve|\s+have)?\s+(?:just\s+)?(?:gave|given)\s+(?P<np>{_THING})\s+(?:a\s+(?:new|different|better)|another)\s+name(?:[:,]|\s+[—–-])\s+(?:it['’]s\s+|(?:he|she|it)(?:['’]s|\s+is)\s+(?:now\s+)?(?:called|named)\s+)?(?P<v>.+)$", "{np} is now {v}"),
    # "our NP is no longer A but V"
    (rf"^(?P<np>{_THING})\s+(?:is|are)\s+(?:no\s+longer|not)\s+[^,;:]{{1,40}}?,?\s+but\s+(?:now\s+)?(?P<v>[^,;:]+)$", "{np} is now {v}"),
    # "A left and V replaced her as our NP"
    (rf"^[^;:]*?(?:,|\s+and|\s+so|,\s+(?:and|so))\s+(?P<v>(?-i:{NAME}))\s+(?:has\s+)?(?:replaced|succeeded|followed|took over from|takes over from)\s+(?:her|him|them|it)\s+as\s+(?:(?:my|our|the)\s+)?(?P<n>{_NP})$", "our {n} is now {v}"),
    # "A has been replaced as our NP by V", "A was succeeded by V as our NP"
    (rf"^[^,;:]+?\s+(?:has|have|was|were|is|['’]s)\s+(?:been\s+|now\s+)?(?:replaced|succeeded|followed)\s+as\s+(?:(?:my|our|the)\s+)?(?P<n>{_NP})\s+(?:by|with)\s+(?P<v>(?-i:{NAME}))$", "our {n} is now {v}"),
    # "we have another NP again: V"
    (rf"^(?P<s>i|we)(?:['’]ve|\s+have)?\s+(?:have|got|have got|found)?\s*(?:another|a\s+new|a\s+different)\s+(?P<n>{_NP}?)\s+(?:again|once more|already|as of \w+)(?:[:,]|\s+[—–-])\s+(?:it['’]s\s+)?(?P<v>.+)$", "{our} {n} is now {v}"),
    # "A gave us V as our NP", "they gave us V for a NP"
    (rf"^(?:(?-i:{NAME})|they|(?:my|our|the)\s+{_NP})\s+(?:has\s+|have\s+)?(?:gave|given|assigned|set|offered|promised|quoted)\s+(?P<s>us|me)\s+(?P<v>[^,;:]*[A-Z0-9][^,;:]*?)\s+(?:as|for)\s+(?:my|our|the|an?)\s+(?P<n>{_NP})$", "{our} {n} is {v}"),
    # "the studio has a new owner, V"
    (rf"^(?:my|our|the)\s+(?P<who>{_NP})\s+(?:has|have|got|has got)\s+a\s+new\s+(?P<n>{_NP})(?:[,:]|\s+called|\s+named)\s+(?P<v>(?-i:{NAME}))$", "our {n} is now {v}"),
    # "our NP will be V", said of a choice that is made
    (rf"^(?P<np>(?:my|our|the)\s+{_NP})\s+(?:will|shall)\s+be\s+(?P<v>(?:in\s+|made\s+of\s+)?(?!(?:done|ready|able|fun|great|good|bad|hard|easy|nice|fine|late|over|here|there|back|so|too|very|more|less|the|an?|\w+(?:ed|en|ing|ly))\b)[a-z-]+(?:\s+[a-z-]+)?)$", "{np} is {v}"),
    # "the floors are made of oak"
    # "on Fridays I run a film club": when one does it, after what one does
    (r"^(?P<when>(?:on|every)\s+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|weekdays)(?:\s+(?:mornings?|afternoons?|evenings?|nights?))?(?:\s+and\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days?)?|at\s+(?:the\s+)?weekends?|in\s+the\s+(?:mornings?|evenings?|afternoons?)),?\s+(?P<s>i|we)\s+(?P<v>(?!(?:will|would|was|were|had|am|are|have|should|could|can|might|may|did|went)\b)[a-z]+\s+.+)$", "{s} {v} {when}"),
)  # fmt: skip
_READ = tuple((re.compile(pattern, re.IGNORECASE | re.DOTALL), plain) for pattern, plain in (*_NOW, *_FORMS))
# Words before a statement, which say only that it is one, and where it holds.
_LEAD = re.compile(
    r"^(?:(?:i['’]d say|i would say|i think (?:i (?:told|mentioned|said)(?: to)?(?: you)?|you know)|as (?:you|i) (?:might|may|probably|already|surely)?\s*(?:know|knew|said|mentioned|told you)|i guess you know|(?:i )?can['’]t remember if i said|like i said|to be (?:clear|precise|exact)|"
    r"(?:in|at|on|for|over at|back at)\s+(?:the|our|my)\s+[a-z]+(?:\s[a-z]+)?(?=,?\s+(?:my|our)\s)|at our place|turns out|it turns out|change of plans?|big news|good news|bad news|news flash|(?:from|as of|starting) (?:this|next|last) \w+(?: on)?|since (?:this|next|last) \w+)(?:\s+that)?[,:]?\s+)+(?=(?:my|our|the|i|we|[A-Z])\b)",
    re.IGNORECASE,
)
_INSIDE = re.compile(
    r"(?<=\bis),\s+(?:for the record|as you (?:may |might )?know|by the way|in case you wonder|of course|in fact|and always was|i think|naturally|obviously|sadly|luckily),(?=\s)|"
    r"(?<=[a-z])(?:,|\s+\()\s*(?:in case you (?:wonder|wondered|['’]re wondering)|since [^,()]{2,24}|can['’]t remember if i said|if i haven['’]t said(?: so)?|after (?:a lot of|some|much|all that) [^,()]{2,30}|by the way|btw|for the record|as you know|of course)(?:,|\))(?=\s+(?:is|are|was|has)\b)",
    re.IGNORECASE,
)


def rephrased(text: str) -> str:
    """*text* as `my NP is V` where it says so in another of the known ways; else the same."""
    end = re.search(r"[.!]*$", text)
    tail = end[0] if end else ""
    bare = text[: len(text) - len(tail)] if tail else text
    bare = _INSIDE.sub("", bare)
    lead = _LEAD.match(bare)
    body = bare[lead.end() :] if lead else bare
    for pattern, plain in _READ:
        if (m := pattern.match(body)) and not _PERSON.fullmatch(m.groupdict().get("who") or ""):
            told = {k: v.strip() for k, v in m.groupdict().items() if v}
            told["our"] = "my" if told.get("s", "").lower() in ("i", "me") else "our"
            told["s"] = told.get("s", "").replace("i", "I")
            told["when"] = told.get("when", "")[:1].lower() + told.get("when", "")[1:]
            body = plain.format(**told)
            return (bare[: lead.end()] if lead and _NEWSY.search(lead[0]) else "") + body + tail
    if lead and not _NEWSY.search(lead[0]):
        return body + tail
    return bare + tail


_NEWSY = re.compile(r"\b(?:news|change|as of|starting|from|since|turns out)\b", re.IGNORECASE)
