"""
What a message asks to have forgotten, in whatever words: an order or a wish to whom it speaks, a verb of putting out of
mind, of taking away or of not keeping, and what is to go.

What is to go need not be understood: it is named by the words that stand for it, in the same sentence, or, where that
has only `it`, before it. What takes away or does not keep asks for forgetting only where it is something told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memory_store.deletions import find_deletion
from memory_store.familiar import Familiar
from memory_store.lists import find_listed
from memory_store.mentions import Mention, mention
from memory_store.sentences import Sentence, sentences
from memory_store.statement import Statement

_LONGEST = 500  # characters; longer sentences ask for no forgetting
_FURTHEST_BACK = 2  # sentences, from one that only says `it` to what that means


@dataclass(frozen=True)
class Plea:
    """
    A wish that *what* be forgotten, told at `message[start:end]`. *it*: the words for it are those that stand before
    `it`, and say more than its name.
    """

    what: str
    start: int
    end: int
    it: bool = False


# -- to whom it is said ---

_MY = r"(?:i|we)"
_YOU = r"(?:you|u|ya)"
_WOULD = rf"(?:{_MY}(?:['’]d| would| should)?)"
# What may stand before the verb of an order or a wish; nothing else may.
_UNITS = (
    r"(?:please|kindly) you|please|pls|plz|just|now|so|and|but|oh|hey|hi|hello|hiya|ok|okay|right|listen|look|also|then|too|do|mate|thanks|sorry|yes|no|"
    r"(?!reply|family|july|fly|apply|supply)[a-z]+ly|for (?:me|us|good|now)|if (?:you|u) (?:can|could|would|will|may|please|don['’]?t mind|wouldn['’]t mind)|if (?:possible|at all possible|that['’]s (?:ok|okay|all right|alright))|"
    r"by the way|btw|one (?:more thing|last thing|thing)|another thing|quick one|(?:one|a) (?:more |last )?(?:request|favou?r)|as well|while you['’]re at it|"
    r"(?:is it|would it be|might it be) (?:at all )?(?:possible|ok|okay|all right|too much)(?: for you)?(?: to(?: ask you to)?| if you)|(?:could|can|may|might) i (?:trouble|ask|bother|beg|get) (?:you|u)(?: to)?|go ahead and|feel free to|(?:be|make) sure (?:to|that|(?:that )?you)|see to it that you|try to|remember to|let['’]s|better|best|"
    r"be so (?:kind|good) (?:as to|and|to)|(?:would|will|could) (?:you|u) be so (?:kind|good) as to|have the (?:kindness|goodness) to|do (?:me|us) (?:a|the|one) (?:\w+ )?(?:favou?r|kindness)(?: and|,| by)?|"
    rf"(?:can|could|would|will|may|might|should|must|can['’]t|couldn['’]t|won['’]t|cannot) (?:{_YOU}|we|i ask (?:you|that you)(?: to)?)(?: not)?|"
    rf"(?:would|do|should|could) (?:{_YOU}) mind(?: if {_YOU})?|why (?:don['’]t|not)(?: {_YOU})?|how about(?: {_YOU})?|what about|"
    rf"{_YOU} (?:can|could|may|might|should|must|ought to|have to|need to|are to|['’]?re to|had better|will|would do well to|are (?:kindly |hereby |now )?(?:requested|asked|invited|begged|free|allowed) to)|(?:you)['’](?:re to|ll|d better|d best)|"
    rf"{_WOULD}(?: (?:very much|really|also|still|now|kindly|hereby|therefore|rather|much|all))*(?: (?:have to|need to|must|want to|wish to|like to|like|love|want|need|wish|prefer|ask|beg|urge|implore|request|require|trust|expect|mean|hope|asking|begging|telling|appreciate|insist))+(?: (?:it|for|of|on))?(?: (?:if|that))? {_YOU}(?: (?:to|could|would|can))*|"
    rf"(?:i['’]m|i am|we['’]re|we are) (?:asking|begging|telling|going to ask|requesting)(?: that)? {_YOU}(?: to)?|"
    rf"{_WOULD} rather(?: that)? {_YOU}(?: just| could| would|['’]d)?|"
    rf"{_WOULD}(?: \w+)? (?:be|feel|sleep|rest) (?:\w+ )?(?:better|happier|happy|glad|grateful|easier|safer|pleased|obliged|relieved|best)(?: (?:if|when|knowing that|with|to have))(?: {_YOU}(?:['’]d)?)?(?: (?:could|would))?|"
    rf"(?:it|that)(?:['’]d| would| might)? be (?:\w+ )?(?:good|best|better|nice|kind|great|lovely|wise|safer|wiser)(?: of {_YOU})? (?:if {_YOU}(?:['’]d| could| would)?|to)|it['’]s (?:best|better|safer)(?: if| that)? {_YOU}|"
    rf"{_MY} wish(?: that)? {_YOU}(?:['’]d| would| could)?|(?:my|our) (?:wish|request) is that {_YOU}|thank you for|thanks for"
)  # fmt: skip
_NOT_UNITS = (
    rf"don['’]?t|do not|dnt|didn['’]?t|did not|doesn['’]t|wouldn['’]t|hadn['’]t|had not|had never|{_YOU} need(?:n['’]t| not)|not|never|no longer|stop|quit|cease|avoid|refrain from|"
    rf"(?:there['’]s |there is )?no (?:point|sense|use)(?: in)?(?: your)?|(?:there['’]s |there is |you have |you['’]ve |have |you['’]ve got )?no (?:longer any )?(?:need|reason|call)(?: any ?more| any longer)?(?: for {_YOU})? to|{_YOU}(?: really)? (?:don['’]t|do not|no longer) (?:need|have) to|{_YOU} no longer (?:need|have) to|no more|"
    rf"{_MY} (?:don['’]?t|do not|didn['’]t|no longer|never|wouldn['’]t) (?:really )?(?:want|need|wish|like|wanted|meant|mean)(?: for)? {_YOU}(?: to)?|{_WOULD} (?:rather|prefer)(?: it)?(?: if| that)? {_YOU} (?:didn['’]t|did not|not|don['’]t|never|no longer|hadn['’]t|had never|had not)|"
    rf"(?:i['’]m|i am|we['’]re|we are)(?: not| n['’]t) (?:\w+ )?(?:comfortable|happy|easy|keen)(?: with| about| on)(?: {_YOU}| your)?|"
    rf"{_YOU} (?:should|must|ought|may|can|could|were|are)(?:n['’]t| not| never| no longer)(?: to)?|{_YOU} can stop"
)
_ORDER = re.compile(rf"\W*(?:(?:{_UNITS})(?![\w'’])[\s,:—–-]*)*", re.IGNORECASE)
_NOT_TO = re.compile(
    rf"\W*(?:(?:{_UNITS})(?![\w'’])[\s,:—–-]*)*(?:{_NOT_UNITS})(?![\w'’])[\s,]*(?:(?:to|ever|please|even|just|be|longer|have)(?![\w'’])[\s,]*)*",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:—–]\s*|\s-+\s|\.\.+\s*|\b(?:and|so|but|then|or|because|since|therefore)\s+", re.IGNORECASE)

# -- what is to be done ---

_STORE = (
    r"(?:your|its)\s+(?:\w+\s+)?(?:memor(?:y|ies)|notes?|notebook|records?|mind|head|books?|files?|logs?|history|database|knowledge|system|storage|profile|brain|data|archives?|recollection|ledger|list)|"
    r"(?:the|my|our|this|these|any|all|every)\s+(?:\w+\s+)?(?:memor(?:y|ies)|notes?|records?|database|files?|books)(?!\s+\w+ing\b)|"
    r"memory|mind|record|file|here|there|(?:every|any)where|(?:what|everything|anything|all|whatever)(?: that)? (?:you|u|is|has been)(?: have)? (?:know|have|remember|stored?|keep|kept|saved|noted)(?: here)?(?: (?:about|on|of) (?:me|us))?|(?:everything|all|anything) (?:stored|kept|saved|noted)(?: here)?"
)
_OUT_OF_STORE = re.compile(rf"\s+(?:out\s+|away\s+|off\s+)?(?:from|of|off|out of|in|on|inside|within)\s+(?:{_STORE})(?![\w'’])(?:\s+(?:any ?more|any longer|at all))?", re.IGNORECASE)  # fmt: skip
_PARTICLE = re.compile(r"^(?:out|off|away|up|down|aside)\s+(?!of\b|to\b|with\b)", re.IGNORECASE)
_ANYWHERE = re.compile(r"\s+(?:(?:every|any)where|in here)$", re.IGNORECASE)
_STORED = re.compile(rf"{_OUT_OF_STORE.pattern}|\bon (?:file|record)\b", re.IGNORECASE)
_MIND = r"forget(?:ting)?|forgot|un-?learn(?:ing|ed)?|un-?know(?:ing)?|un-?remember(?:ing)?|un-?hear(?:ing)?|un-?see"
_AWAY = (
    r"delet(?:e|ing|ed)|eras(?:e|ing|ed)|remov(?:e|ing|ed)|wip(?:e|ing|ed)|dropp?(?:ing|ed)?|los(?:e|ing|t)|scratch(?:ing|ed)?|str(?:ike|iking|uck)|scrubb?(?:ing|ed)?|scrapp?(?:ing|ed)?|clear(?:ing|ed)?|"
    r"purg(?:e|ing|ed)|expung(?:e|ing|ed)|binn?(?:ing|ed)?|ditch(?:ing|ed)?|dump(?:ing|ed)?|toss(?:ing|ed)?|trash(?:ing|ed)?|discard(?:ing|ed)?|rubb?(?:ing|ed)?|th?row(?:ing)?|threw|tak(?:e|ing)|took|cut(?:ting)?|leav(?:e|ing)|left|"
    r"get(?:ting)? rid of|got rid of|get(?:ting)?|got|rid (?:yourself|your (?:notes|memory|records|files)) of|let(?:ting)? go of|let(?:ting)?(?! [^,;.]+ (?:stay|remain|sit|linger|lie|be|stand|live)\b)|kick(?:ing)?|blot(?:ting)?|black(?:ing)?|destroy(?:ing|ed)?|shred(?:ding)?|cross(?:ing)?|redact(?:ing|ed)?|"
    r"dispos(?:e|ing) of|do(?:ing)? away with|did away with|out with|away with|mak(?:e|ing)|put(?:ting)?|disregard(?:ing|ed)?|ignor(?:e|ing|ed)|cancel(?:ling)?|undo(?:ing)?|unsay(?:ing)?|un-?note|nix|zap|nuke|obliterate|eliminate|withdraw|burn|part with"
)
# What takes away only with a word more: `leave it out`, `make it disappear`.
_NEEDS_MORE = re.compile(r"(?:rubb?|th?row|threw|tak|took|cut|leav|left|get|got|kick|blot|black|cross|put)(?:e|ing|ting|ed)?", re.IGNORECASE)  # fmt: skip
_MORE = re.compile(
    rf"^\s+(?:out|off|away)\s+(?:what|all|everything|my|our|the|that|this|his|her)\b|\b(?:out|off|away)\b(?=\W*$|[,;!?—–]|\.\s|\s+(?:please|pls|of|from|now|again|for|entirely|completely|as well|too|would|will|could|ok)\b)|\s(?:from|of)\s+(?:{_STORE})(?![\w'’])",
    re.IGNORECASE,
)
_VANISH = re.compile(r"\b(?:slip|fade|disappear|vanish|go away|gone|go)\b", re.IGNORECASE)
_MAKE = re.compile(r"(?:mak(?:e|ing)|let(?:ting)?)", re.IGNORECASE)
_SPEAK = re.compile(r"mention(?:ing|ed)?|bring(?:ing)? up|repeat(?:ing)?", re.IGNORECASE)
_PAST = re.compile(r"(?:forgot|(?!shred|need)\w+ed|lost|threw|took|left|got|struck|kept|held|knew|had|heard|learn(?:ed|t)|seen|known|been told|w(?:ere|as) told|did away|got rid)\b", re.IGNORECASE)  # fmt: skip
_OF_YOU = re.compile(r"\b(?:you|u)(?:['’]d| had| have)?\b(?:[\s,]+(?:just|please|all|ever|never|not|no longer|also|now|simply|didn['’]t|hadn['’]t))*\W*$", re.IGNORECASE)  # fmt: skip
_TAKES_ING = re.compile(r"\b(?:mind|about|stop|quit|cease|avoid|refrain from|no more|for|with (?:you|your)|about (?:you|your)|appreciate(?: you| your)?|consider|(?:point|sense|use)(?: in)?|you|your)\W*$", re.IGNORECASE)  # fmt: skip
_AND_ONLY = re.compile(r"\b(?:and|but|then|or|because|since|therefore)\s+$", re.IGNORECASE)
_SOMEBODY_DOES = re.compile(r"^\W*(?:(?:and|so|but|oh|well|today|yesterday|sometimes|often)[\s,]+)*(?:i|we|he|she|they|it|people|everybody|everyone|somebody|someone|nobody)\b(?!['’]?d?\s+(?:like|want|need|ask|beg|rather|prefer))", re.IGNORECASE)  # fmt: skip
_KEEP = (
    r"let(?:ting)?(?= [^,;.]+ (?:stay|remain|sit|linger|lie|be|stand|live)\b)|keep(?:ing)?(?: (?:hold|track|note|a note|a record|record) of)?|kept|remember(?:ing|ed)?|stor(?:e|ing|ed)|sav(?:e|ing|ed)|hold(?:ing)?(?: on to| onto)?|held(?: on to| onto)?|hang(?:ing)? on to|retain(?:ing|ed)?|record(?:ing|ed)?|not(?:e|ing|ed)|"
    r"logg?(?:ing|ed)?|kn(?:ow|ew|owing|own)|hav(?:e|ing)|had|memori[sz](?:e|ing|ed)|bear(?:ing)? in mind|keep(?:ing)? in mind|mention(?:ing|ed)?|bring(?:ing)? up|heard|hear|learn(?:ed|t)?|seen|been told|were told|was told|repeat(?:ing)?"
)
_NO_TRACE = (
    r"(?:keep|have|hold|leave|retain|there (?:to )?be|there (?:was|were|is)|had|kept|left|want|leaving)\s+no(?: more| further)? (?:memory|memories|records?|traces?|notes?|knowledge|mention|recollection|copy|copies) (?:of|about|on)|"
    r"(?:not|n['’]t)\s+(?:keep|have|hold|leave|retain|had|kept|left)\s+(?:any|a) (?:memory|memories|records?|traces?|notes?|knowledge|mention|recollection|copy|copies) (?:of|about|on)"
)
_ACT = re.compile(rf"(?<![\w'’-])(?:(?P<mind>{_MIND})|(?P<trace>{_NO_TRACE})|(?P<away>{_AWAY})|(?P<keep>{_KEEP}))(?![\w'’-])", re.IGNORECASE)  # fmt: skip
_PRETEND = re.compile(
    rf"\b(?:pretend(?:ing)?|act|behave|carry on|imagine|treat (?P<x>.+?))\b(?:,? (?:like|as if|as though|that))? ?(?:{_MY}|{_YOU})(?:['’]d| had| have)?\s*(?:never|didn['’]t|hadn['’]t|did not|had not)\s+(?:ever )?"
    r"(?:been told|told|tell|said|say|mentioned?|shared?|gave|give|heard?|learn(?:ed|t)?|knew|know|seen?|came across|told you|tell you)\b(?: (?:you|anything|a word))*(?: (?:about|of))?",
    re.IGNORECASE,
)
# `I take back what I said of X`
_MINE = re.compile(
    rf"\b{_MY}(?:['’]d| would| do| hereby| now| must| want| wish| need| have| ['’]ll| will|['’]ll| should| can)?(?: (?:like|love|want|wish|have|need|rather|prefer))?(?: to)? (?:un-?say|take(?: (?P<x>[^,;.]{{2,60}}?))? back|withdraw|retract|revoke)\b",
    re.IGNORECASE,
)
_GONE = r"forgotten|deleted|erased|removed|wiped|scrubbed|purged|expunged|gone|dropped|cleared|unlearned|binned|scrapped|scratched|thrown (?:out|away)|struck(?: out| off)?|taken (?:out|off|away)|rubbed out|off|destroyed|redacted|lost"
_HELD = r"kept|stored|saved|recorded|retained|held|noted|remembered|logged|known|on file|on record|in here|written down|mentioned|repeated|anywhere"
# Said of the thing: `X should be wiped`, `could that be removed`, `I want X gone`, `that X not be kept`.
_PASSIVE = (
    re.compile(rf"^(?P<x>.+?)\s+(?:(?:should|must|shall|ought to|has to|have to|needs? to|is to|are to|can|could|may|might|will|had better|is better|would be better|is best)\s+(?:(?:please|now|also|all|just|really|simply|safely|then)\s+)*(?:be|get)\s+)(?:(?:now|completely|entirely|all|quietly)\s+)*(?:{_GONE})\b", re.IGNORECASE),
    re.compile(r"^(?P<x>.+?)\s+(?:needs?|wants?)\s+(?:deleting|erasing|removing|wiping|forgetting|scrubbing|purging)\b", re.IGNORECASE),
    re.compile(r"^(?P<x>.+?)\s+(?:has|have|needs?|ought)\s+to\s+(?:go|disappear|vanish)\b(?!\s+(?:to|into|in|on|for|through|by|with|up|down|back|out)\b)", re.IGNORECASE),
    re.compile(rf"^(?P<x>.+?)\s+(?:has no (?:business|place)(?: being)?|(?:does not|doesn['’]t) belong)\s+(?:in|on|among)\s+(?:{_STORE})", re.IGNORECASE),
    re.compile(rf"^(?P<x>.+?)\s+(?:can|could|may|should|must)\s+(?:now\s+)?(?:go|disappear|vanish)\s+(?:from|out of)\s+(?:{_STORE})", re.IGNORECASE),
    re.compile(rf"^\W*(?:(?:{_UNITS})(?![\w'’])[\s,]*)*(?:can|could|may|might)\s+(?P<x>(?!you\b|i\b|we\b|u\b).+?)\s+(?:please\s+|now\s+|just\s+)*go(?=\W*$|[,;]|\s+(?:please|now)\b)", re.IGNORECASE),
    re.compile(rf"^(?P<x>.+?)\s+(?:should|must|shall|may|ought|is|are|need|had better|can|could|would better)(?:\s?n['’]?t| not| no longer| never)\s+(?:(?:to|longer|really|any more)\s+)*(?:(?:be|stay|remain|sit|lie|stand|get)\s+)?(?:\w+ly\s+)?(?:{_HELD}|(?:in|on|inside)\s+(?:{_STORE}))(?![\w'’])", re.IGNORECASE),
    re.compile(rf"^\W*(?:(?:{_UNITS})(?![\w'’])[\s,]*)*(?:can|could|may|might|should|must|would)\s+(?P<x>(?!you\b|i\b|we\b|u\b).+?)\s+(?:please\s+|now\s+|also\s+)*(?:be|get)\s+(?:{_GONE})\b", re.IGNORECASE),
    re.compile(rf"\b{_WOULD}(?:\s+(?:very much|really|also|still|now|much|rather|please))*\s+(?:(?:like|love|want|need|wish|prefer|see|have)\s+)+(?:to\s+(?:have|see|know|get)\s+|for\s+|that\s+|it if\s+)?(?P<x>(?!you\b|to\b).+?)\s+(?:(?:to be|be|is|was|were|are|to get|gets|got|all|completely|now|safely|should be)\s+)*(?:{_GONE})\b", re.IGNORECASE),
    re.compile(rf"\b{_MY}\s+(?:(?:don['’]?t|do not|no longer|never|didn['’]t)\s+(?:want|need|like|wish for)|(?:would|['’]d)\s+(?:rather|prefer)\s+not(?:\s+(?:have|see|to have|to see))?|hate)\s+(?:to have\s+|having\s+|to see\s+)?(?P<x>(?!you\b|to\b).+?)\s+(?:(?:to be|being|be|to stay|staying|sitting|lying|standing|left|all)\s+)*(?:{_HELD}|(?:in|on|inside)\s+(?:{_STORE}))(?![\w'’])", re.IGNORECASE),
    re.compile(rf"(?:\b(?:ask|asks|request|demand|require|see(?: to it)?|ensure|make sure|be sure|arrange|grateful|glad|happier|happy|better|appreciate it|prefer(?: it)?|rather|wish|like it|kind|please)\b)(?:\s+(?:you|to it|of you))?(?:\s+(?:that|if))?\s+(?P<x>(?!you\b|to\b)[^,;:]+?)\s+(?:(?:is|was|were|are|did|does|do|would|could|should)(?:n['’]t| not)|not|no longer)\s+(?:to\s+)?(?:(?:be|stay|remain|get|being|sit|lie|stand)\s+)?(?:{_HELD}|(?:in|on|inside)\s+(?:{_STORE}))(?![\w'’])", re.IGNORECASE),
    re.compile(rf"(?:\b(?:ask|asks|request|demand|require|see(?: to it)?|ensure|make sure|be sure|arrange|grateful|glad|happier|happy|better|appreciate it|prefer(?: it)?|rather|wish|like it|kind|please)\b)(?:\s+(?:you|to it|of you))?(?:\s+(?:that|if))?\s+(?P<x>(?!you\b|to\b)[^,;:]+?)\s+(?:(?:is|was|were|are|be|gets?|got|has been|could be|should be|would be)\s+)(?:(?:now|all|completely)\s+)*(?:{_GONE})\b", re.IGNORECASE),
    re.compile(rf"^(?P<x>[^,;:]+?)\s*(?::|,|\s[—–-])\s*(?:please[\s,]+)?(?:gone|out|off|away|deleted|erased|forgotten)(?:[\s,]+(?:please|now|with it|of your (?:memory|notes|mind)|from (?:{_STORE})))+\W*$", re.IGNORECASE),
)  # fmt: skip

# -- what is to go ---

_POINTS = re.compile(
    r"(?:about\s+|of\s+)?(?:it|that|this|them|those|these|that one|this one|the lot|all of (?:it|that|this|them)|any of (?:it|that|this)|such|"
    r"(?:that|this|the) (?:fact|detail|thing|bit|part|one|information|info|piece of information)|i (?:ever )?(?:said|told you|mentioned|brought up)(?: it| that| anything)?|(?:that )?i (?:ever )?(?:said|mentioned|told you)(?: (?:it|that|so|this|them))?|what i (?:just )?(?:said|told you|wrote|mentioned)|"
    r"(?:that )?(?:you )?(?:(?:were|was|have been|had been|['’]ve been) )?(?:ever )?(?:heard|knew|saw|read|told|given|shown)(?: (?:of|about))?(?: it| that| this)?)?",
    re.IGNORECASE,
)
# What names the telling rather than the thing.
_TOLD = rf"(?:{_MY})(?:['’]ve| have| had| should(?:n['’]t| not| never) have| ought(?:n['’]t| not| never)(?: to)? have| wish {_MY}(?:['’]d| had|)(?:n['’]t| never| not)?| regret having)?(?: (?:ever|just|once|also|already|recently|carelessly|foolishly|stupidly))*\s+(?:told|gave|given|mentioned|shared|said|wrote|written|passed on|let slip|confided|entrusted)(?: (?:to )?(?:you|u))?"
_TELLING = re.compile(rf"\b(?:that |which |what )?{_TOLD}\b", re.IGNORECASE)
_LEAD = re.compile(
    rf"^\W*(?:(?:about|of|on|regarding|concerning|as for|as to|all|namely|that|this|these|those|the (?:fact|bit|part|thing|detail|note|info|information|entry|stuff|line|name|value|matter|business)s?(?= (?:about|that|on|of|with)\b)|any (?:mention|record|trace|note|memory|talk) of|what(?:ever)?(?= (?:i|we) )|"
    rf"(?:what(?:ever)? |the (?:thing|bit|part|stuff)s? |that |which )?{_TOLD}(?: (?:about|of|on|regarding|concerning|as to|for))?|what (?:the|my|our|a|an) [\w' ]{{2,40}}? (?:said|told (?:me|us)|wrote|thinks?|reckons?)(?: (?:about|of|on))?|(?:you )?(?:know|have|remember|stored|saved|learned|noted)(?: (?:about|on|of))?)(?![\w'’])[\s,:]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:please|pls|now|again|for good|completely|entirely|altogether|too|as well|then|thanks|thank you|cheers|ta|ok|okay|for me|for us|any ?more|any longer|at all|if you (?:can|could|would|will|please|don['’]t mind)|would you|will you|could you|can you|mate|once and for all|at once|straight away|right away|from now on|around|stored|saved|on file|on record|in mind|out|away|off|up|down|go|disappear|vanish|go away|be|gone|stay|"
    r"and (?:then|don['’]t|never|do not|keep|just|please|forget|delete|erase|tell|let|help|remind|give|show|write)\b.*))+\W*$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:,\s+|\s+[—–-]+\s+|\s*[;:]\s*)(?:(?:i|we|they|he|she|you|it|that|this|there|who|which|because|since|as|so|and|but|or|not|ok|okay|will|would|could|can|if|thanks|ta|please|forget|delete|get|don['’]t|"
    r"(?:my|our|the)\s[\w’' -]{2,40}?\s(?:is|are|was|were|has|have|had|will|would|does|did|do|can)(?:n['’]t)?)\b|(?:it|that|i|we|he|she|they)['’]).*$|"
    r",\s+(?:(?:already|just|now|long)\s+)?(?:\w{3,}ed|gone|sold|lost|broken|stolen)\b.*$|"
    r"\s+(?:because|since|cos|[’']cause|so that|before (?:he|she|they|it|someone|somebody|anyone)|in case|as (?:it|that|this|they|he|she|we|i)\b)(?:\s|['’]).*$",
    re.IGNORECASE | re.DOTALL,
)
# `Forget it, I'll do it myself`
_NEVER_MIND = re.compile(r"\s+(?:about )?(?:it|that)[,;.—–-]+\s+(?:(?:i|we)(?:['’](?:ll|m|re)| will| can| am| are)|it doesn['’]t matter|never mind|too late|not worth)\b", re.IGNORECASE)  # fmt: skip
_NO_THING = re.compile(
    r"(?:to|how to|if|when|me|us|him|her|you|yourself|myself|everyone|someone|anything|nothing|everything|all|your|the (?:previous|above|last|first|rest|rules|instructions|whole)|all (?:previous|prior|above)|"
    r"it\s+\w+|that\s+(?:he|she|they|it|you)|go|in|on|up|over|off|down|out|for|back|with|from|about (?:me|you))\b(?!\s+(?:my|our|of)\b)",
    re.IGNORECASE,
)
# What is told, by its kind, rather than a thing that can be thrown away.
_OF_THE_TOLD = re.compile(
    r"\b(?:codes?|numbers?|pins?|pass ?(?:codes?|words?|phrases?)|combinations?|combos?|log-?ins?|logon|credentials|tokens?|address(?:es)?|phone|e-?mails?|details?|names?|amounts?|sums?|figures?|prices?|costs?|salary|wages?|pay|incomes?|earnings|"
    r"rents?|budgets?|bids?|offers?|debts?|mortgages?|loans?|weight|age|height|birthdays?|birth ?dates?|diagnos[ie]s|illness|condition|values?|worth|valuations?|accounts?|iban|balance|savings|keypads?|serials?|licen[cs]e key|serial key|api key|references?|"
    r"whereabouts|wi-?fi|hiding place|secrets?|information|info|dates?|memberships?|patient|passport|results?|scores?|opinions?|medication|tablets|surnames?|username|user name|handle|plates?|locks?)\b",
    re.IGNORECASE,
)
# `the code`, `my sister's address`; or a secret, by its bare name: `wifi password`.
# What stands after the noun that says what sort of thing it is.
_OF_WHAT = re.compile(r"\s(?:of|for|at|in|on|to|from|with|by|under|behind|near|that|which|where|who|we|i|he|she|they)\s", re.IGNORECASE)  # fmt: skip
_DEFINITE = re.compile(
    r"(?:(?:all|any|both)(?: of)? )?(?:my|our|the|that|this|those|these|his|her|their|what|how|where|who|whom|whose|when|which|(?-i:[A-Z])[\w-]+|[\w-]+['’]s)\b|"
    r"(?:[\w'’-]+ ){0,3}(?:code|number|pin|password|passcode|combination|login|address|pw)\b",
    re.IGNORECASE,
)
_AND = re.compile(r",?\s+(?:and|or|plus|as well as)\s+(?:also\s+)?(?=(?:the|my|our|how|where|what|who)\s)|,\s+(?=(?:the|my|our)\s)", re.IGNORECASE)  # fmt: skip
_WH = re.compile(r"^(?:how (?:much|many|old|often|long|far|we|i|the|my|our|he|she|they|it|to get into)|where|what|who|whom|whose|when|which|why|how)\b.*\b(?:i|we|my|our|us|me|he|she|they|his|her|their|it|you|the|(?-i:[A-Z])\w+)\b", re.IGNORECASE)  # fmt: skip
_SECRET = re.compile(
    r"\b(?:private|secret|confidential|sensitive|personal|(?:nobody|no one|none of (?:your|anybody|anyone)|no ?body else)['’]?s? business|off the record|not for (?:you|the record|others)|between us|in confidence|shouldn['’]t have|should not have|should never have|ought not|oughtn['’]t|"
    r"a mistake|careless|foolish|stupid|unwise|not smart|dumb|wasn['’]t wise|not wise|isn['’]t safe|not safe|regret|wish (?:you|i|we)|promised|not to share|asked me not|theft|burglary|comfortable|take back|you (?:know|remember)(?= (?:where|how|what|who|when|which|my|our|the|that|his|her|their)\b)|mustn['’]t|not right|isn['’]t right)\b",
    re.IGNORECASE,
)
_REASON_OF_IT = re.compile(
    r"(?:,?\s+(?:which|and (?:that|it)|that|this)\s+(?:was|is|were)\b.*|\s+(?:is|are|was|were)\s+(?:\w+\s+){0,2}(?:private|secret|confidential|sensitive|personal|off the record|nobody['’]s business|none of (?:your|anyone['’]s|anybody['’]s) business|not for you|between us|my own affair|no one['’]s business)\b.*)$",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(r"^\W*(?:(?:and|so|but|well|ok|oh)[\s,]+)*(?:what|who|whom|whose|when|where|which|how|why)\b(?!\s+(?:about|don['’]t you|not|i|we|the|my|our)\b)", re.IGNORECASE)  # fmt: skip
_ASKED = re.compile(r"^\W*(?:(?:and|so|but|well|ok|oh)[\s,]+)*(?:what|who|whom|whose|when|where|which|how|why|is|are|was|were|do|does|did|can|could|will|would|have|has|should)\b", re.IGNORECASE)  # fmt: skip
_GONE_ALONE = re.compile(r"\W*(?:(?:please|just|so|now|oh|and)[\s,]+)*(?:gone|out|away|off)(?:[\s,]+(?:please|pls|now|with it|thanks|thank you))+\W*", re.IGNORECASE)  # fmt: skip
_SUPPOSES = re.compile(r"^\W*(?:if|when|whenever|unless|once|suppose|supposing|should|were)\b", re.IGNORECASE)
_FROM_OTHER = re.compile(
    r"\s(?:from|off|out of|in|into|on|onto)\s+(?:the|my|our|his|her|their|a|an|your)\s+(?:\w+\s+){0,2}?(?:list|table|bag|box|floor|wall|fridge|freezer|oven|website|app|phone|computer|laptop|drive|folder|school|company|house|garden|car|text|essay|letter|sentence|paragraph|email|code|function|document|spreadsheet|menu|order|basket|cart|photo|picture|envelope|calendar)\b",
    re.IGNORECASE,
)


# What is only ever said of what somebody else remembers, whatever the sentence around it.
_YOUR_STORE = r"(?:your|the|any|all)\s+(?:\w+\s+)?(?:memor(?:y|ies)|notes?|records?|files?|system|mind|head|books?|storage|database|data|logs?|history|brain)"
_CEASES = r"(?:go(?:es)? away|vanish\w*|disappear\w*|gone|erased?|wiped?|removed?|deleted?|struck|scrubbed?|purged?|forgotten|cleared?|expunged?|dropped|fade)"
_OUT_OF_MIND = re.compile(
    rf"\b{_CEASES}\b[^.?!]*\b(?:from|out of|off|in)\s+{_YOUR_STORE}|\b(?:could|can|would|will) you\b[^.?!]*\bmake\b[^.?!]*\b(?:go away|disappear|vanish)\b|"
    r"(?<!i have )(?<!i had )(?<!we have )(?<!['’]ve )\bno(?: more)? (?:knowledge|records?|trace|memory|recollection|mention|notes?) (?:of|about)\b(?=.*\b(?:please|left|anywhere)\b)|"
    r"\b(?:you|want|keep|leave|rather)\b[^.?!]*\bno(?: more)? (?:knowledge|records?|trace|memory|recollection|mention|notes?) (?:of|about)\b|"
    r"\b(?:as (?:if|though)|pretend\w*|act like)\b[^.?!]*\b(?:never|not|n['’]t)\b[^.?!]*\b(?:happened|come up|came up|mentioned|said|told|heard|discussed|knew|known)\b|"
    r"\b(?:conversation|talk|chat|exchange|discussion) about\b[^.?!]*\bnever happened\b|"
    r"\b(?:take|taking) back what i(?:['’]ve)? (?:said|told)\b|\bunsa(?:y|id)\b|\bunlearn\b|\bwipe the slate\b|\bget\b[^.?!]*\bout of your (?:system|head|mind|memory)\b|"
    r"\b(?:should|must|ought|make sure|ensure|rather|want|prefer|please|like)[^.?!]*(?:\bnot|n['’]t|\bno longer|\bnever)\s+(?:\w+\s+)?(?:be\s+|to be\s+)?(?:on file|stored|saved|remembered|recorded|retained|logged|kept (?:on file|by you))\b|"
    r"\bdo me (?:a|the) (?:favou?r|kindness)\b[^.?!]*\b(?:lose|drop|forget|delete|erase|scrap|ditch|bin)\b|\byou(?:['’]re to| are to| should| must|['’]ll)?\s+(?:now\s+)?know nothing\b",
    re.IGNORECASE,
)
_REQUESTED = re.compile(r"\b(?:could|can|would|will) (?:you|we)\b|,\s+ok(?:ay)?\W*$", re.IGNORECASE)
_OF_ANOTHER = re.compile(
    r"\b(?:asked|told|begged|wants?|wanted|ordered|made|got)\s+(?!you\b)(?:\w+\s+){1,3}?(?:to\b|(?:removed|deleted|erased|wiped)\b)|^\W*(?:he|she|they|my\s\w+|somebody|someone)\s(?:\w+ed|was|were|had)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def pleas(message: str) -> tuple[Plea, ...]:
    """All that *message* asks to have forgotten, in order."""
    told = sentences(message)
    found: list[Plea] = []
    for i, one in enumerate(told):
        found += _in(one, told[max(0, i - _FURTHEST_BACK) : i]) or _plainly(one, told[i - 1] if i else None)
    return tuple(found)


def asked_to_go(sentence: Sentence, earlier: Sequence[Sentence], known: Familiar) -> Statement | None:
    """
    What *sentence*, after those *earlier* in its message, asks to have forgotten: by the one *known* fact that it names, or else, where it only
    points back, that *before* it; or by its own words for it.
    """
    plea = next(iter(_in(sentence, earlier[-_FURTHEST_BACK:])), None)
    if plea is None and not _is_out_of_mind(sentence):
        return None
    span = (sentence.start, sentence.end)
    for words in (plea.what,) if plea else (sentence.whole, earlier[-1].whole if earlier else ""):
        named = {spot.attribute for spot in known.spots(words)}
        if len(named) == 1:
            (name,) = named
            return Statement("deletion", Mention(name, certain=True), name, span=span, sentence=sentence.whole)
        if named:
            break
    if plea is None:
        return None
    about = Mention(within=plea.what) if plea.it else mention(plea.what) or Mention(within=plea.what)
    return Statement("deletion", about, about.name, span=span, sentence=sentence.whole)


def _is_out_of_mind(sentence: Sentence) -> bool:
    text = sentence.whole
    asks = sentence.asks and not _REQUESTED.search(text)
    return not asks and _OUT_OF_MIND.search(text) is not None and not _OF_ANOTHER.search(text)


def _in(sentence: Sentence, before: Sequence[Sentence]) -> list[Plea]:
    """What *sentence*, after those *before* it, asks to have forgotten; of two ways to read it, that by its own words."""
    text = sentence.whole.rstrip(" .!?")
    if len(text) > _LONGEST or _ASKS_WHAT.search(text) or _SUPPOSES.search(text) or _is_of_a_list(sentence):
        return []
    found = [plea for act in _acts(text) if (plea := _plea(text, *act, sentence, before)) is not None]
    return _each(next((plea for plea in found if not plea.it), found[0])) if found else []


def _plainly(sentence: Sentence, before: Sentence | None) -> list[Plea]:
    """The same, by the patterns of a plain request alone."""
    last = before.text if before else ""
    asked = find_deletion(sentence, [], last)
    name = asked.about.name or asked.about.value if asked is not None and not asked.everything else None
    if name is None or _is_of_a_list(sentence) or _ASKS_WHAT.search(sentence.whole):
        return []
    return [Plea(name, (before if before and name in last else sentence).start, sentence.end)]


def _is_of_a_list(sentence: Sentence) -> bool:
    listed = find_listed(sentence.text)
    return listed is not None and listed.off


def _each(plea: Plea) -> list[Plea]:
    """*plea* for each of the things that it names one after another."""
    parts = [plea.what] if plea.it else _AND.split(plea.what)
    return [replace(plea, what=part) for part in parts if part]


def _acts(text: str) -> Iterator[tuple[str, int, str]]:
    """Each way in which *text* may ask to forget: of what sort, where it stands, and what it names there."""
    if _GONE_ALONE.fullmatch(text):
        yield "away", 0, ""
    for m in _PRETEND.finditer(text):
        yield "mind", m.start(), m["x"] or text[m.end() :]
    for m in _MINE.finditer(text):
        yield "mine", m.start(), m["x"] or text[m.end() :]
    starts = [0, *(cut.end() for cut in _CLAUSE.finditer(text))]
    for m in _ACT.finditer(text):
        leads = [at for at in reversed(starts) if at <= m.start() and not _goes_on(text[:at])]
        asked = _NOT_TO if m["keep"] else _ORDER
        at = next((at for at in leads if asked.fullmatch(text, at, m.start())), None)
        if at is not None and _is_order(m, text[at : m.start()]):
            sort = "mind" if m["mind"] or m["trace"] else "keep" if m["keep"] else "away"
            yield sort, at, text[m.end() :]
    for wish in _PASSIVE:
        if (wished := wish.search(text)) is not None:
            what = re.split(r",\s+(?:so|and|but)\s+|;\s+", re.sub(r"^[^:]{2,60}:\s+(?=\w)", "", wished["x"]))[-1]
            yield "passive", wished.start("x"), what


def _goes_on(before: str) -> bool:
    """Whether what somebody does goes on after *before*, so that no order begins: `I went out and`."""
    return _AND_ONLY.search(before) is not None and _SOMEBODY_DOES.match(before) is not None


def _is_order(act: "re.Match[str]", lead: str) -> bool:
    """Whether *act*, after *lead*, has the form that an order or a wish has, and the words that it takes."""
    verb, rest = act[0], act.string[act.end() :]
    if _MAKE.fullmatch(verb) and not act["keep"]:
        return _VANISH.search(rest) is not None
    if _NEEDS_MORE.fullmatch(verb) and not _MORE.search(rest):
        return False
    if verb.lower().endswith("ing") and not act["trace"]:
        return _TAKES_ING.search(lead) is not None
    if _PAST.match(verb):
        return _OF_YOU.search(lead) is not None
    return not _SPEAK.fullmatch(verb) or re.match(r"\s+(?:(?:it|that|this)\b|(?:\w+\s)?(?:my|our)\b)", rest) is not None


def _plea(text: str, act: str, start: int, what: str, sentence: Sentence, before: Sequence[Sentence]) -> Plea | None:
    """The plea of the sort *act* that begins at `text[start]`, for *what* or what that points back to; None for none."""
    store = _OUT_OF_STORE.search(what) or (_STORED.search(text[start + len(what) :]) if act == "passive" else None)
    stored = store is not None and not store[0].lower().endswith("here")  # where things are kept as well
    told = _TELLING.search(what) is not None
    thing = _thing(what)
    if act == "mind" and _NEVER_MIND.match(what):
        return None
    first = sentence.start + start
    if thing is None:
        return None
    if thing:
        if act != "passive" and _NO_THING.match(thing):
            return None
        is_told = (
            stored
            or told
            or _OF_THE_TOLD.search(_OF_WHAT.split(thing)[0])
            or (_WH.search(what.strip()) and act != "passive")
        )
        if act in ("away", "keep", "passive", "mine") and not stored and not told and not _DEFINITE.match(thing):
            return None
        if act in ("away", "keep", "passive", "mine") and (not is_told or (_FROM_OTHER.search(what) and not stored)):
            return None
        if _BARE.fullmatch(thing) and (
            said := _said(_ENDS.sub("", _REASON_OF_IT.sub("", text[:start])).strip(" ,;:—–-"))
        ):
            return Plea(f"{said} {_named(thing)}", sentence.start, sentence.end, it=True)
        return Plea(_named(thing), first, sentence.end)
    left = _REASON_OF_IT.sub("", text[:start]).strip(" ,;:—–-")
    if left and (said := _said(left)):
        if act in ("mind", "mine") or stored or _of_something_told(text[:start]):
            return Plea(said, sentence.start, sentence.end, it=True)
        return None
    for one in reversed(before):
        whole = one.whole.rstrip(" .!?")
        if _JUDGES.match(whole) and not _OF_THE_TOLD.search(whole):
            continue
        if (
            (said := _said(_REASON_OF_IT.sub("", whole)))
            and (stored or _of_something_told(whole))
            and not (one.asks and _ASKED.match(whole))
        ):
            return Plea(said, one.start, sentence.end, it=True)
    return None


def _of_something_told(text: str) -> bool:
    return any(known.search(text) for known in (_TELLING, _OF_THE_TOLD, _SECRET))


def _thing(what: str) -> str | None:
    """The words of *what* that name it, empty where they only point back."""
    what = _PARTICLE.sub("", what.strip(" ,:"))
    what = _ENDS.sub("", what)
    what = _ANYWHERE.sub("", _OUT_OF_STORE.sub("", f" {what}")).strip()
    while (shorter := _TAIL.sub("", f" {what}").strip()) != what:
        what = shorter
    if _POINTS.fullmatch(what):
        return ""
    return what


def _named(thing: str) -> str:
    """*thing* without the words that only say that it was told."""
    name = _LEAD.sub("", thing).strip() or thing
    return re.sub(r"\s+", " ", _TELLING.sub(" ", name)).strip(" ,;:\"“”'")


def _said(text: str) -> str:
    """The words of *text* that may name what `it` is after it; none where it only points back itself."""
    said = re.sub(r"\s+", " ", _TELLING.sub(" ", _LEAD.sub("", text))).strip(" ,;:")
    said = re.sub(r"[\s,]+(?:and|so|but|or)$", "", said)
    if (asked := _KNOWN_WHAT.search(said)) is not None:
        said = said[asked.end() :]
    words = [w for w in re.findall(r"[\w'’]+", said) if w.lower() not in _SMALL]
    return said if words else ""


# `I don't want it known where the key is`: where it is
# `That was careless of me`
_JUDGES = re.compile(r"\W*(?:and\s+|but\s+)?(?:that|it|this|which)(?:['’]s|\s+(?:is|was|should|could|might|may|shouldn['’]t|wasn['’]t|isn['’]t))\b", re.IGNORECASE)  # fmt: skip
# `the sum`: of what, stands before it
_BARE = re.compile(r"(?:the|that|this|those|these) (?:code|number|pin|password|combination|login|address|name|amount|sum|figure|price|details?|date|value)s?", re.IGNORECASE)  # fmt: skip
_KNOWN_WHAT = re.compile(r".*\b(?:known?|knows|knowing|knew|telling|tell|told(?: you)?|said|say|hear|learns?|find out|finds out)\s+(?=(?:how|where|what|who|when|which)\b)", re.IGNORECASE)  # fmt: skip
_SMALL = frozenset(
    """i you u we it that this them those these one the a an my our your and so but or please just would could can do don't
    don’t didn't wish be is was were to of for in on at not no now then back take about with up ok okay right really as
    i'd i’d i'm i’m i've i’ve there there's known want have had has he she they""".split()
)
