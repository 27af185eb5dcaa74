"""
One declarative clause -> what it says of whom: a shallow grammar of English statement forms.

Takes a clause without its discourse prefix and without subordinate clauses of condition; those are `ties`.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from memory_store.phrases import clean_value, implausible, noun_phrase, specific

Subject = Literal["i", "we", "the", "other"]


@dataclass(frozen=True)
class Said:
    """
    What a clause says: *attribute* is *value*.

    *change*: said as news (now, new, switched). *also*: joins other values. *ends*: no longer holds (*value* may be
    None: *old* ended). *verb*: the attribute is made of a verb. *loose*: the subject is a bare or definite noun phrase;
    *weak*: moreover its value is no name, number or path, so that it may be about anything.
    """

    attribute: str
    value: str | None
    subject: Subject
    old: str | None = None
    change: bool = False
    also: bool = False
    ends: bool = False
    verb: bool = False
    loose: bool = False
    weak: bool = False


_ADV = (
    r"(?:now|currently|still|also|actually|already|just|recently|usually|normally|mostly|always|generally|typically|"
    r"officially|finally|mainly|really|basically|since|all|both|each|often|regularly|simply|only|then|ever|both|even|"
    r"today|lately|happily|proudly|temporarily|instead|primarily|no longer|simply|once again|again)"
)
_ADVS = rf"(?:{_ADV}\s+)*"
_BE = r"(?:is|are|am|['’]s|['’]re|['’]m)"
_ALSO = re.compile(r"\b(?:also|too|as well|another|in addition|on top of that|besides)\b", re.IGNORECASE)
_NEWS = re.compile(
    r"\b(?:now|new|newly|just|recently|from now on|as of|starting|switched|again|instead|no longer|these days|update|anymore|"
    r"any more|changed|moved|has become|officially|finally|going forward|from today|this week)\b",
    re.IGNORECASE,
)
_PAST_OR_MODAL = re.compile(
    r"\b(?:would|could|might|(?-i:may)|should|maybe|perhaps|wish|hope|hoping|wonder|suppose|imagine|pretend|considering|"
    r"thinking (?:of|about)|not sure|unsure|if|whether|unless|want to|wants to|wanted to|would like|['’]d like|need to|"
    r"needs to|plan to|plans to|used to|was|were|had|did|hypothetically|let['’]s say|say|assume|assuming|seems?|probably|"
    r"possibly|apparently|supposedly|allegedly|ought|must|will|['’]ll|going to|gonna|won['’]t|trying|about to)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|n['’]t|don['’]t|doesn['’]t|isn['’]t|aren['’]t|hardly|no one|nobody|neither|nor|cannot|can['’]?t)\b",
    re.IGNORECASE,
)
_OWNED = r"(?:my|our)\s+"

# -- verb frames ---
# Verbs of having, doing and dwelling that state a lasting fact of their subject in the present.
_HABIT = frozenset(
    """live reside stay work study drive ride take use own play train practise practice learn speak read watch
    attend follow deploy host release ship buy order sleep eat drink wear carry prefer like love enjoy rent
    commute meet teach collect grow cook volunteer store keep run write code develop hike swim cycle bike go
    walk shop bank sing paint sell measure rely track manage test log build monitor serve subscribe support save
    bake brew knit dance climb fish row sail major specialise specialize park belong report lead head chair
    coach own breed feed fly fence box box surf ski skate garden do get have operate source stock publish submit
    depend hate dislike start open close bill invoice pay send share sit camp backpack fund advise supervise
    mentor represent cover handle organise organize host broadcast record stream print ferment roast brew smoke
    plant harvest fertilise fertilize water treat prescribe carpool""".split()
)
# These may hold of several things at once, so a second one joins the first.
_SEVERAL = frozenset(
    """play like love enjoy read watch speak own learn collect hate dislike cook grow practise practice follow have
    support use planning plan attend""".split()
)
_PREP = r"(?:in|at|on|near|by|with|for|to|from|as|out of|out at|out in|through|via|under|over|around|up|about|into|out)"
_NOT_A_HABIT = frozenset(
    """think want need know see feel guess hope wish believe mean say ask wonder understand agree appreciate try
    remember forget apologize assume suppose notice find look seem am are was were have had did can could will
    would should might may must imagine expect doubt suspect promise swear bet realize realise figure recommend
    suggest propose came went got saw said told made took felt thought knew found gave tend happen intend mind
    care refuse decide call regret never really just also still always usually often now then only currently
    already recently just do don't not love like""".split()
)
_DET = r"(?:an?|the|my|our|some|this)\s+"
_NAME = r"(?:[A-Z0-9#/@][\w'’.&/+:#@-]*)(?:\s+(?:(?:of|the|and|de|van|von|la|el|&|\+|-)\s+)*(?:[A-Z0-9#/@][\w'’.&/+:#@-]*))*"


def _strip_in(value: str) -> str:
    return re.sub(
        r"^(?:(?:at|around|about|roughly|approximately|called|named|set to|set at|set for|scheduled for|down to|still|now|"
        r"currently|simply|just|with)\s+|(?:in|on|from|by|to|via|through)\s+(?=[A-Z0-9#/\"“]|the [A-Z]|\w+day\b))+",
        "", value, flags=0,
    ).strip()  # fmt: skip


def _value(text: str, *, prep: bool = False) -> tuple[str | None, bool]:
    value, now = clean_value(text)
    if value is None:
        return None, now
    if prep:
        value = _strip_in(value)
    if not value or implausible(value):
        return None, now
    return value, now


def _subject(text: str) -> Subject:
    low = text.strip().lower()
    if low.startswith(("my ", "i ", "i'", "i’")):
        return "i"
    if low.startswith(("our ", "we ", "we'", "we’")) or re.match(
        r"the (?:team|club|group|company|lab|family)['’]s", low
    ):
        return "we"
    return "the"


_COPULA = re.compile(
    rf"^(?P<np>(?:(?:my|our|the|this)\s+)?[^\W\d_][^,;:—?!]*?)"
    rf"(?:,\s+[^,]{{2,40}},)?\s*\s(?:is|are|remains?|stays?|became|becomes?|has become|will be|means)\s+"
    rf"(?P<adv>{_ADVS})(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)
_CONTRACTED = re.compile(
    rf"^(?P<np>(?:(?:my|our|the|this)\s+)?[^\W\d_][^,;:—?!'’]*?)(?P<s>['’]s|['’]re)\s+(?P<adv>{_ADVS})(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)
_AS_FOR = re.compile(
    rf"^(?:as for|regarding|about|when it comes to|as far as|concerning|for)\s+(?P<np>[^,:]+?)(?:\s+(?:is concerned|goes))?[,:]\s+"
    rf"(?:it['’]s|it is|that['’]s|that is|they['’]re|they are|it will be|that will be)\s+(?P<adv>{_ADVS})(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_REVERSED = re.compile(
    rf"^(?P<v>[^,;:—?!]+?)(?:,[^,]+,)?\s*(?:(?P<s>['’]s|['’]re)|\s(?:is|are|becomes?|became|will be|has become|is going to be|serves as|acts as|works as))\s+"
    rf"(?P<adv>{_ADVS})(?:one of\s+)?(?P<o>my|our|the)\s+(?P<np>.+)$",
    re.DOTALL,
)
_CHANGED_TO = re.compile(
    r"^(?P<np>(?:(?:my|our|the)\s+)?[^\W\d_][^,;:—?!]*?)\s+(?:role\s+|job\s+)?(?:has\s+|have\s+|just\s+|recently\s+|got\s+|was\s+|were\s+|is\s+|are\s+|been\s+|will\s+|be\s+|now\s+|then\s+)*"
    r"(?:chang(?:ed|es?)|mov(?:ed|es?)|switch(?:ed|es)?|went|goes|shift(?:ed|s)?|adjust(?:ed|s)?|pass(?:ed|es)?|turn(?:ed|s)?|replaced|"
    r"migrat(?:ed|es?)|updated?|upgraded?|renamed|swapped|transferred|handed|becomes?|pushed|brought|put|bumped|postponed|rescheduled|delayed|extended|raised|lowered|cut|reset)"
    r"(?:\s+(?:over|back|forward|up|down))?(?:\s+from\s+(?P<old>.+?))?\s+(?:over\s+)?(?:to|by|with|for|into)\s+(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)
_WE_CHANGED = re.compile(
    rf"^(?:I|we|they|someone)(?:['’]ve|\s+have|['’]re|['’]m|\s+are|\s+am)?\s+{_ADVS}(?:chang(?:ed|e|ing)|took|take|switch(?:ed|ing)?|put|shift|push|rais(?:e|ed)|lower|swap(?:ped)?|mov(?:ed|e|ing)|migrat(?:ed|e|ing)|"
    r"updat(?:ed|e|ing)|push(?:ed|ing)?|shift(?:ed|ing)?|upgrad(?:ed|e|ing)|transferr?(?:ed|ing)?|renam(?:ed|e|ing)|set|convert(?:ed|ing)?|handed|brought|port(?:ed|ing)?|"
    r"relocat(?:ed|ing)|bump(?:ed|ing)?|rais(?:ed|ing)|lower(?:ed|ing)|extend(?:ed|ing)|adjust(?:ed|ing)?)\s+(?P<np>(?:(?:my|our|the|all our|all my)\s+[^,;:—?!]+?|(?!house\b|home\b|on\b|back\b|away\b|out\b|from\b|over\b|to\b|it\b|up\b)[a-z]+(?:\s[a-z]+){0,2}?))"
    r"(?:\s+over|\s+back|\s+forward|\s+up|\s+down)?(?:\s+from\s+(?P<old>.+?))?(?:\s+over)?\s+(?:to|into|onto|as)\s+(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)
_FROM_TO = re.compile(
    rf"^(?:I|we)(?:['’]ve|\s+have|['’]re|['’]m)?\s+{_ADVS}(?P<verb>switched|moved|went|migrated|changed|converted|transitioned|upgraded|moving|switching|"
    r"migrating|going)(?:\s+over|\s+away)?\s+from\s+(?P<old>.+?)\s+(?:over\s+)?to\s+(?P<v>.+?)(?:\s+(?:for|as)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][^,.;:]*))?$",
    re.DOTALL | re.IGNORECASE,
)
_SWAPPED = re.compile(
    rf"^(?:I|we)(?:['’]ve|\s+have)?\s+{_ADVS}(?P<verb>replaced|recast|refilled|swapped(?:\s+out)?|traded(?:\s+in)?|exchanged|dropped|ditched|dumped|abandoned|left|sold|"
    r"substituted|retired)\s+(?P<old>(?:(?!\band (?:I|we)\b).)+?)\s+(?P<p>with|for|by|in favou?r of|and (?:now )?(?:bought|got|use|went with|moved to|switched to|picked))\s+"
    r"(?P<v>.+?)(?:,?\s+(?:as|for)\s+(?P<np>(?:my|our|the)\s+[^,.;:]+))?$",
    re.DOTALL | re.IGNORECASE,
)
_REPLACED = re.compile(
    r"^(?P<v>[^,;:—?!]+?)\s+(?:has\s+|have\s+|just\s+|recently\s+|will\s+)*(?:replac(?:ed|es?)|succeed(?:ed|s)?|(?:taken|took|takes?)\s+over(?:\s+from)?|"
    r"stepped in for|fills? in for|superseded|supersedes)\s+(?P<old>.+?)(?:\s+as\s+(?P<np>.+))?$",
    re.DOTALL | re.IGNORECASE,
)
_TOOK_OVER = re.compile(
    r"^(?P<v>[^,;:—?!]+?)\s+(?:has\s+|have\s+|just\s+|recently\s+)*(?:(?:taken|took|takes?)\s+over|stepped (?:in|up)|(?:started|joined(?: us)?)(?= as)|"
    r"was (?:named|made|appointed|elected|promoted to)|been (?:named|made|appointed|elected)|came in|got (?:promoted to|elected|appointed)|"
    r"steps? in|got the job)\s+(?:as\s+)?(?P<np>(?:(?:my|our|the)\s+)?[a-z][^,.;:]*)$",
    re.DOTALL,
)
_NEW_THING = re.compile(
    rf"^(?:I|we|there)(?:['’]ve|['’]s|\s+have|\s+has|\s+is|['’]re|['’]m)?\s*{_ADVS}(?:got|have|found|hired|bought|picked|chose|chosen|adopted|started with|"
    rf"gotten|elected|appointed|signed up with|signed with|switched to|moved to|migrated to|moving to|changed to|upgraded to|went with|going with|set up|settled on|received|is|)\s*"
    r"(?P<det>a (?:brand[- ])?new|another|a different|a|an)\s+(?P<np>[a-z][\w'’ -]*?)(?:\s*[:,—–]\s*|\s+-\s+|\s+(?:called|named)\s+)"
    r"(?:it['’]s\s+|namely\s+|called\s+|named\s+|which is\s+|who['’]s called\s+|(?:her|his|their|its|the) name(?:['’]s|\s+is)\s+)?(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)
_GOING_WITH = re.compile(
    rf"^(?:I|we)(?:['’]re|['’]m|['’]ve|\s+are|\s+am|\s+have)?\s*{_ADVS}(?:going with|went with|go with|chose|chosen|picked|decided on|opted for|opt for|settled on|"
    r"us(?:e|ing)|have|got|rely(?:ing)? on|running|run|doing|do|aiming for|made|make|adopted|hired|appointed|selected|stick(?:ing)? with|treat(?:ing)?|having|keep(?:ing)?|count on|get|cast|charge|list|name|book(?:ed)?|sign(?:ed)?|elect(?:ed)?|nominat(?:ed|e)|shoot (?:with|on))\s+"
    rf"(?P<v>.+?)\s+(?P<adv>{_ADVS})(?P<p>as|for|to be|in the role of)\s+(?P<np>(?P<o>(?:my|our|the|a|an)\s+)?[A-Za-z][^,.;:—]*?)(?:\s+(?:instead of|rather than|over)\s+(?P<old>[^,;]+?))?(?P<now>\s+now)?$",
    re.DOTALL | re.IGNORECASE,
)
_GOING_WITH_OURS = re.compile(
    rf"^(?:I|we)(?:['’]re|['’]m|['’]ve|\s+are|\s+am|\s+have)?\s*{_ADVS}(?:going with|went with|go with|chose|chosen|picked|decided on|opted for|opt for|settled on|"
    r"us(?:e|ing)|have|got|rely(?:ing)? on|running|run|doing|do|aiming for|made|make|adopted|hired|appointed|selected|stick(?:ing)? with|treat(?:ing)?|having|keep(?:ing)?|count on|get|cast|charge|list|name|book(?:ed)?|sign(?:ed)?|elect(?:ed)?|nominat(?:ed|e)|shoot (?:with|on))\s+"
    rf"(?P<v>.+)\s+(?P<adv>{_ADVS})(?P<p>as|for|to be|in the role of)\s+(?P<np>(?P<o>(?:my|our)\s+)[A-Za-z][^,.;:—]*?)(?:\s+(?:instead of|rather than|over)\s+(?P<old>[^,;]+?))?(?P<now>\s+now)?$",
    re.DOTALL | re.IGNORECASE,
)
_TAKING_OVER = re.compile(
    rf"^(?P<v>{_NAME})\s+(?:is\s+|has\s+|will\s+be\s+|now\s+)*(?:taking|taken|took|takes)\s+over\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*?)(?:\s+from\s+(?P<old>{_NAME}))?$"
)
_NOT_BUT = re.compile(
    r"^(?P<np>(?:my|our|the)\s+[^,;:—?!]+?)\s+(?:isn['’]t|is not|is no longer|aren['’]t|are not)\s+(?P<old>[^,;:]+?)(?:\s+any ?more|\s+now)?[,;]\s+(?:but\s+)?(?:it['’]s|it is|they['’]re|that['’]s)\s+(?P<v>.+)$",
    re.IGNORECASE,
)
_NOW_INSTEAD = re.compile(
    rf"^(?P<v>{_NAME})\s+(?:is|becomes|became|has become|will be)\s+(?:now\s+)?(?:(?:the|our|my)\s+)?(?P<np>[a-z][a-z -]*?)(?:\s+now)?\s+(?:instead of|in place of|rather than)\s+(?P<old>{_NAME})$"
)
_AGENT_INSTEAD = re.compile(
    rf"^(?P<v>{_NAME})\s+(?:is|are|will be)\s+(?:now\s+)?[a-z]+ing\s+(?:[a-z ]+\s+)?(?:instead of|in place of|rather than)\s+(?P<old>{_NAME})$"
)
_SWAPPING = re.compile(
    r"^(?:(?:I|we)(?:['’]ve|['’]re)?\s+(?:[a-z]+\s+){0,2})?(?:swapp|chang|switch|replac|mov)(?:ing|ed|e)\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*):\s+(?P<v>.+?)\s+(?:rather than|instead of|in place of|for)\s+(?P<old>.+)$",
    re.IGNORECASE,
)
_GAVE_UP = re.compile(
    rf"^(?:I|we)(?:['’]ve|\s+have)?\s+(?:gave up|given up|left|sold|quit|closed|lost)\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*?)\s+(?:(?:at|in|on|with)\s+)?(?P<old>{_NAME}|the\s+{_NAME})\s+and\s+(?:now\s+)?(?:moved|went|got|have|took|found|switched)\s+(?:in)?(?:to\s+)?(?:one|another(?: one)?|a new one|a different one)\s+(?:at|in|on|with|from)\s+(?P<v>.+)$",
    re.IGNORECASE,
)
_CAST = re.compile(
    rf"^(?:I|we)(?:['’]ve)?\s+(?:cast|put|placed)\s+(?P<v>{_NAME})\s+(?:in|into)\s+(?P<np>(?:my|our|the)\s+[a-z][a-z -]*)$"
)
_LABELLED = re.compile(
    r"^(?P<o>my|our|new|my new|our new)\s+(?P<np>[a-z][a-z -]*?)(?:,\s+(?:by the way|btw|fyi))?:\s+(?P<v>\S.*)$",
    re.IGNORECASE,
)
_SET_TO = re.compile(
    r"^(?:please\s+)?(?:set|change|switch|move|make)\s+(?P<np>(?:my|our|the)\s+[^,;:—?!]+?)\s+to\s+(?P<v>.+)$",
    re.DOTALL | re.IGNORECASE,
)
_MAKE = re.compile(
    rf"^(?:I|we)(?:['’]ll|['’]d)?\s+{_ADVS}make\s+(?P<v>.+?)\s+(?P<np>(?:my|our|the)\s+[^,;:—?!]+)$",
    re.DOTALL | re.IGNORECASE,
)
_FRAME = re.compile(
    rf"^(?P<s>I|we)(?P<aux>['’]m|['’]re|['’]ve|\s+am|\s+are|\s+was|\s+were|\s+have(?=\s+{_ADVS}(?:\w+ed|been|gone|become|got|gotten|taken|bought|begun|chosen|found|left|come|built|sold|started|moved)\b))?\s+(?P<adv>{_ADVS})(?P<verb>[a-z]+)\s+(?P<rest>.+)$",
    re.DOTALL | re.IGNORECASE,
)
_BEEN = re.compile(rf"^been\s+(?P<adv>{_ADVS})(?P<verb>[a-z]+ing)\s+(?P<rest>.+)$", re.DOTALL | re.IGNORECASE)
_APPOSED = re.compile(
    r"^(?P<o>[Mm]y|[Oo]ur)\s+(?P<np>[a-z][a-z'’-]*(?:\s+[a-z][a-z'’-]*){0,3}),?\s+(?P<v>(?:[A-Z](?:[\w'’-]+|\.))(?:\s+[A-Z][\w'’-]+){0,2}),?\s+(?P<verb>[a-z]+)\b",
)
_APPOSED_LAST = re.compile(
    rf"^(?:I|[Ww]e)\b.*\b(?:with|from|by|at|under|to|in|through|on|for)\s+(?P<v>{_NAME}),\s+(?:who['’]s\s+|which is\s+|also\s+)*(?P<o>my|our)\s+(?P<np>[a-z][a-z -]*)$",
    re.DOTALL,
)
_AGENT = re.compile(
    rf"^(?P<v>{_NAME})\s+(?P<adv>{_ADVS})(?:(?:is|are|has been|have been)\s+(?P<adv2>{_ADVS})(?P<ing>[a-z]+ing)|(?P<verb>[a-z]+(?:s|es)))"
    rf"(?:\s+(?P<prep>after|for|at|on|over|to|out|up|off))?\s+(?P<obj>(?:my|our|the|me|us)\b(?:\s+[a-z][^,.;:—]*)?)$",
)
_IMPERSONAL = re.compile(
    r"^(?P<np>(?:(?:my|our|the|all|all our|all the)\s+)?[^\W\d_][\w'’/-]*(?:\s+[\w'’/-]+){0,3})\s+"
    r"(?P<verb>(?:go(?:es)?|runs?|drains?|comes?|ships?|starts?|begins?|ends?|opens?|closes?|happens?|lives?|sits?|meets?|belongs?|points?|"
    r"flows?|lands?|leaves?|arrives?|reports?|is held|are held|takes? place|follows?|uses?|targets?|costs?|lasts?|takes?|sleeps?|serves?|"
    r"(?:is|are) (?:defined|stored|hosted|kept|handled|managed|run|written|built|deployed|made|held|done|owned|led|maintained|run|reviewed|"
    r"approved|signed off|documented|tracked|supplied|delivered|served|cooked|paid|funded|booked|sent|logged|located|based))"
    r")\s+(?:out\s+|up\s+|off\s+|down\s+)?(?P<prep>(?:to|at|on|in|from|with|by|through|via|into|under|for|out of)\s+)?(?P<v>.+)$",
    re.DOTALL,
)
_FOR_X = re.compile(
    r"^(?:for|to)\s+(?P<np>[^,]+?)(?:,\s+|\s+(?=(?:I|we)\s))(?:(?:please\s+)?(?:we|I|you|just|people)?\s*(?:always |usually |can |should |do |'?ll )*"
    r"(?P<verb>use|contact|call|ask|go to|email|see|ping|message|run|take|do|have|talk to|rely on|write to|visit|reach out to|need|picked|chose|choose|went with|go with|booked|book|got|hired|selected|settled on))\s+(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ENDS = re.compile(
    r"^(?:I|we)\s+(?:no longer|don['’]t|do not|stopped|quit|gave up|have stopped|['’]ve stopped|have quit|cancelled|canceled|dropped|ended|abandoned|ditched|got rid of|moved away from)\s+(?P<rest>.+?)(?P<more>\s+(?:any ?more|any longer))?$",
    re.IGNORECASE | re.DOTALL,
)
_OVER = re.compile(
    r"^(?P<o>my|our)\s+(?P<old>[^,;:—?!]+?)\s+(?:(?:has|have|is|are|was|were|got|been|just|recently|finally|now)\s+)+(?:been\s+)?"
    r"(?:treated|resolved|cured|gone|over|cancelled|canceled|healed|finished|done|closed|discontinued|retired|ended|cleared up|history|no more|"
    r"shut down|sold|fixed|completed|dissolved)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_LEFT = re.compile(
    rf"^(?P<old>{_NAME})\s+(?:has\s+|have\s+|just\s+|recently\s+|is\s+)*(?:left|stepped down|retired|quit|resigned|died|moved on|gone|went out of business|closed|"
    r"stopped|passed away|leaving|handed over)\b.*$",
)


def parse_clause(text: str, *, loose: bool = False) -> Said | None:
    """
    What *text* states; None where it states nothing of the owner, or not as a present fact.

    *loose* also takes bare and definite noun phrases with any value, as in `logs will drain to X`, which elsewhere
    need a value that is a name, a number or a path.
    """
    text = re.sub(r"\s+", " ", text).strip().rstrip("!").strip()
    if re.match(r"let(?:['’]?s|\s+(?:us|me))\b", text, re.IGNORECASE):
        return None
    text = re.sub(r"(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bJr)(?<!\bSr)(?<!\b[A-Z])\.+$", "", text)
    if not text or len(text) > 400 or text.endswith("?"):
        return None
    text = re.sub(
        r"^(?:(?:now|so|then|today|currently|anyway)\s+)+(?=(?:my|our|the|i|we)\b)", "", text, flags=re.IGNORECASE
    )
    text = _plainer(text)
    if (m := _GAVE_UP.match(text)) and (np := noun_phrase(m["np"])) and (value := _value(m["v"])[0]):
        return Said(np, value, _subject(text), old=m["old"], change=True)
    if said := _parse_end(text):
        return said
    head = _CLAUSE_HEAD.split(text, maxsplit=1)[0]
    head = re.sub(
        r"\bwas (?=(?:\w+ly |just )?(?:diagnosed|named|made|appointed|elected|promoted|replaced|changed|moved)\b)",
        "",
        head,
    )
    if (m := _NOT_BUT.match(text)) and (np := noun_phrase(m["np"])) and (value := _value(m["v"])[0]):
        return Said(np, value, _subject(text), old=m["old"], change=True)
    if _PAST_OR_MODAL.search(head) or _NEGATED.search(re.sub(r"\bno longer\b", "", head)):
        return None
    news = bool(_NEWS.search(text))
    said = _parse_change(text) or _parse_noun(text, loose) or _parse_verb(text, loose) or _parse_other(text, loose)
    if said is None:
        return None
    if _ALSO.search(text) and not said.old:
        said = replace(said, also=True)
    return replace(said, change=said.change or (news and not said.also))


def _plainer(text: str) -> str:
    """`we had to move`, `we'll be playing`, `we managed to get` as what they leave behind: move, are playing, get."""
    text = re.sub(
        r"^(I|we)(?:['’]ll|\s+will)\s+be\s+(?=\w+ing\b)",
        lambda m: f"{m[1]}{'’m' if m[1] == 'I' else '’re'} ",
        text,
        flags=re.IGNORECASE,
    )
    return re.sub(
        r"^(I|we)(?:['’]ve)?\s+(?:just\s+|finally\s+|recently\s+)?(?:(?:had|have|decided|managed|agreed|chose|opted|got)\s+to|have\s+had\s+to|had\s+had\s+to|went ahead and|ended up)\s+"
        r"(?=(?:mov|chang|shift|switch|swapp?|replac|pick|choos|go|get|us|tak|cast|hir|renam|push|rais|lower|updat|set|bring|drop|mak)(?:e|ing)?\b|(?:move|change|shift|switch|swap|replace|pick|choose|cast|hire|rename|push|raise|lower|update|set|bring|drop|make|use|take)\b)",
        r"\1 ",
        text,
        flags=re.IGNORECASE,
    )


_CLAUSE_HEAD = re.compile(
    r"\s+(?:—|–|-)\s+|;|,\s+(?:so|but|and|which|because|in case|where|who)\b|\s+(?:because|so that|in case|instead of|rather than)\s",
    re.IGNORECASE,
)


def _np(text: str, *, bare: bool = False) -> str | None:
    if not bare and not re.match(r"\s*(?:my|our|the|this)\s|.*['’]s\s", text, re.IGNORECASE):
        return None
    return noun_phrase(text)


def _said(np: str | None, value: str | None, subject: Subject, **more: object) -> Said | None:
    if np is None or value is None or np.lower() == value.lower():
        return None
    return Said(np, value, subject, **more)  # type: ignore[arg-type]


def _parse_end(text: str) -> Said | None:
    if m := _ENDS.match(text):
        if not m["more"] and re.match(r"(?:I|we)\s+(?:don|do not)", text, re.IGNORECASE):
            return None
        frame = parse_clause("I " + re.sub(r"^(\w+?)(?:ing)\b", lambda g: _base(g[0]), m["rest"]))
        if frame is not None and frame.value:
            return replace(frame, ends=True, old=frame.value, value=None, change=True)
        old, _ = clean_value(re.sub(r"^(?:using|going to|doing|taking|eating|with)\s+", "", m["rest"]))
        return Said("", None, "i", old=old, ends=True, change=True) if old else None
    if m := _OVER.match(text):
        return Said("", None, _subject(text), old=m["old"], ends=True, change=True)
    if (m := _LEFT.match(text)) and not re.match(
        r"(?:I|We|You|It|He|She|They|There|This|That|Everyone|Somebody)\b", m["old"]
    ):
        return Said("", None, "other", old=m["old"], ends=True, change=True)
    return None


def _parse_change(text: str) -> Said | None:
    if m := _WE_CHANGED.match(text):
        value, _ = _value(m["v"])
        owned = re.match(r"(?:my|our|the|all)\s", m["np"], re.IGNORECASE)
        if (
            value
            and (owned or specific(value))
            and (found := _said(noun_phrase(m["np"]), value, _subject(text), old=m["old"], change=True))
        ):
            return found
    if (m := _NOW_INSTEAD.match(text)) and (np := noun_phrase(m["np"])):
        return Said(np, m["v"], "we", old=m["old"], change=True)
    if m := _AGENT_INSTEAD.match(text):
        return Said("", m["v"], "we", old=m["old"], change=True)
    if (m := _SWAPPING.match(text)) and (np := noun_phrase(m["np"])):
        value, _ = _value(m["v"])
        if value:
            return Said(np, value, _subject(m["np"]), old=m["old"], change=True)
    if (m := _CAST.match(text)) and (np := noun_phrase(m["np"])):
        return Said(np, m["v"], "we", change=True)
    if (m := _LABELLED.match(text)) and (np := noun_phrase(m["np"])):
        value, _ = _value(m["v"])
        if value:
            return Said(np, value, "i" if m["o"].lower() == "my" else "we", change="new" in m["o"].lower())
    if m := _FROM_TO.match(text):
        return _swap(m["old"], m["v"], m["np"], _subject(text))
    if m := _SWAPPED.match(text):
        return _swap(m["old"], m["v"], m["np"], _subject(text))
    if m := _CHANGED_TO.match(text):
        np = (
            noun_phrase(m["np"])
            if not re.match(r"(?:I|we|you|it|this|that|they|he|she)\b", m["np"], re.IGNORECASE)
            else None
        )
        value, _ = _value(m["v"], prep=True)
        if (
            np
            and value
            and (re.match(r"(?:my|our|the)\s", m["np"], re.IGNORECASE) or specific(value))
            and not re.match(r"(?:goes|go)\b", m["np"])
        ):
            verb = re.search(r"\bgoes\s+to\b", text[len(m["np"]) : len(m["np"]) + 12])
            if verb is None:
                return Said(np, value, _subject(text), old=m["old"], change=True)
    if (
        (m := _REPLACED.match(text))
        and not re.match(r"(?:as|by|with)\b", m["old"])
        and not re.match(r"(?:I|we|you|it|this|that)\b", m["v"], re.IGNORECASE)
    ):
        value, _ = _value(m["v"])
        if value:
            old = m["old"]
            np = noun_phrase(m["np"]) if m["np"] else None
            if np is None and old.lower().startswith(("my ", "our ", "the ")):
                np, old = noun_phrase(old), ""
            return Said(np or "", value, "we", old=_strip_det(old) or None, change=True)
    if (m := _TOOK_OVER.match(text)) and specific(m["v"]):
        value, _ = _value(m["v"])
        if found := _said(noun_phrase(m["np"]), value, "we", change=True):
            return found
    if (m := _APPOSED_LAST.match(text)) and (np := noun_phrase(m["np"])):
        return Said(np, m["v"], "i" if m["o"] == "my" else "we")
    if (m := _TAKING_OVER.match(text)) and (np := noun_phrase(m["np"])):
        value, _ = _value(m["v"])
        if value and specific(value):
            return Said(np, value, "we", old=m["old"], change=True)
    if m := _NEW_THING.match(text):
        if "new" in m["det"] or m["det"] in ("another", "a different") or specific(_value(m["v"])[0] or ""):
            value, _ = _value(m["v"])
            np = noun_phrase(re.sub(r"^big\s+", "big ", m["np"]))
            if found := _said(np, value, _subject(text), change="new" in m["det"], also=m["det"] == "another"):
                return found
    if m := _SET_TO.match(text):
        value, _ = _value(m["v"])
        if found := _said(_np(m["np"]), value, _subject(m["np"]), change=True):
            return found
    if m := _MAKE.match(text):
        value, _ = _value(m["v"])
        if found := _said(_np(m["np"]), value, _subject(m["np"]), change=True):
            return found
    return None


def _strip_det(text: str) -> str:
    return re.sub(r"^(?:my|our|the|a|an)\s+(?:old\s+)?", "", text.strip(), flags=re.IGNORECASE).strip()


def _swap(old: str, new: str, np: str | None, subject: Subject) -> Said | None:
    value, _ = _value(new)
    if value is None:
        return None
    old = re.sub(r"\s+(?:broke|died|because|since|so).*$", "", _strip_det(old))
    name = noun_phrase(np) if np else None
    if name is None:
        # "my Scarva boots with Lowmarks", "from Scarva to Lowmark boots": the common noun names the thing
        for phrase, is_new in ((value, True), (old, False)):
            if m := re.match(rf"^(?:an?\s+)?(?P<v>{_NAME})\s+(?P<np>[a-z][a-z -]*)$", phrase):
                name = noun_phrase(m["np"])
                if is_new:
                    value = m["v"]
                else:
                    old = m["v"]
                break
    if name is None and re.match(r"^[a-z][a-z ]*$", old) and specific(value):
        return Said(noun_phrase(old) or "", value, subject, change=True)
    return Said(name or "", value, subject, old=old or None, change=True)


def _parse_noun(text: str, loose: bool) -> Said | None:
    if m := _AS_FOR.match(text):
        value, now = _value(m["v"], prep=True)
        if found := _said(noun_phrase(m["np"]), value, _subject(m["np"]), change=now):
            if re.match(r"(?:my|our|the)\s", m["np"], re.IGNORECASE) or loose or specific(found.value or ""):
                return found
    if found := _reversed(text, loose):
        return found
    if m := _COPULA.match(text) or _CONTRACTED.match(text):
        if _PASSIVE.match(m["v"]):
            return None
        if re.match(
            r"(?:I|we|you|it|this|that|they|he|she|there|here|what|who|which|these|those)\b(?!\s+\w+['’]s)",
            m["np"],
            re.IGNORECASE,
        ) and not re.match(r"this \w+['’]s", m["np"], re.IGNORECASE):
            return None
        owned = bool(re.match(r"(?:my|our)\s|the \w+['’]s\s|(?:this|today['’]s) \w+['’]s", m["np"], re.IGNORECASE))
        np = noun_phrase(m["np"], any_noun=loose)
        adv = m["adv"] or ""
        value, now = _value(m["v"], prep=True)
        if np is None or value is None:
            return None
        if not owned and not loose and (_STATE_OF_THING.match(m["v"]) or _is_mood(np, value)):
            return None
        definite = m["np"].lower().startswith("the ") or "'s " in m["np"] or "’s " in m["np"]
        bare = not owned and not definite
        if (bare and m.re is _CONTRACTED and not re.search(r"\d|\b\w+days?\b", value)) or re.match(
            r"(?:let|here|how|where|who|what|when|why)\b", np, re.IGNORECASE
        ):
            return None
        if owned and np.lower() in ("place", "home", "house", "flat", "apartment") and re.match(r"in\s+[A-Z]", m["v"]):
            return Said(
                "live in", value, _subject(m["np"]), change=now or bool(re.search(r"\bnew\b", m["np"])), verb=True
            )
        weak = not owned and not loose and not specific(value)
        if weak and (bare or re.search(r"[A-Z]", np) or len(value.split()) > 6 or not 2 <= len(np.split()) <= 5):
            return None
        if bare and not loose and not _bare_ok(m["np"], m["v"]):
            return None
        if owned and not loose and _is_mood(np, value):
            return None
        subject = _subject(m["np"])
        if not owned and re.match(r"(?:my|our)\s", value) and (thing := noun_phrase(value)):
            # "the city museum is my main client"
            return Said(thing, re.sub(r"\s+$", "", m["np"]), _subject(value), change=now)
        return Said(
            np,
            value,
            subject,
            change=now or "now" in adv or bool(re.search(r"\bnew\b", m["np"])),
            loose=not owned,
            weak=weak,
        )
    return None


def _reversed(text: str, loose: bool) -> Said | None:
    """`Tom Vega is our team lead`: the value stands first."""
    m = _REVERSED.match(text)
    if m is None:
        return None
    name, rest = m["v"].strip(), m["np"]
    ours = m["o"].lower() != "the" or bool(
        re.search(r"\b(?:my|our|we|i)\b", rest, re.IGNORECASE) or _GROUPS.match(rest)
    )
    bare = re.sub(_REST_OF_REVERSED, "", rest)
    np = _np(f"{m['o']} {bare}") or _np(f"{m['o']} {rest}")
    if np is None or re.match(r"(?:my|our)\s", name, re.IGNORECASE) or implausible(name):
        return None
    article = bool(re.match(r"(?:the|an?|this|that|these|those)\s", name, re.IGNORECASE))
    if article and not specific(name[1:]):
        return None
    news = bool(
        re.search(r"\bnew\b|\bnow\b|from (?:today|now on|this)|starting\b|these days|this (?:week|month|year)", rest)
    )
    if not ours and not (specific(name) and (loose or not article) and len(name.split()) <= 4 and (loose or news)):
        return None
    value, _ = _value(name)
    return _said(
        np, value, _subject(f"{m['o']} "), change=bool(re.match(r"new\b", rest)) or news, also="one of" in text
    )


_GROUPS = re.compile(
    r"(?:team|group|club|company|lab|band|family|crew|class|office|household|shop|studio|department)['’]s\s"
)
_REST_OF_REVERSED = re.compile(
    r"\s+(?:from|for|on|in|at|since|as of|starting|this|we|I|by|he|she|it|that|who|which|until|during|and|now|these days)\b.*$"
)
_PASSIVE = re.compile(
    r"^(?:defined|stored|hosted|kept|handled|managed|run|written|built|deployed|made|held|done|owned|led|maintained|reviewed|"
    r"approved|signed off|documented|tracked|supplied|delivered|served|cooked|paid|funded|booked|sent|logged)\s+"
    r"(?:to|at|on|in|from|with|by|through|via|into|under|for|out of)\s",
    re.IGNORECASE,
)


# What is being done to a thing, or is so of it, is no value that tells which it is.
_STATE_OF_THING = re.compile(
    r"^(?:\w{3,}(?:ed|ing)(?=$|\s(?:to|in|on|by|with|from|at|for|as|into|of|an?|the|that|too|through|out|up)\b)|set(?! (?:for|at|to)\b)|made|built|meant|given|shown|known|found|kept|born|in|on|at|to|from|under|over|within|through)\b(?! (?:\d|[A-Z/#@]|\S*[/.:@#]\w))(?!\S*[/.:@#]\w)",
)


def _bare_ok(np: str, value: str) -> bool:
    """A bare subject counts where it looks like a label (short) and the value like an address, time or number."""
    if len(np.split()) > 4 or re.search(r"\b(?:and|or|the|an?)\b", np) or re.search(r"\s[A-Z][a-z]", np):
        return False
    return not re.match(r"(?:an?|the|one)\s", value) and bool(
        re.search(r"\d|[/#@]|\w\.\w|^(?:at\s|in\s|on\s)?[A-Z]\w+(?:\s[A-Z]\w+)+(?:\s[a-z]+)?$|\b\w+days?\b", value)
    )


_PEOPLE = re.compile(
    r"\b(?:boss|friends?|mother|mom|mum|father|dad|parents?|sister|brother|son|daughter|wife|husband|partner|girlfriend|"
    r"boyfriend|kids?|child|children|family|dog|cat|baby|team|company|manager|neighbou?rs?|roommate|uncle|aunt|cousin|"
    r"grand\w+|colleagues?|coworkers?|teacher|doctor|client|customers?|phone|computer|laptop|car|app|website|program|landlord|"
    r"back|knee|skin|hair|body|stomach|leg|foot|feet|arm|neck|ear|eyes?|boyfriend|students?|class)\b",
    re.IGNORECASE,
)  # fmt: skip


def _is_mood(np: str, value: str) -> bool:
    """Whether `my NP is VALUE` tells what somebody is doing or how something feels, rather than which it is."""
    first = value.split()[0].lower()
    if _PEOPLE.search(re.split(r"\s(?:of|for|in|at|on)\s", np)[0].split()[-1]):
        if first.endswith("ing") or (value == value.lower() and not re.search(r"\d", value)):
            alone = re.match(r"(?:an?\s)?\w+$|the\s|(?:my|our)\s", value)
            return not alone or first.endswith(("ing", "ed", "y", "ful", "ive"))
    return bool(_MOOD.match(value))


_MOOD = re.compile(
    r"^(?:(?-i:[a-z])\w*ly\s+(?:\w+ed|\w+ing|good|bad|great|low|high|fine|ok|simple|easy|hard|slow|fast|small|large|big)\b|\w+ed by\b|"
    r"(?:broken|slow|fast|small|large|big|good|great|bad|nice|simple|easy|hard|difficult|different|similar|ready|available|clear|"
    r"fine|ok|okay|correct|wrong|right|true|false|empty|full|based|related|due|close|far|high|low|limited|hers|his|yours|theirs|"
    r"mine|ours|that|worth|interested|used|filled|complete)(?=$|\s+(?:for|to|in|with|and|but|enough|at|on|from|than|if|when|because)\b))",
    re.IGNORECASE,
)


def _base(ing: str) -> str:
    """`living` -> `live`, `running` -> `run`, `working` -> `work`: the form in `_HABIT` if there is one."""
    root = ing.lower().removesuffix("ing")
    for form in (root, root + "e", root[:-1] if len(root) > 2 and root[-1:] == root[-2:-1] else root):
        if form in _HABIT or form in _EXTRA_ING:
            return form
    return root


_EXTRA_ING = frozenset("""plan recover dat date look aim sav save act""".split())
_STATES = re.compile(
    r"^(?P<v>married|single|divorced|engaged|widowed|retired|unemployed|self-employed|pregnant|vegan|vegetarian|pescatarian|"
    r"left-handed|right-handed|colou?r-?blind|diabetic|freelance|freelancing|remote|separated|homeschooled|in an? \w+ relationship|in a relationship|"
    r"on parental leave|on sabbatical|bilingual|deaf|celiac|coeliac|asthmatic)\b",
    re.IGNORECASE,
)
_BE_PREP = re.compile(
    r"^(?P<p>allergic to|based (?:in|out of)|part of|a member of|a part of|a fan of|in charge of|responsible for|subscribed to|"
    r"enrolled (?:in|at)|employed (?:at|by)|insured (?:with|by|through)|signed up (?:for|with|to|at)|married to|engaged to|from|located in|"
    r"diagnosed with|registered (?:at|with)|on|with|at|in|into|afraid of|scared of|intolerant to|addicted to|good at|born in|born on|staying (?:in|at))\s+(?P<v>.+)$",
    re.IGNORECASE | re.DOTALL,
)


# What people have for a while or for somebody to hear, not for keeps.
_TALK_OBJECT = re.compile(
    r"^(?:(?:an?|the|some|any|no|two|three|few|a few|another|my)\s+)?(?:\w+\s+)?(?:questions?|minutes?|ideas?|plans?|moments?|times?|meetings?|requests?|"
    r"favors?|reasons?|solutions?|recipes?|lists?|tips?|suggestions?|recommendations?|respect|love|passion|interest|need)$",
    re.IGNORECASE,
)


def _with_purpose(text: str) -> Said | None:
    """`we use X as our Y`, `we went with X for our Y`, `I have X for Y`: the purpose names the thing."""
    m = _GOING_WITH_OURS.match(text) or _GOING_WITH.match(text)
    if m is None:
        return None
    value, now = _value(m["v"])
    np = noun_phrase(m["np"])
    owned = (m["o"] or "").strip().lower() in ("my", "our", "the")
    has = re.match(r"(?:I|we)(?:['’]ve)?\s+(?:\w+\s+)?(?:have|do|make|got|doing)\b", text, re.IGNORECASE)
    if np is None or value is None or not (m["p"] == "as" or owned or has):
        return None
    if re.search(r"\b(?:me|us|you|them|while|now)\b", np) or re.match(r"(?:the )?(?:first|last|next|long|same)\b", np):
        return None
    if m["p"] == "for" and not owned and (not specific(value) and has and len(np.split()) > 2):
        return None
    if has and m["p"] == "for" and _TALK_OBJECT.match(value):
        return None
    return Said(np, value, _subject(text), old=m["old"], change=now or bool(m["now"] or m["old"]))


def _parse_verb(text: str, loose: bool) -> Said | None:
    if said := _with_purpose(text):
        return said
    if m := re.match(r"^(?P<s>I|we)(?:['’]m|['’]re|\s+am|\s+are)\s+(?P<v>\S+)$", text, re.IGNORECASE):
        return _parse_be(m["v"], "i" if m["s"].lower() == "i" else "we")
    m = _FRAME.match(text)
    if m is None:
        return None
    subject: Subject = "i" if m["s"].lower() == "i" else "we"
    verb, rest, aux = m["verb"].lower(), m["rest"], (m["aux"] or "").strip().lower().replace("’", "'")
    perfect = aux in ("'ve", "have")
    if perfect and (been := _BEEN.match(f"{verb} {rest}")):
        verb, rest, aux, perfect = been["verb"].lower(), been["rest"], "'m", False
    if aux in ("was", "were"):
        return _event(subject, verb, rest)
    if aux in ("'m", "'re", "am", "are") and not verb.endswith("ing"):
        return _parse_be(f"{verb} {rest}", subject)
    if verb in ("am", "are", "was", "were"):
        return _parse_be(rest, subject) if verb in ("am", "are") else None
    if aux in ("'m", "'re", "am", "are"):
        ing, verb = verb, _base(verb)
        if verb not in _HABIT and verb not in _EXTRA_ING:
            return _uncommon(subject, ing, rest, progressive=True)
        if (
            verb
            in (
                "do",
                "get",
                "have",
                "start",
                "try",
                "go",
                "use",
                "look",
                "run",
                "write",
                "build",
                "test",
                "sell",
                "pay",
                "send",
                "develop",
                "code",
            )
            and not specific(rest)
            and not loose
        ):
            return None
        return _frame(subject, verb, rest, loose)
    if perfect or verb.endswith("ed") or verb in _EVENT_PAST:
        return _event(subject, verb, rest)
    if verb not in _HABIT:
        return None if verb.endswith(("ed", "ly", "ing")) else _uncommon(subject, verb, rest, progressive=False)
    return _frame(subject, verb, rest, loose)


_UNCOMMON = re.compile(
    r"^(?:(?P<o>everything|most (?:things|of it)|it all|(?:(?:my|our|the|all (?:my|our))\s+)?[a-z]+s?)\s+)?(?P<p>in|on|at|with|through|from|via|out of|off|by|under|over)\s+"
    r"(?P<v>(?:(?:an?|the)\s+)?(?:old\s+|new\s+)?[A-Z0-9£$€#].*)$",
    re.DOTALL,
)
_UNDER_WAY = re.compile(
    r"^(?:(?P<p>on|up|out|off|in|down|through|for)\s+)?(?P<v>(?:(?:The|A|An)\s+)?[A-Z0-9].*)$", re.DOTALL
)
# Verbs of thought, speech and feeling, and of asking for help: what follows them is no lasting fact.
_NOT_LASTING = _NOT_A_HABIT | frozenset(
    """talk speak chat argue disagree deal struggle stumble click type enter reply respond object panic laugh cry smile worry
    thinking looking trying going having asking wondering hoping talking making getting doing seeing feeling considering facing
    missing struggling creating guessing starting telling saying referring using coming dealing worrying suggesting assuming
    expecting requesting inquiring sending getting running receiving experiencing encountering attempting debating leaning leaving
    finding losing kidding joking being confusing writing building adding calling""".split()
)


def _uncommon(subject: Subject, verb: str, rest: str, *, progressive: bool) -> Said | None:
    """A verb outside the everyday ones: only with a name, as in `we rehearse at X`, `we're staging X`."""
    if verb in _NOT_LASTING:
        return None
    if m := _UNCOMMON.match(rest):
        value, now = _value(m["v"])
        if (
            value is None
            or len(value.split()) > 8
            or (m["o"] or "") in ("to", "that", "it", "about", "up", "out", "back")
        ):
            return None
        noun = re.match(rf"^(?P<v>{_NAME})\s+(?P<np>[a-z][a-z-]*(?:\s+[a-z][a-z-]*)?)$", value)
        if (
            noun
            and m["p"] not in ("at", "from")
            and re.match(r"(?:an?|the)\s", m["v"])
            and (np := noun_phrase(noun["np"]))
        ):
            return Said(np, noun["v"], subject, change=now)
        name = " ".join(w for w in (verb, "" if (m["o"] or "") in ("everything", "it all") else m["o"], m["p"]) if w)
        return Said(name, value, subject, verb=True, change=now)
    if progressive and (m := _UNDER_WAY.match(rest)):
        value, now = _value(m["v"])
        if value and specific(value) and len(value.split()) <= 6 and not re.match(r"(?:I|We|You)\b", value):
            return Said(" ".join(w for w in (verb, m["p"]) if w), value, subject, verb=True, change=now)
    return None


_EVENT_PAST = frozenset("""went got bought took began left became found chose met sold came""".split())
_EVENTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^(?:moved|relocated|resettled|moved back|moved out|moved house|moved over)\s+(?:\w+\s+)?(?:to|into|in)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "live in"),
    (re.compile(r"^(?:settled|landed)(?: down)?\s+in\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "live in"),
    (re.compile(r"^(?:joined|started (?:working )?(?:at|with)|accepted (?:an?|the) (?:new )?(?:\w+ )?(?:position|job|role|offer|post) (?:at|with|from)|got (?:an?|the) (?:new )?(?:job|position|role) (?:at|with)|"
                r"been hired (?:by|at)|taken (?:an?|the) (?:new )?(?:\w+ )?(?:job|position|role) (?:at|with)|took (?:an?|the) (?:new )?(?:\w+ )?(?:job|position|role) (?:at|with)|signed on with|gone to work (?:at|for)|"
                r"begun (?:working )?at|began (?:working )?at|landed (?:an?|the) (?:new )?(?:job|position|role) (?:at|with)|gotten (?:an?|the) (?:new )?(?:job|position|role) (?:at|with))\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "work at"),
    (re.compile(r"^(?:enrolled (?:in|at)|transferred to|been admitted to|been accepted (?:to|at|into)|begun studying(?: at)?|started studying(?: at)?|started (?:a|an|my) (?:degree|program|course|master's|phd|bachelor's)(?: at| in)?)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "study at"),
    (re.compile(r"^(?:been |was |got )?diagnosed with\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "diagnosed with"),
    (re.compile(r"^(?:bought|purchased|got myself|acquired|picked up|gotten|got)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "own"),
    (re.compile(r"^(?:started|begun|began|taken up|took up|picked up)\s+(?:(?:playing|learning|practi[cs]ing|doing|taking|using|reading|watching)\s+)?(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "started"),
    (re.compile(r"^(?:switched|changed|converted|migrated|moved over|moved|gone over|upgraded|transitioned)\s+(?:over\s+)?to\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "switched to"),
    (re.compile(r"^subscribed to\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "subscribed to"),
    (re.compile(r"^(?:become|became)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "am"),
    (re.compile(r"^(?:gotten|got)\s+(?P<v>married|engaged|divorced)\b.*$", re.IGNORECASE | re.DOTALL), "am"),
    (re.compile(r"^(?:adopted|rolled out|introduced|deployed|chosen|chose|picked|hired|appointed)\s+(?P<v>.+)$", re.IGNORECASE | re.DOTALL), "use"),
)  # fmt: skip


def _event(subject: Subject, verb: str, rest: str) -> Said | None:
    """A past or perfect verb that leaves a new state behind."""
    text = f"{verb} {rest}"
    for pattern, attribute in _EVENTS:
        if m := pattern.match(text):
            purpose = re.match(r"^(?P<v>.+?)\s+(?:for|as)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][a-z -]*)$", m["v"])
            if attribute == "switched to" and purpose and (np := noun_phrase(purpose["np"])):
                value, _ = _value(purpose["v"])
                return _said(np, value, subject, change=True)
            if attribute in ("own", "use") and not re.match(r"(?:(?:an?|the|my|some)\s+)?(?:new\s+)?[A-Z0-9]", m["v"]):
                return None
            named = re.match(rf"^(?:an?\s+|the\s+|some\s+)?(?:new\s+)?(?P<v>{_NAME})\s+(?P<np>[a-z][a-z -]*)$", m["v"])
            if named and attribute in ("own", "switched to", "use") and (np := noun_phrase(named["np"])):
                return Said(np, named["v"], subject, change=True)
            value, _ = _value(m["v"])
            if value is None or (
                re.match(
                    r"(?:an?|the|my|our|some)\s+(?:new\s+)?(?:place|house|apartment|flat|job|team|phase|point|city|country|project)\b",
                    value,
                    re.IGNORECASE,
                )
                and attribute != "live in"
            ):
                return None
            value = re.sub(r"^(?:an?|the|my|our)\s+(?:new\s+)?(?=\S)", "", value) if attribute != "am" else value
            verbs = {"switched to": "", "started": "", "diagnosed with": "diagnosed with"}
            return Said(verbs.get(attribute, attribute), value, subject, change=True, verb=True)
    return None


def _parse_be(text: str, subject: Subject) -> Said | None:
    text = re.sub(rf"^{_ADVS}", "", text)
    if m := _STATES.match(text):
        return Said("am" if subject == "i" else "are", m["v"], subject, verb=True)
    if m := re.match(r"^(?:named|called)\s+(?P<v>[A-Z]\S*(?:\s[A-Z]\S*)*)", text):
        return Said("name", m["v"], subject)
    if m := _BE_PREP.match(text):
        prep = m["p"].lower()
        value, now = _value(m["v"])
        if value is None:
            return None
        if prep in ("in", "at", "on", "with", "into") and not (specific(value) and re.match(r"[A-Z0-9]", value)):
            return None
        if prep in ("at", "on", "into", "with", "in") and (
            re.search(r"\d|^(?:I|AI)\b", value) or len(value.split()) > 4
        ):
            return None
        if prep == "on" and not value.istitle():
            return None
        name = {"in": "live in", "based in": "live in" if subject == "i" else "based in", "staying in": "live in", "a member of": "member of", "a part of": "part of", "employed at": "work at",
                "employed by": "work at", "from": "from", "located in": "live in"}.get(prep, prep)  # fmt: skip
        value = (
            re.sub(r"^(?:an?|the)\s+(?=[a-z])", "", value) if prep in ("part of", "a member of", "a part of") else value
        )
        return Said(name, value, subject, verb=True, also=False, change=now)
    if m := re.match(r"^(?P<a>an?)\s+(?P<v>[a-z0-9-][\w’'-]*(?:\s+[\w’'&/-]+){0,4})$", text, re.IGNORECASE):
        if subject == "i" and not re.match(
            r"(?:bit|little|lot|few|couple|big|huge|fan|beginner|total|complete|newbie|noob|great|good|bad|person|human|man|woman|guy|girl|user|"
            r"firm|strong|mess|victim|believer|very|fairly|tad|native|non|mere|perfect|new|real|true|long|loyal|sucker|regular|pretty)\b", m["v"], re.IGNORECASE
        ) and not re.search(r"\b(?:who|that|looking|trying|and|with|interested|curious|for|of|on|about)\b", m["v"]):  # fmt: skip
            value, now = _value(m["v"])
            if value:
                return Said("am", f"{m['a']} {value}", subject, verb=True)
    return None


_OBJECT_PREP = re.compile(
    r"^(?P<np>(?:(?:my|our|the|all our|all my)\s+)?[a-z][a-z-]*(?:\s+[a-z][a-z-]*){0,2})\s+(?P<p>from|through|in|with|at|on|off|via|by|to)\s+"
    r"(?P<v>(?:(?:an?|the)\s+)?[A-Z#/@].*)$",
    re.DOTALL,
)
_PURPOSE = re.compile(
    r"^(?P<v>.+?)\s+(?P<p>for|to|as|on|from|with)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][a-z-]*(?:\s+[a-z][a-z-]*){0,2})$",
    re.DOTALL,
)


_TAKES_INFINITIVE = frozenset(
    "plan like love start prefer hate learn enjoy have do run open close keep use get".split()
)


def _frame(subject: Subject, verb: str, rest: str, loose: bool) -> Said | None:
    """A verb of having, doing or dwelling with what follows it: the attribute is made of the verb."""
    rest = rest.strip()
    we = "" if subject == "i" else "we "
    if m := re.match(rf"^(?:{_ADVS})?(?P<p>{_PREP})\s+(?P<v>.+)$", rest, re.DOTALL | re.IGNORECASE):
        prep, object_ = m["p"].lower(), m["v"]
    else:
        prep, object_ = "", rest
    if prep == "to" and verb in _TAKES_INFINITIVE:
        return None
    # "planning a big purchase — road bike"
    if (
        m := re.match(
            r"^(?:an?|some|the)\s+(?P<np>[a-z][a-z ]*?)\s*(?:—|–|:|\s-|,? called|,? named)\s+(?P<v>.+)$",
            rest,
            re.DOTALL,
        )
    ) and (np := noun_phrase(m["np"])):
        named, now = _value(m["v"])
        if named:
            return Said(np, named, subject, change=now)
    value, now = _value(object_)
    if value is None:
        return None
    if verb == "live" and re.match(r"^(?:alone|with)\b", rest, re.IGNORECASE):
        value = value if prep else "alone"
        return Said("live with", value, subject, verb=True, change=now)
    if re.match(r"^(?:me|us|myself|ourselves|him|her|them|it|you|your)\b", value, re.IGNORECASE):
        return None
    # "have X coming up"
    if verb == "have" and (
        m := re.match(r"^(?P<v>.+?)\s+(?P<tail>coming up|lined up|planned|scheduled|booked|left to do)\b", value)
    ):
        return Said(f"{we}have {m['tail']}", m["v"], subject, verb=True)
    # "a Hille Akton tent", "a medication called X"
    with_noun = re.match(
        rf"^(?:an?\s+|the\s+|my\s+|our\s+|some\s+)?(?P<v>{_NAME})\s+(?P<np>[a-z][a-z-]*(?:\s+[a-z][a-z-]*)?)$", value
    )
    if (
        with_noun
        and prep not in ("at", "to", "on", "from", "with", "near", "through", "via")
        and verb
        not in (
            "work",
            "learn",
            "study",
            "teach",
            "speak",
            "follow",
            "love",
            "like",
            "enjoy",
            "track",
            "read",
            "watch",
            "hate",
            "start",
        )
        and not re.match(
            r"(?:for|to|as|on|in|at|with|from|and|or|when|every|twice|once|by|of|only|near|during|before|after|per|a|because|about|over|until|all|so|too|right|well|each|than|instead|is|are|via|under|via|out|exclusively|together|daily|weekly)\b",
            with_noun["np"],
        )
    ):
        np = noun_phrase(with_noun["np"])
        if np and not np.endswith("ing"):
            return Said(np, with_noun["v"], subject, change=now)
    if verb == "have":
        return _have(subject, value, now)
    # "get our fish from Tidewater", "do my analysis in FitLab"
    if verb != "plan" and (m := _OBJECT_PREP.match(value)) and (np := noun_phrase(m["np"])):
        thing = re.match(rf"^(?:an?|the)\s+(?P<v>{_NAME})\s+(?P<np>[a-z][a-z-]*(?:\s+[a-z][a-z-]*)?)$", m["v"])
        if thing and (noun := noun_phrase(thing["np"])):
            return Said(noun, thing["v"], subject, change=now)
        if re.match(r"an?\s", object_) and m["p"] in ("at", "in", "on"):
            return Said(np, m["v"], subject, change=now)
        return Said(f"{verb} {np} {m['p']}", re.sub(r"^an?\s+", "", m["v"]), subject, verb=True, change=now)
    if m := _PURPOSE.match(value):
        tail, found = m["np"], re.sub(r"^(?:an?|the)\s+(?=[a-z])", "", m["v"])
        if m["p"] == "as" and (np := noun_phrase(tail)):
            return Said(np, found, subject, change=now)
        if (
            not implausible(found)
            and not (m["p"] in ("on", "from", "with", "to") and verb not in ("take", "get", "have"))
            and noun_phrase(tail)
        ):
            name = " ".join(w for w in (verb, prep, m["p"], noun_phrase(tail)) if w)
            return Said(name, found, subject, verb=True, change=now)
    if verb in ("do", "get", "start", "make", "keep", "run", "take", "go", "test", "send", "share", "write", "build", "code", "read", "close", "open", "cover",
                "handle", "like", "love", "enjoy", "prefer", "use", "work", "buy", "learn", "develop", "have", "report", "save", "serve", "pay", "log", "treat",
                "water", "set", "sit", "see", "meet", "sell", "record", "support", "hate", "dislike") and not (loose or specific(value) or (prep in ("at", "in", "on") and verb == "work" and not re.match(r"(?:an?|the|my|this|that|some|it)\b", value))):  # fmt: skip
        if not (
            verb in ("like", "love", "enjoy", "prefer", "hate", "dislike", "learn", "use", "take")
            and len(value.split()) <= (6 if subject == "we" else 3)
            and not re.match(r"(?:the|a|an|my|our|how|it|to)\b", value)
        ):
            return None
    value = re.sub(r"^(?:an?)\s+(?=\S)", "", value)
    name = " ".join(w for w in (verb if verb != "plan" else "planning", prep) if w)
    if verb == "work" and prep == "for":
        name = "work at"
    return Said(name, value, subject, verb=True, change=now)


def _have(subject: Subject, value: str, now: bool) -> Said | None:
    """`have X for/as NP`, `have a NP to/of X`: a noun stands beside; bare possession needs a name."""
    if m := re.match(
        r"^(?P<v>.+?)\s+(?:for|as)\s+(?P<np>(?:(?:my|our|the)\s+)?[a-z][a-z-]*(?:\s+[a-z][a-z-]*){0,2})$", value
    ):
        np = noun_phrase(m["np"])
        if np and len(np.split()) <= 2 and not _TALK_OBJECT.match(m["v"]):
            return Said(np, m["v"], subject, change=now)
    if m := re.match(
        r"^(?:an?|the|some)\s+(?P<np>(?:[a-z-]+\s+)?(?:allergy|allergies|intolerance|degree|subscription|membership|appointment|phobia|reservation|contract|license|licence|account|deadline))\s+(?:to|in|with|at|for|on|of)\s+(?P<v>.+)$",
        value,
    ):
        return _said(noun_phrase(m["np"]), clean_value(m["v"])[0], subject, change=now)
    if m := re.match(
        rf"^(?:an?|the|some|two|three|\d)\s+(?P<np>[a-z][a-z -]*?)(?:,)?\s+(?:called|named)\s+(?P<v>{_NAME})", value
    ):
        return _said(noun_phrase(m["np"]), m["v"], subject, change=now)
    return None


_NO_ROLE = frozenset("is has says was thinks likes loves wants needs goes seems asks means lets tells".split())
_LIGHT_ROLE = frozenset("does gives makes gets helps takes making giving getting helping taking".split())


def _parse_other(text: str, loose: bool) -> Said | None:
    if m := _FOR_X.match(text):
        value, now = _value(m["v"])
        np = (
            noun_phrase(re.sub(r"^(?:run|start|launch)\s+", "", m["np"]))
            if not m["np"].lower().startswith(("me", "the most", "example", "instance", "now", "some", "be "))
            else None
        )
        if np and value and (role := re.match(r"^(?P<v>.+?)\s+as\s+(?:our|my|the)\s+(?P<np>[a-z ]+)$", m["v"])):
            np, value = f"{np} {role['np']}", role["v"]
        if np and value and specific(value) and len(np.split()) <= 4:
            if text.lower().startswith("to "):
                np = noun_phrase(m["np"].strip()) or np
            return Said(np, value, "we", change=now, loose=True)
        if (
            np
            and value
            and m["verb"].lower() in ("use", "run", "contact", "call", "email", "ask", "message")
            and len(value.split()) <= 5
            and len(np.split()) <= 4
        ):
            if not re.match(r"(?:an?|the|this|these|your|our|my)\b", value):
                return Said(noun_phrase(m["np"]) or np, value, "we", loose=True)
    if (m := _APPOSED.match(text)) and m["verb"] not in ("and", "or"):
        np = noun_phrase(m["np"])
        if np and len(np.split()) <= 3:
            return Said(np, m["v"], _subject(text))
    if m := _IMPERSONAL.match(text):
        np_text = m["np"]
        if re.match(
            r"(?:I|we|you|it|this|that|they|he|she|there|what|who|which|everyone|people)\b", np_text, re.IGNORECASE
        ):
            return None
        np = noun_phrase(np_text)
        value, now = _value(m["v"])
        owned = bool(re.match(r"(?:my|our|all our)\s", np_text, re.IGNORECASE))
        if (
            np
            and value
            and not re.match(r"(?:my|our)\s", value)
            and (loose or specific(value) or (owned and m["prep"]))
            and len(np.split()) <= 4
        ):
            if not owned and not loose and not _impersonal_ok(value):
                return None
            if not loose and re.match(r"[a-z]+(?<!s)$", m["verb"]) and not np.endswith("s"):
                return None
            verb = re.sub(r"^(?:is|are)\s+", "", m["verb"])
            prep = (m["prep"] or "").strip()
            value = re.sub(r"^(?:an?)\s+", "", value)
            return Said(
                " ".join(w for w in (np, verb, prep) if w),
                value,
                _subject(np_text),
                verb=True,
                change=now,
                loose=not owned,
            )
    if m := _AGENT.match(text):
        verb, obj = m["ing"] or m["verb"], m["obj"]
        of_us = obj.startswith(("my ", "our "))
        if verb in _NO_ROLE or (verb in _LIGHT_ROLE and not of_us) or verb.endswith(("us", "ss", "as")):
            return None
        if re.search(r"\d|['’]s\b|^(?:I|We|You|It|He|She|They|There|This|That|What|Who)\b", m["v"]) or verb in (
            "being",
            "doing",
            "having",
            "going",
        ):
            return None
        obj = _value(obj)[0] or re.sub(r"\s+(?:this time.*|these days|now|at the moment)$", "", obj)
        if len(obj.split()) > 4 or re.match(r"(?:me|us)\s", obj):
            return None
        name = " ".join(w for w in (verb, m["prep"], obj) if w)
        value, now = _value(m["v"])
        if value and len(value.split()) <= 4:
            return Said(name, value, "we", verb=True, change=now, loose=obj.startswith("the"))
    return None


def _impersonal_ok(value: str) -> bool:
    return bool(re.search(r"\d|[/#@]|\w\.\w|^(?:[A-Z]\w+\s?(?:&\s)?){1,3}$", value)) and len(value.split()) <= 8
