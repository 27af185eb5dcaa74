"""
One known fact told to hang on another, without a condition: `the glaze is the potter's call`.

The places of the two names in the sentence are given; what stands before, between and after them is read.
"""

import re
from collections.abc import Sequence
from typing import Literal

from memory_store.familiar import Spot

_VERY = r"(?:(?:pretty much|very much|more or less|kind of|sort of|entirely|mostly|largely|only|just|solely|directly|purely|partly|really|simply|strictly|completely|heavily|always|basically|also|all|mainly|currently|ultimately|actually|usually|totally|fully|closely|still|quite|honestly|obviously|whole|it|they|both|is|are|was|were|has|have|had|been|be|being|got|gets|gotten|['’]s|['’]re|to|that|which|where it|what it|as it|the way it)\s+)*"
_MADE = (
    r"(?:chosen|picked|selected|set|decided|determined|dictated|driven|governed|controlled|shaped|defined|assigned|allotted|allocated|handed out|given out|issued|imposed|influenced|fixed|made|given|run|provided|arranged|appointed|paid(?: for)?|covered|mandated|ruled|approved|forced|funded|financed|"
    r"recommended|suggested|prescribed|ordered|written|designed|built|planned|put together|drawn up|created|developed|supplied|brought(?: in)?|organi[sz]ed|booked|found|hired|agreed(?: on)?|worked out|tailored|matched|fitted|adapted|geared|sized|meant|cut|modelled|modeled|based|predicated|founded|contingent|conditional|dependent|reliant|tied|linked|bound|connected|coupled|pegged|attached|anchored|keyed|wedded|locked|hooked|related|specific|particular|peculiar|down|due|owed|thanks|unique|included)"
)
_WHAT_OF_IT = r"(?:\s+(?:who|what|where|which|how|whether|that|the fact that|whoever|whatever|(?:my|our|the) choice of|the (?:style|taste|size|kind|type|rules|list|wishes|whims) of|me being (?:at|with)|us being (?:at|with)|being (?:at|with)|i['’]m (?:at|with)|we['’]re (?:at|with)|it being|we (?:have|use|go to|are with|picked|chose|keep)|i (?:have|use|go to)))*"
# X … Y, where X hangs on Y
_ON_IT = re.compile(
    rf"^['’]?s?\s*{_VERY}(?:"
    r"depend(?:s|ed|ing|ent|end)?(?:\s+\w+ly)?(?:\s+(?:on|upon|of|from))?|hing(?:es?|ed|ing)(?:\s+\w+ly)? (?:on|upon)|hangs?(?:\s+\w+ly)? (?:on|off|by|from|together with)|hung on|rests? (?:on|with)|rel(?:ies|y|ied)(?:\s+\w+ly)? (?:on|upon)|leans? on|counts? on|builds? on|rides? on|turns? on|banks? on|"
    rf"{_MADE}(?:\s+\w+ly)?\s+(?:on|upon|around|by|through|to|with|for|from|after|because of|in line with|in|of)(?:\s+(?:match|fit|suit|please|go with|work with|accommodate|what|where|whatever))?|"
    r"(?:only\s+)?(?:because(?: of)?|cause(?: of)?|cos(?: of)?)|due to|thanks to|on account of|owing to|in line with|in step with|at the mercy of|by virtue of|a (?:function|result|consequence|matter|product|question|favou?r|gift|perk|condition|courtesy) (?:of|from)|part (?:and parcel )?of(?: (?:the|our|my|a) (?:deal|contract|package|arrangement|agreement) (?:with|at|of))?|down to|up to|downstream of|subject to|all about|(?:in|within) the (?:gift|hands|remit) of|"
    r"follow(?:s|ed|ing)?(?: (?:directly )?from)?|go(?:es)?(?: hand in hand| together|along)? with|com(?:es?|ing)(?: (?:directly|together|bundled))? (?:from|with|through|down to|recommended by|as part of)|came (?:recommended by|from|with|through)|stem(?:s|med)? from|flows? from|results? from|derives? from|belongs? (?:to|with)|moves? with|chang(?:es?) with|var(?:ies|y) with|shifts? with|"
    r"stands? (?:and|or) falls? with|falls? with|lives? (?:and|or) dies? (?:by|with)|takes? (?:its|their) cue from|tracks?|mirrors?|reflects?|matches|match|suits?|fits?|serves?|needs?|requires?|assumes?|presupposes?|presumes?|owes? (?:its|everything)\s*(?:\w+\s+)?to|has everything to do with|"
    r"(?:only |just )?(?:works?|runs?|makes? sense|holds?|exists?|counts?|applies|valid|good|fine|possible|right|written|made|meant)(?: only| just)? (?:with|for|at|on|in|because of|thanks to|as long as|around|while|under|alongside)|"
    r"(?:has|have|had) to (?:fit|match|suit|work with|go with|be one)(?: (?:that|which))?"
    rf")\b{_WHAT_OF_IT}\s*$",
    re.IGNORECASE,
)
# The same by a small word alone, which may tie two things in any way.
_BY_A_WORD = re.compile(
    rf"^['’]?s?\s*{_VERY}(?:.*\b)?(?:for|through|what(?:ever)?|who(?:ever)?|where(?:ver)?|how(?:ever)?|one(?: that| which)?|the one(?: that| which)?|on|because|cause|cos)\b{_WHAT_OF_IT}\s*$",
    re.IGNORECASE,
)
# Y … X, where X hangs on Y
_OVER_IT = re.compile(
    r"^['’]?s?\s*(?:(?:pretty much|very much|more or less|entirely|mostly|largely|only|just|really|basically|also|always|usually|actually|ultimately|is|are|was|the|one|person|people|thing|reason|who|that|which|what|has|gets|get|got|had|likes|wants|chooses|tends|to|is the one who|has been|would|will|could|can|might|affects)\s+)*(?:"
    r"decid(?:es?|ed|ing)(?: on)?|determin(?:es?|ed)|dictat(?:es?|ed)|driv(?:es?)|govern(?:s|ed)?|control(?:s|led)?|shap(?:es?|ed)|sets?|pick(?:s|ed)?|choos(?:es?)|chose|influenc(?:es?|ed)|affects?|defin(?:es?|ed)|rules?|steers?|informs?|settles?|underlies|recommend(?:s|ed)?|suggest(?:s|ed)?|prescrib(?:es?|ed)|provid(?:es?|ed)|suppli(?:es|ed)|supply|"
    r"g(?:i|a)ve(?:s|n)?(?: (?:us|me))?|brings?(?: in| along)?|brought(?: in| along)?|pay(?:s)?(?: for)?|paid for|fund(?:s|ed)?|financ(?:es?|ed)|assign(?:s|ed)?|arrang(?:es?|ed)|organi[sz](?:es?|ed)|book(?:s|ed)?|writes?|wrote|mak(?:es?)|made|puts? together|designs?|designed|draws? up|drew up|plann(?:ed)|plans|insist(?:s|ed)? on|want(?:s|ed)?|prefer(?:s|red)?|demand(?:s|ed)?|order(?:s|ed)?|impos(?:es?|ed)|approv(?:es?|ed)|select(?:s|ed)?|introduc(?:es?|ed)|found|hir(?:es?|ed)|built|sold|"
    r"has (?:a|the|the (?:last|final|only)|a big|a huge|a lot of|some|much|great) (?:say|word|influence|effect|impact|bearing|hand)(?: (?:in|on|over|about))?|calls the shots on|why (?:we|i) (?:have|use|go to|picked|chose)|the (?:only |main |whole |real )?(?:reason|basis) (?:for|behind|why)|com(?:es?) with(?: its own)?|came with|makes or breaks|tells us|tell us|the thing"
    r")\b(?:\s+(?:my|our|the|that|this|its own|their own|on|over|who|what|where|which|how|when|whether|we have|i have|we use|i use|is made for|of|much|why|us|me))*\s*$",
    re.IGNORECASE,
)
# `Salma picks the films`: which ones, not when or where we screen them
_CHOOSES = re.compile(
    r"\b(?:pick|choose|chose|select|make|write|design|provide|supply|bring|find|buy)\w*\b", re.IGNORECASE
)
_AT_OR_ON = re.compile(r"\s(?:on|at|in)$")
DONE_BY = re.compile(
    r"(?:(?:is|are|was|were|has been|['’]s|['’]re)\s+)?(?:\w+ly\s+)?(?:driven|made|given|run|provided|paid for|covered|built)\s+(?:\w+ly\s+)?by\s",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"^\s+(?:(?:really|always|sort of|kind of|basically|all|just)\s+)*(?:(?:go|belong|come|hang|move|change|stand and fall|stand or fall) (?:together|hand in hand)|(?:are|is|get|come as)\s+(?:a package(?: deal)?|one package|linked|tied(?: together)?|connected|bound(?: together)?|coupled|inseparable|joined at the hip|two sides of the same coin))",
    re.IGNORECASE,
)
_POSSESSED = re.compile(
    r"^['’]s?\s+(?:(?:own|personal|last|final)\s+)?(?:call|choice|decision|pick|doing|business|idea|responsibility|recommendation|suggestion|orders?|rules?|rule|policy|wish|wishes|taste|favou?r|work|creation|design|list|thing|baby|domain|department|say|preference|turf|gift|prescription|advice)\b",
    re.IGNORECASE,
)
CHANGE_OF = re.compile(
    r"(?:^|\b)(?:an?|any|the|every)\s+(?:change|switch|swap|move)\s+(?:of|in|to|at)\s*$|(?:^|\b)(?:changing|switching|replacing|swapping|losing|leaving|dropping)\s*$",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"n['’]t\b|\b(?:not|never|nothing|no longer|hardly|regardless|irrespective|whether or not)\b", re.IGNORECASE
)
_UNLESS_NOT = re.compile(
    r"(?:isn['’]t|is not|aren['’]t) (?:really )?(?:independent of|set in stone|fixed|carved in stone|up to me)|won['’]t (?:survive|outlive|outlast|hold (?:up )?without|last without)|can(?:['’]t|not) (?:survive|exist|work|do|run|go|hold) without|wouldn['’]t (?:exist|work|be (?:there|here)|survive|hold) without|"
    r"not (?:be )?without|nothing without",
    re.IGNORECASE,
)
OPENING = re.compile(
    r"^(?:(?:and|but|so|also|oh|well|remember|note|keep in mind|bear in mind|mind you|just so you know|of course|though|now|honestly|basically|btw|by the way|the thing is|see|you see|i (?:think|guess|suppose|believe)|for what it['’]s worth)(?:\s+that)?[,:]?\s+)+",
    re.IGNORECASE,
)


def find_dependence(text: str, spots: Sequence[Spot]) -> list[tuple[str, str]]:
    """Which of the facts named in *text* hang on which: (effect, cause); without a condition."""
    attributes = list(dict.fromkeys(s.attribute for s in spots))
    if len(attributes) > 4:
        return []
    groups = _grouped(text, spots)
    if len(groups) != 2:
        return []
    (first, second) = groups
    lead = OPENING.sub("", text[: first[0].start])
    mid = text[first[-1].end : second[0].start]
    tail = text[second[-1].end :]
    its_own = re.match(r"(?:its|their|his|her)\b", text[second[0].start :], re.IGNORECASE) is not None
    read = _direction(lead, mid, tail, first[0], its_own)
    if read is None:
        return []
    effects, causes = (first, second) if read == "first" else (second, first)
    if DONE_BY.match(mid.lstrip()) and all(c.value is not None for c in causes):
        return []  # `our van is driven by Marek`: who does it
    effects = [e for e in effects if not (_CHOOSES.search(mid) and _AT_OR_ON.search(e.attribute) and read == "second")]
    if any(s.value is not None for s in effects):
        return []
    return [(e.attribute, c.attribute) for e in effects for c in causes]


def _grouped(text: str, spots: Sequence[Spot]) -> list[list[Spot]]:
    """*spots*, those that `and` joins together, a fact named twice in a row once; three groups where more is told."""
    groups: list[list[Spot]] = []
    for spot in spots:
        if groups:
            between = text[groups[-1][-1].end : spot.start]
            if spot.attribute == groups[-1][-1].attribute:
                continue
            if any(spot.attribute == s.attribute for g in groups for s in g):
                continue
            if re.fullmatch(r"\s*(?:,|,?\s*(?:and|or|as well as|plus|&))\s*", between) and (
                between.strip() != "," or re.match(r"\s*,?\s*(?:and|or)\b", text[spot.end :])
            ):
                tail = text[spot.end :]
                if not _TOGETHER.match(tail) or len(groups[-1]) > 1:
                    groups[-1].append(spot)
                    continue
        groups.append([spot])
    return groups


def _direction(lead: str, mid: str, tail: str, first: Spot, its_own: bool) -> Literal["first", "second"] | None:
    """Which of two facts hangs on the other, by the words before, between and after their names; None where neither is told."""
    words = mid.split()
    if len(words) > 12:
        return None
    mid = _RELATIVE.sub(" ", mid)
    if re.fullmatch(r"\s*(?:and|&)\s*", mid) and _TOGETHER.match(tail):
        return "first"
    if CHANGE_OF.search(lead) or (first.afresh and not lead.strip()):
        return "second" if mid.strip() else None
    if re.match(
        r"^(?:it['’]s |it is |it )?(?:(?:all|only|purely|just|mostly)\s+)*(?:because of|thanks to|due to|depending on|depends? on|on account of|given|owing to|based on)\s*$",
        lead,
        re.IGNORECASE,
    ):
        return "second" if len(words) <= 8 else None
    if re.match(r"^(?:for|as for|when it comes to|concerning|about|with)\s*$", lead, re.IGNORECASE) and re.search(
        r"(?:comes?|boils?|is|['’]s) (?:all )?down to|depend|look at|go by|go with|goes? by|ask|matters?|up to|hinge|follow",
        mid,
        re.IGNORECASE,
    ):
        return "first"
    if _UNLESS_NOT.search(mid) and not _NOT.search(re.sub(_UNLESS_NOT, "", mid)):
        return "first"
    if _UNLESS_NOT.search(mid):
        mid = re.sub(r"^.*?(?:,|;|—)\s*", " ", mid)
    if _NOT.search(mid) or _NOT.search(lead) or re.search(r"\b(?:nothing to do|regardless)\b", tail, re.IGNORECASE):
        return None
    if _POSSESSED.match(tail) and re.search(
        r"(?:\b(?:is|are|was|were|as|reflects?|by|on|follows?|to|of|at|with|matches|suits?|because|['’]s|through)\b|['’]s)\s*(?:\w+ly\s+|just\s+|all\s+|only\s+|really\s+|entirely\s+|what(?:ever)?\s+)*$",
        mid,
        re.IGNORECASE,
    ):
        return "first"
    if its_own and re.match(r"\s+(?:c(?:omes?|ame) with|has|have|brings?|needs?)\s*$", mid):
        return "second"
    told = _ON_IT.match(mid) or _ON_IT.match(
        re.sub(r"^.*?\b(?:,\s*(?:it|they|that|which)\s+|;\s*(?:it|they)\s+|—\s*(?:it|they)\s+)", " ", mid)
    )
    whose = re.search(
        r"(?:^|\b)(?:who(?:ever)?|what(?:ever)?|which(?:ever)?|where(?:ver)?|how(?: much| often| long| many)?|when)\b[^,]*$",
        lead,
        re.IGNORECASE,
    )
    if told or (_BY_A_WORD.match(mid) and _settled(lead, mid, tail)):
        return "first"
    if _OVER_IT.match(mid) and (
        not lead.strip()
        or whose
        or re.search(
            r"(?:it['’]s|it is|because|since|cause|cos|as|seeing that|my|our|the|know|that)\s*$", lead, re.IGNORECASE
        )
    ):
        return "second"
    if whose and re.search(r"\b(?:decides?|determines?|sets|picks|chooses|dictates)\s*$", mid, re.IGNORECASE):
        return "second"
    return None


# "which dataset I have depends on", "the gym that we use comes with", "what the script looks like is"
_RELATIVE = re.compile(
    r"^\s+(?:(?:that|which)\s+)?(?:(?:I|we|i['’]m|we['’]re|i['’]ve|we['’]ve)\s+(?:\w+ly\s+)?(?:am|are|use|have|got|take|go to|go with|went with|get|do|buy|wear|ended up with|with|at|on|work with|pick|picked|chose|choose)|looks? like|is like|I end up with|we end up with)(?=\s)",
    re.IGNORECASE,
)


def _settled(lead: str, mid: str, tail: str) -> bool:
    """Whether a small word between two facts says that the first is as it is for the second's sake."""
    if re.search(
        r"\b(?:chose|chosen|picked|selected|set up|got|took|take|found|know|use|have|keep|made|feed|do|needs?|only)\b",
        lead + " " + mid,
        re.IGNORECASE,
    ) and re.search(r"\b(?:for|through|because|to fit|to suit|to match|on)\s*$", mid, re.IGNORECASE):
        return bool(
            re.match(
                r"^(?:\s*$|\s+(?:told|said|asked|wants?|wanted|needs?|likes?|insists?|recommended|is|has|we|i|to|that|,)\b|,)",
                tail,
            )
        )
    if re.search(r"\b(?:because|cause|cos)\s*$", mid, re.IGNORECASE):
        return bool(
            re.match(
                r"^\s+(?:told|said|asked|wants?|wanted|needs?|likes?|insists?|insisted|recommended|prescribed|chose|picked|decided|uses?|requires?|prefers?|made|has)\b",
                tail,
            )
        )
    if re.search(
        r"\b(?:is|are|['’]s|was)\s+(?:just |only |simply )?(?:what(?:ever)?|the one(?: that)?|one(?: that)?|who(?:ever)?|where(?:ver)?|how(?:ever)?|when(?:ever)?)\s*$",
        mid,
        re.IGNORECASE,
    ):
        return bool(re.match(r"^\s+(?:\w+ly\s+)?(?:\w+s|\w+ed|\w+)\b", tail)) and not re.match(
            r"^\s+(?:is|are)\s+[A-Z]", tail
        )
    return False
