"""
Chat English -> plain English, one sentence at a time, so that the patterns need to know one way of saying each thing.

Only wording that carries no fact is touched: spellings of function words, asides, clefts, tags, softened futures.
Names and values stay as they were written.
"""

import re

from memory_store.rephrasing import rephrased

_NP = r"(?:my|our|the)\s+[a-z][\w'’ -]*?"
_WEEKDAYS = {
    day[:3].lower(): day for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
}
_SPELLINGS = (
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "have to"),
    (r"(?<!\w)(?:['’]?cause|cuz|cos|bc)\b(?=\s+(?:my|our|the|we|i|it)\b)", "because"),
    (r"\b(do|does|is|are|was|were|did|would|could|should|have|has)nt\b", r"\1n't"),
    (r"\b(?:that|it|what|who|here|there)s(?=\s+(?:my|our|the|called|now)\b)", lambda m: f"{m[0][:-1]}'s"),
    (r"(?<=['’]s )me (?=[a-z])", "my "),
    (r"^im(?=\s)", "I'm"),
    (r"^ive(?=\s)", "I've"),
    (r"^weve(?=\s)", "We've"),
    (r"\bpls\b|\bplz\b", "please"),
    (r"\bu (?=can|could|should)", "you "),
    (r"\bya\b", "you"),
    (
        (
            r"^(?=(?:wife|husband|mum|mom|dad|kids?|son|daughter|dog|cat|boss|landlord|landlady|flatmate|roommate|sister|brother|girlfriend|boyfriend|dentist|vet|therapist)"
            r"(?:['’]s (?:name|birthday|school|teacher|number|surname)\b|\s(?:goes|go|works?|lives?)\s(?:to|at|in|for)\s))"
        ),
        "my ",
    ),
    (r"\bdnt\b", "don't"),
    (r"\b(my|his|her|their|\w+['’]s) (g|b)f\b", lambda m: f"{m[1]} {'girl' if m[2].lower() == 'g' else 'boy'}friend"),
    (
        r"\b(on|and|or|every|to|next|this|till|until|from|&) (mon|tues?|wed|thurs?|thu|fri|sat|sun)(s?)(?=\s*(?:$|[.,!;&/]|(?:and|or|at|to|till|from|morning|afternoon|evening|nights?|\d)))",
        lambda m: f"{m[1]} {_WEEKDAYS[m[2][:3].lower()]}{m[3]}",
    ),
    (r"\b(my|our) ([a-z]+)s(?= (?:name|birthday|number|address|phone|email)\b)", r"\1 \2's"),
)
# What people hang on the end of a sentence, or put in its middle, that says nothing.
_REMARK = (
    r"(?:ok(?:ay)?|right|yeah|tbh|imo|imho|btw|fyi|lol|haha|ugh|sigh|phew|yay|to be (?:honest|fair|clear|sure|safe)|honestly|basically|obviously|of course|naturally|sadly|luckily|"
    r"thankfully|fortunately|unfortunately|thank (?:god|goodness|heavens)|just so you know|so you know|just fyi|for your information|by the way|for what it['’]s worth|believe it or not|you know|"
    r"no (?:more,? no less|surprise(?: there)?|less|doubt|kidding)|tops|at (?:most|best|least)|max|give or take|more or less|don['’]t (?:judge|ask|laugh|worry)(?: me)?|trust me|mind you|if you must know|"
    r"that['’]s (?:agreed|settled|final|decided|a given|for sure)|(?:that much is|it['’]s) (?:agreed|settled|certain|decided)|finally|as (?:agreed|usual|always|ever|it happens|far as i know|you know)|"
    r"(?:it |and |and it )?(?:has|['’]s) been (?:so |that way |like that )?(?:since|for)\b[^.!?]*|(?:it |which |and )?(?:used to be|was previously|previously|formerly|up from|down from)\s+[^,.!?]{1,30}|"
    r"for (?:now|sure|the record|the time being)|in a way|so to speak|really|actually|though|anyway|after all|in the end|at the end of the day|(?:which|and) (?:still )?(?:feels|is|was|seems) (?:so |really |very |quite |a bit |pretty )?(?-i:[a-z]+)|"
    r"(?:thanks|thank you|cheers)(?: a lot| so much)?|please|and that['’]s (?:that|final|it)|simple as that|period|full stop)"
)
_TAG_END = re.compile(
    rf"(?:\s*[,;]\s*|\s+[—–-]\s+|\s+(?=(?:tbh|btw|fyi|imo|imho|lol|haha)\b)){_REMARK}\s*(?P<end>[.!]*)$", re.IGNORECASE
)
_ASIDE_NAMED = re.compile(
    r"\s*[(\[](?:(?:yes|yep|and|well|also|so|oh)[,:]?\s+)?(?P<p>they['’]re|they are|he['’]s|he is|she['’]s|she is|it['’]s|it is|that['’]s|that is|who['’]s|who is|which is)\s+(?P<np>(?:my|our|the)\s+[^()\[\]]+?)[!.]?[)\]]",
    re.IGNORECASE,
)
_ASIDE_NOUN = re.compile(r"\s*\((?P<np>(?:my|our)\s+[a-z][a-z -]*)\)(?=\s*[.!,;]|\s*$)", re.IGNORECASE)
# "…, which still feels unreal": how it strikes them, not what it is.
_HAS_DONE = re.compile(
    r"(?<=\w)['’]s\s+(?=(?:now\s+|just\s+|recently\s+)?(?:taken over|become|left|joined|moved|switched|replaced|retired|quit|stepped|gone|agreed|offered|delayed|postponed|cancell?ed|rescheduled|been (?:delayed|postponed|cancell?ed|rescheduled|moved|pushed|put|raised|cut|called off))\b)",
    re.IGNORECASE,
)
_SOME_ONE = re.compile(
    r"\b(?:this|an?|some|the)\s+(?:(?:really |very )?\w+\s+)?(?:guy|woman|man|lady|person|place|company|firm|outfit|app|tool|shop|bloke|girl|boy|kid|chap|fellow|team)\s+(?:who['’]s |that['’]s |which is |who is )?(?:called|named)\s+(?=[A-Z0-9])"
)
_STRIKES = re.compile(
    r",\s+(?:which|and that|and it|and this)\s+(?!(?:is|are)\s+(?:my|our|the|where|who)\b)(?:still\s+|also\s+|really\s+|just\s+)?(?:feels|is|was|seems|makes|suits|works|sounds|looks|took|means a lot|(?:my|our) \w+ (?:loves?|hates?))\b(?-i:[a-z ,'’-]*)(?P<end>[.!]*)$",
    re.IGNORECASE,
)
_CLEFT = re.compile(
    rf"^(?P<lead>(?:(?:and|but|so|also|oh|since|because|as|keep in mind(?: that)?|note that)[,]?\s+)*)it(?:['’]s|\s+is)\s+(?:really\s+|actually\s+|always\s+)*(?P<b>{_NP})\s+(?:that|who|which)\s+(?=[a-z]+s\b)",
    re.IGNORECASE,
)
_IS_WHAT = re.compile(
    rf"(?P<b>{_NP})\s+(?:is|are)\s+(?:the (?:one|person|thing|people)\s+(?:who|that|which)|what|who|how)\s+(?P<v>decides?|determines?|drives?|sets?|dictates?|governs?|picks?|chooses?|controls?)\s+",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"^(?:since|because|seeing that|given that)\s+(?P<tie>(?:my|our|the)\s+[^,]+?\s(?:decides?|determines?|drives?|sets?|dictates?|governs?|picks?|chooses?|controls?|depends?|hangs?|hinges?)\b[^,]*),\s+.*$",
    re.IGNORECASE,
)
_SET_AS = re.compile(
    r"(?<=\w)(?P<be>['’]s|\s+is|\s+has|\s+are|\s+have)\s+(?:now\s+)?been\s+(?:set|moved|changed|fixed|scheduled|booked)\s+(?:to|for|at|as)\s+",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"^(?:(?:so|and|also|oh)[,]?\s+)*(?:we|i)(?:['’]ve|\s+have)?\s+(?:just |finally |all )?(?:decided|agreed|settled|said|figured)\s+(?:that\s+)?(?P<np>(?:my|our|the)\s+[a-z][\w -]*?)\s+(?:would|will|should|is (?:going )?to)\s+be\s+",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"^(?:(?:and|so|also|oh|but)[,]?\s+)*(?:plan b|the plan b|(?:the |our |my )?(?:fallback|backup|back-up)(?: plan)?|(?:the |our |my )?plan|(?:the |our )?rule)[,:]?\s+(?:is\s+)?(?P<if>if|when|once|in case)\s+(?P<c>[^:,]+)[:,]\s+(?:we (?:take|use|go with)\s+)?",
    re.IGNORECASE,
)


# "for the wedding, our florist is …": where it belongs, before what it is
_FOR_TOPIC = re.compile(
    r"^for (?:the|our|my) [a-z]+(?: [a-z]+)?,?\s+(?=(?:my|our)\s[^,]+?\s(?:is|are)\s)", re.IGNORECASE
)


_S_NOT = re.compile(rf"^(?P<np>{_NP})['’]s\s+not\s+", re.IGNORECASE)


_CALLED = re.compile(
    r"\b(?P<be>is|are|be)\s+(?:(?:re)?named|(?:re)?titled|called|dubbed|christened)\s+(?=(?:the\s+|an?\s+)?(?-i:[A-Z]))",
    re.IGNORECASE,
)


def plainer(sentence: str) -> str:
    """*sentence* in the wording that the patterns know; the same where it is plain already."""
    text = sentence
    for pattern, plain in _SPELLINGS:
        text = re.sub(pattern, plain, text, flags=re.IGNORECASE)
    text = _ASIDE_NAMED.sub(lambda m: f", {m['p']} {m['np']}", text)
    text = _ASIDE_NOUN.sub(lambda m: f", {m['np']}", text)
    for _ in range(2):
        text = _TAG_END.sub(lambda m: m["end"] or ".", text)
    text = _HAS_DONE.sub(" has ", text)
    text = _SOME_ONE.sub("", text)
    text = _STRIKES.sub(lambda m: m["end"] or ".", text)
    text = _FOR_TOPIC.sub("", text)
    text = _S_NOT.sub(lambda m: f"{m['np']} isn't ", text)
    text = _CALLED.sub(lambda m: f"{m['be']} ", text)
    text = _PLAN.sub(lambda m: f"{m['if']} {m['c']}, it's ", text)
    text = _CLEFT.sub(lambda m: f"{m['lead']}{m['b']} ", text)
    text = _IS_WHAT.sub(lambda m: f"{m['b']} {m['v']} ", text)
    text = _SINCE.sub(lambda m: m["tie"], text)
    text = _DECIDED.sub(lambda m: f"{m['np']} is ", text)
    return rephrased(_SET_AS.sub(" is ", text))
