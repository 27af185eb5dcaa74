"""
Which words of a message are the owner's own: not those pasted, quoted, labelled, tagged, wrapped by a client, told of
somebody or made up.

In doubt they are not: what is missed can be told again, what is obeyed by mistake is lost.
"""

import re

LOOKED_AT = 3000  # characters; what comes after is not read
_ANY = re.DOTALL | re.IGNORECASE
_LINES = re.MULTILINE | re.IGNORECASE

_NOUNS = (
    r"e-?mails?|mails?|messages?|texts?|notes|minutes|transcripts?|documents?|docs?|letters?|posts?|articles?|threads?|"
    r"chats?|conversations?|dialogues?|dialogs?|logs?|files?|excerpts?|extracts?|passages?|paragraphs?|pages?|reports?|"
    r"reviews?|stor(?:y|ies)|poems?|essays?|scripts?|scenes?|drafts?|quotes?|snippets?|memos?|newsletters?|comments?|"
    r"announcements?|repl(?:y|ies)|responses?|prompts?|tickets?|attachments?|tweets?|examples?|sentences?|lyrics|bios?"
)
_NAMED = r"[A-Z][\w'’.-]*(?:[ \t]+[A-Z][\w'’.-]*){0,2}"
_START = r"(?:^|(?<=[.!?]\s))"
_SAYS = (
    r"(?:said|says|wrote|writes|told\s+(?:me|us|him|her|them)|asked|asks|replied|replies|answered|texted|texts|posted|"
    r"e?mailed|sent|sends|goes(?=:)|shouted|whispered|added|claimed|claims|stated|states)"
)
_MINE = r"(?:my|our|i|we|i['’]m|we['’]re|i['’]ve|we['’]ve|please|forget|erase|delete|remove)\b"

# Marks around what is handed on. To the last end mark, as the text within may hold one too.
_WRAPPED = (
    re.compile(r"<(?P<tag>[a-z][\w.:-]*)(?:\s[^<>]*)?(?<!/)>.*</(?P=tag)\s*>", _ANY),
    re.compile(r"\[(?P<tag>[a-z][\w-]*)(?:\s[^\[\]]*)?\](?!\().*\[(?:/|END[ _])(?P=tag)[^\[\]]*\]", _ANY),
    re.compile(r"\{\{.*\}\}", _ANY),
    re.compile(r"(?P<q>\"\"\"|''').*(?P=q)", _ANY),
    re.compile(r"(?:(?<=\s)|^)\"(?=[^\s\"])[^\"\n]*\n[^\"]*\"|“[^”\n]*\n[^”]*”|«[^»\n]*\n[^»]*»"),
    # a blockquote, with the lines that only go on with it
    re.compile(r"^[ \t]*>[^\n]*(?:\n[ \t]*[^\s][^\n]*)*", re.MULTILINE),
)

_HELLO = r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|greetings)"
_US = r"(?:there|you|reverie|assistant|ai|bot|computer|friend|mate|buddy|again|claude|chat ?gpt|gpt|gemini|llama)"
_SEVERAL = (
    r"(?:all|both|every(?:one|body)|team|folks|guys|people|colleagues|friends|family|neighbou?rs|sir|madam|ladies)"
)
_HEADER = r"(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff)"
_ROLE = (
    r"(?:user|assistant|system|human|ai|bot|model|speaker ?\d*|interviewer|interviewee|customer|agent|q|a|narrator|"
    r"host|guest|caller|moderator)"
)
_PART = (
    r"(?:assistant|expert|ai|bot|chatbot|agent|helper|tutor|teacher|coach|professional|translator|writer|editor|"
    r"engineer|developer|programmer|consultant|specialist|analyst|character|persona|model|guide|therapist|doctor|"
    r"lawyer|poet|pirate|advis[eo]r|secretary|butler|summari[sz]er|generator|classifier)"
)
_PLEASE = r"(?:please\s+|now\s+|(?:can|could|would|will)\s+you\s+|i\s+(?:want|need)\s+you\s+to\s+|help me\s+)*"
_WORK = r"(?:summari[sz]e|translate|proofread|paraphrase|rephrase|rewrite|reword)"
# From here to the end it is not theirs; what stands before still is.
_FROM_HERE = (
    # what programs set, and headings of documents and prompts
    re.compile(r"<\|[\w ]+\|>|<<SYS>>|\[INST\]|\|\|>", re.IGNORECASE),
    re.compile(r"^[ \t]*<(?!(?:br|hr|img)\b)[a-z][\w.:-]*(?:\s[^<>\n]*)?(?<!/)>[ \t]*$", _LINES),
    re.compile(r"^[ \t]*\[[a-z][\w -]*\]:?[ \t]*$", _LINES),
    re.compile(r"^[ \t]*#{1,6}[ \t]+\S", re.MULTILINE),
    re.compile(r"^[ \t]*(?:[-=*_~][ \t]?){3,}[^\n]*$", re.MULTILINE),
    # mails and letters
    re.compile(rf"^[ \t*]*{_HEADER}\**:[^\n]*\n+[ \t*]*{_HEADER}\**:", _LINES),
    re.compile(r"^[ \t*]*(?:(?:subject|betreff|reply-to|cc|bcc)\**:|from\**:[^\n]*@)", _LINES),
    re.compile(r"^[ \t]*(?:re|fwd?|aw|wg):[ \t]", _LINES),
    re.compile(r"^[^\n]*\b(?:forwarded message|original message)\b", _LINES),
    re.compile(r"^on\b[^\n]{4,80}\bwrote:", _LINES),
    re.compile(rf"^[ \t]*{_HELLO}[ \t,]+(?:(?:to|you|my|dear)\s+)*{_SEVERAL}\b", _LINES),
    re.compile(rf"^[ \t]*{_HELLO}[ \t]+(?!{_US}\b)[^\s,!\n]+(?:[ \t]+[^\s,!\n]+){{0,3}}[ \t]*[,!–—-]?[ \t]*$", _LINES),
    # a text is announced, and comes
    re.compile(rf"{_START}[^.!?\n]*\b(?:here|this|these|the|that|following|below|attached)\b[^.!?\n]*\b(?:{_NOUNS})\b[^.!?\n]*:(?=\s)", _LINES),
    re.compile(rf"{_START}(?![^\n]*\babout (?:me|us|myself)\b)[^.!?\n]*\b(?:{_NOUNS}|contents?|contexts?|instructions?|follow(?:s|ing)|below)\b[^.!?\n]*:[ \t]*\n", _LINES),
    re.compile(r"^(?![^\n]*\b(?:i|me|myself|us|my|our|updates?|news|facts?|changes?|things?|remember|know|note|reminders?|corrections?|hi|hello|hey|okay|ok|so|fyi)\b)[^\n]*:[ \t]*\n[ \t]*\n", _LINES),
    re.compile(rf"{_START}{_PLEASE}{_WORK}\b(?!\s+(?:what|our|everything|all)\b)", _LINES),
    re.compile(rf"{_START}[^.!?:\n]*\b(?:{_NOUNS})\s+(?:from|by|of)\b[^.!?:\n]*:(?=\s)", _LINES),
    re.compile(r"\b(?:read|look at|check(?: out)?|see|consider|got|use)\s+(?:this|these|the following)[ \t]*:(?=\s)", re.IGNORECASE),
    # who speaks
    re.compile(r"^[ \t\[(]*\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?[ \t\])]*$", _LINES),
    re.compile(r"^[^\w\n]*\d[\d./-]*(?:,?\s+\d{1,2})?:\d\d(?::\d\d)?(?:\s?[ap]m)?[\])]?[ \t,–-]+[^\n:]{1,40}:[ \t]", _LINES),
    re.compile(rf"^[^\w\n]*{_ROLE}[*_]*:", _LINES),
    re.compile(rf"^[^\w\n]*[A-Z][\w'’.-]*[ \t]+[A-Z][\w'’.-]*[*_]*:[ \t]+(?i:{_MINE})", re.MULTILINE),
    # what the assistant is to be
    re.compile(rf"{_START}(?:from now on,?\s+)?you\s+are\s+(?:now\s+)?(?:an?|the|my|our|called|named)\s+(?:[\w-]+[\s,]+){{0,5}}?{_PART}\b(?!['’])", _LINES),
    re.compile(r"\b[Yy]ou\s+are\s+[A-Z][\w-]*,\s+an?\b"),
)  # fmt: skip
# To the end of its line, or in its sentence, it is made up, an example, or what somebody said.
_FRAMED = (
    re.compile(r"[^.!?\n]*,\s*according to\s+(?!(?:my|our|me|us)\b)[^.!?\n]*", _LINES),
    re.compile(r"\baccording to\s+(?!(?:my|our|me|us)\b)[^.!?\n]*", _LINES),
    re.compile(rf"(?:^|(?<=[.!?,;]\s))(?:(?:and|so|but|well)\s+)?in\s+(?:my|our|the|an?|this|that|his|her|their|one|some)\s+(?:[\w'’-]+\s+){{0,3}}?(?:novel|book|play|film|movie|game|dream|screenplay|song|tale|fanfic|comic|scenario|series|show|campaign|saga|{_NOUNS})\b[^\n]*", _LINES),
    re.compile(r"(?:^|(?<=[.!?,;]\s))(?:for example|for instance|e\.g\.|as an example|an? example(?: \w+){0,3}|example|hypothetically|let['’]s (?:say|pretend|imagine|suppose|assume)|imagine|suppose|picture)\b(?![^.!?\n]{0,30}\b(?:never|didn['’]t|had not|hadn['’]t)\b)[^\n]*", _LINES),
    re.compile(rf"\b(?!(?:i|we|and|but|so|as|that|which)\b)[\w'’-]+\s+(?:just\s+|has\s+|had\s+|once\s+|then\s+|also\s+)?{_SAYS}\b[^.!?:\n]{{0,30}}?(?::|,?[ \t]*[\"“«])[^\n]*", re.IGNORECASE),
    re.compile(r"[^.!?\n]*\s(?:he|she|they|(?!I\b)[A-Z][\w'’-]*)\s+(?:said|says|wrote|writes|replied|texted)[\s\"”]*(?:[.!?]|$)", re.MULTILINE),
    re.compile(r"[^.!?\n]*,\s*[\"”]?\s*(?:said|says|wrote|writes|replied)\s+(?:he|she|they|(?!I\b)[A-Z][\w'’-]*|my \w+)[\s\"”]*(?:[.!?]|$)", re.MULTILINE),
)  # fmt: skip
_SAID_SO = re.compile(rf"{_SAYS}\b[^.!?:\n]{{0,30}}?:[ \t]*\n", re.IGNORECASE)
_LABEL = re.compile(rf"^[^\w\n]*(?P<who>{_NAMED})[*_]*:[ \t]+(?P<said>\S[^\n]*)", re.MULTILINE)
_NO_SPEAKER = re.compile(
    r"(?:update|news|note|ps|p\.s\.|btw|fyi|also|correction|reminder|edit|context|work|home|family|health|plan|plans|today|tomorrow|first|second|next|last|finally|bonus|fact|actually|sorry|oh|hey|hi|hello|well|so|anyway|info|details?|status|change|job|school|question|me|thanks|yes|no|ok|okay|right|true|listen|look|plus|then|now|important|urgent|warning|decision|result|outcome|summary|recap|settled|done|confirmed|decided|final|remember|please|reverie|\w+day)\b",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"\b(?i:thanks|thank you|many thanks|regards|best|best wishes|cheers|sincerely|yours|love|xx?|see you|talk soon)(?i:(?:[ \t]+(?:so much|a lot|again|truly|faithfully|sincerely|in advance))?)"
    rf"(?:[ \t]*[,.!–—-]*[ \t]*\n+[ \t–—-]*|,[ \t]+(?!Reverie\b)){_NAMED}\.?[ \t]*$|^[ \t]*Sent from my\b",
    re.MULTILINE,
)
_ABOVE = re.compile(
    rf"\b(?:{_WORK}|explain|shorten|polish|correct|reply to|respond to)\b[^.!?\n]*\babove\b", re.IGNORECASE
)
_COMES_FROM = re.compile(
    rf"\b(?:this|that|it|{_NOUNS})\s+(?:is\s+|was\s+|came\s+)?(?:from|by)\b|\b(?:received|forwarded)\b|\b(?!(?:i|we)\b)\w+\s+(?:just\s+|has\s+)?(?:wrote|writes|texted|e?mailed|posted|messaged|sent)\b",
    re.IGNORECASE,
)
_HELLO_YOU = re.compile(rf"^[ \t]*{_HELLO}[ \t]+(?!{_US}\b)\w[\w'’.-]*,", re.IGNORECASE)
# "Bob, please forget …": said to somebody who is not the assistant
_TO_ANOTHER = re.compile(
    rf"(?!(?i:{_US}|please|ok|okay|so|well|also|plus|now|then|and|but|oh|hey|hi|hello|sorry|thanks|thank you|cheers|right|alright|btw|fyi|ps|listen|look|wait|ah|um|hm+|now|sure|nope|yep|bye|news|update|correction|reminder|"
    r"good|great|fine|yes|yeah|no|actually|anyway|instead|however|today|tomorrow|still|sir|madam|oi|in|on|at|by|for|one|\w+ly|erase|delete|forget|remove|wipe|gone|drop|bin|scrub|purge|destroy)\b)"
    r"[A-ZÀ-Þ][a-zà-ÿ]+(?:\s[A-ZÀ-Þ][a-zà-ÿ]+)?,\s+(?:please|can|could|would|will|do|don['’]t|you|forget|delete|erase|remove|drop)\b"
)
# What is done with a text and not with memory.
_WORKS_ON_A_TEXT = re.compile(
    rf"{_START}{_PLEASE}(?:shorten|polish|improve|edit|check|explain|reply|respond|analy[sz]e|classify|review|draft|read|fix|correct|answer)\b"
    rf"[^.!?\n]{{0,40}}\b(?:this|these|above|below|following|{_NOUNS}|grammar|spelling|wording|tone|attached)\b|\b{_WORK}\b|\btl;?dr\b|"
    r"\bsummary of\b|\bwhat (?:does|do) (?:this|these|that|it)\b[^.!?\n]*\b(?:say|mean|want)|\bwhat do you (?:think|make) of\b|"
    r"\bis (?:this|it)\b(?! (?:possible|ok|okay|all right) (?:to|if)\b)[^.!?\n]*\?|\bshould i (?:answer|reply|respond|write|say)\b",
    _LINES,
)  # fmt: skip


def own_words(message: str, *, framed: bool = True) -> str:
    """
    *message* with everything that is not the owner's own words blanked; every word keeps its place.

    With *framed* also what they report, make up or give as an example.
    """
    if _ABOVE.search(message):
        return _blank(message)
    own = message[:LOOKED_AT]
    for pattern in _WRAPPED:
        own = pattern.sub(lambda m: _blank(m[0]), own)
    end = min([m.start() for pattern in _FROM_HERE if (m := pattern.search(own))] + [_spoken(own), len(own)])
    if _SIGNED.search(own[:end]):
        end = 0
    own = own[:end]
    for pattern in _FRAMED if framed else ():
        own = pattern.sub(lambda m: _blank(m[0]), own)
    return own + _blank(message[len(own) :])


def surely_own(message: str, start: int) -> bool:
    """
    Whether what stands at *start* of *message*, in its own words, is surely said by the owner and for memory.

    Not where a text is to be worked on, nor after words that introduce others'.
    """
    before = message[:start]
    for pattern in _WRAPPED:  # what is marked as another's ends where its mark ends
        before = pattern.sub(lambda m: _blank(m[0]), before)
    if re.search(r":[ \t]*\n|:[ \t]*$", before.rstrip(" \t")) or any(p.search(before) for p in (*_FRAMED, _COMES_FROM)):
        return False
    if _HELLO_YOU.match(message) or _TO_ANOTHER.match(message[start:]):
        return False
    return not _WORKS_ON_A_TEXT.search(own := message[:LOOKED_AT]) and not _SIGNED.search(own)


def _spoken(text: str) -> int:
    """Where people begin to speak by turns; the end of *text* where they do not."""
    if m := _SAID_SO.search(text):
        return m.start()
    turns = [m for m in _LABEL.finditer(text) if not _NO_SPEAKER.match(m["who"])]
    if len({m["who"] for m in turns}) > 1 and any(re.match(_MINE, m["said"], re.IGNORECASE) for m in turns):
        return turns[0].start()
    alone = next((m for m in turns if re.match(_MINE, m["said"], re.IGNORECASE)), None)
    return alone.start() if alone else len(text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
