"""
What hangs on what: conditionals and the many ways of saying that one thing depends on another.

`Tie` without an outcome is a dependency (`?` when the cause changes), with one it is a rule.
"""

import re
from dataclasses import dataclass
from typing import Literal

from memory_store.clauses import parse_clause
from memory_store.conditions import IF, parse_condition
from memory_store.consequences import parse_consequence
from memory_store.dependence import DONE_BY
from memory_store.mentions import PRONOUN, PRONOUNS, Mention, mention
from memory_store.phrases import noun_phrase
from memory_store.said import NAME


@dataclass(frozen=True)
class Tie:
    """When *causes* (several mentions of one fact) *trigger*, then *effect* becomes *becomes*; None is `?`."""

    effect: Mention
    causes: tuple[Mention, ...]
    trigger: Literal["changes", "is"] = "changes"
    value: str | None = None
    becomes: str | None = None


_COND_FIRST = re.compile(
    rf"^(?:(?:and|but|so|then|also|now|note that|remember that|keep in mind that|the (?:plan|rule|deal|idea|agreement) is(?: that)?[:,]?|we (?:agreed|decided) (?:that|on this:)|just so you know[:,]?)\s*[:,]?\s*)*(?P<if>{IF})\s+(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)


_COND_LAST = re.compile(rf"^(?P<cons>.+?),?\s+(?P<if>{IF})\s+(?P<cond>.+)$", re.IGNORECASE | re.DOTALL)


_DEGREE = r"(?:(?:entirely|mostly|largely|only|just|solely|directly|purely|partly|very much|really|simply|strictly|completely|heavily|always|basically|also|all|mainly|currently|ultimately|actually|in the end|usually|kind of|sort of|totally|fully|closely)\s+)*"


_TIE = re.compile(
    rf"\b(?:(?:is|are|was|were|['’]s|['’]re)\s+)?{_DEGREE}(?:"
    r"depend(?:s|ing|ent)?\s+(?:entirely |mostly |largely |solely |only |a lot |heavily |directly |completely )?(?:on|upon)|rel(?:ies|y|ying) (?:entirely |only |solely )?(?:on|upon)|hing(?:es?|ing) (?:entirely |on whether |mostly )?(?:on|upon)|hangs? (?:on|off|by|from)|rests? (?:on|upon)|rid(?:es?|ing) on|turns? on|"
    r"(?:based|contingent|conditional|conditioned|dependent|predicated|built|reliant|founded|modelled|modeled) (?:entirely |solely |mostly |only )?(?:on|upon|around)|"
    r"(?:tied|linked|bound|connected|coupled|pegged|attached|wedded|matched|keyed|anchored|fitted|tailored|geared|adapted|chained|married|hooked|related|specific|subject|restricted|limited|yoked|hitched|locked|glued) (?:directly |closely |tightly |up |in |entirely )?(?:to|into|with)|"
    r"(?:determined|decided|dictated|driven|set|governed|controlled|shaped|chosen|picked|defined|assigned|imposed|influenced|fixed|made|given|run|handed out|provided|selected|arranged|appointed|paid for|covered|mandated|required|ruled|steered|approved|forced) (?:entirely |mostly |largely |solely |only |directly )?(?:by|through)|"
    r"(?:chosen|picked|selected|set|designed|meant|made|sized|arranged|planned|there|only there) (?:to (?:fit|match|suit|go with|work with|accommodate)|for|because of|around|with|in line with|based on)|"
    r"because of|(?:only )?due to|thanks to|(?<!went )(?<!goes )(?<!go )(?<!came )(?<!is )(?<!dropped )down to(?! \d)|all about|up to|a (?:function|result|consequence|matter|product|question) of|in line with|in step with|on account of|by virtue of|through|conditional upon|"
    r"follow(?:s|ing)?(?: directly)?(?: from)?|(?:all )?(?:com(?:es?|ing)|came) (?:from|with|through|down to|as part of)|stems? from|flows? from|results? from|derives? from|goes? (?:hand in hand )?with|go hand in hand with|stands? (?:or|and) falls? with|stand or fall with|stays? only as long as|"
    r"var(?:ies|y) with|chang(?:es?) with|moves? with|depends|is a matter of|works? only (?:because of|with|thanks to)|only works? (?:because of|with|thanks to|as long as)|exists? (?:only )?because of|(?:only )?makes? sense (?:with|because of|given|alongside)|stands? on(?: the shoulders of)?|ha(?:s|ve) (?:everything|a lot|much|lots) to do with|only what (?:it|they) (?:is|are) because of|whatever (?=(?:my|our|the)\b)"
    r")\s+",
    re.IGNORECASE,
)


_DECIDES = re.compile(
    rf"^(?P<b>.+?)\s+{_DEGREE}(?:decides?(?: on)?|determines?|dictates?|drives?|governs?|controls?|shapes?|sets?|picks?|chooses?|influences?|affects?|defines?|has (?:a|the (?:last|final)) (?:say|word) (?:in|on|about|over)|calls the shots on|is (?:the )?(?:reason|basis) for|rules?|steers?|informs?|settles|underlies|is what (?:decides|determines|drives|sets))\s+"
    r"(?P<a>(?:what |which |who |how |where |when )?(?:my|our|the|which|what|who|this|that|it)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)


_CHOSE_BECAUSE = re.compile(
    r"^(?:i|we|they)(?:['’]ve| have)?\s+(?:only |just |really |originally |specifically )*(?:settled on|chose|picked|went with|use|go to|go with|have|selected|decided on|took|take|set up|set|keep|kept|adopted|got|do|run|made|follow|went for|opted for|need|arranged)\s+(?P<a>.+?)\s+(?:only |just |mainly |purely )?"
    r"(?:because of|due to|thanks to|based on|on account of|to (?:fit|match|suit)|for the sake of|in view of|depending on)\s+(?P<b>.+)$",
    re.IGNORECASE | re.DOTALL,
)


_ASSIGNED = re.compile(
    r"^(?P<b>[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*)*|(?:my|our|the)\s+[a-z -]+?)\s+(?:has\s+)?(?:assigned|picked|chose|decided|set|arranged|made|approved|selected|insisted on|wanted|appointed|requires|demanded|recommended|prescribed|likes|prefers|wants|set up|decides|chooses|gave me|handed out|assigns)\s+(?:on\s+)?(?:it|that|this|her|him|them)\b",
    re.DOTALL,
)


_CALL_OF = re.compile(
    r"^(?P<a>(?:my|our|the)\s+.+?)\s+(?:is|are)\s+(?:really |only |just |always |entirely |all )*(?P<b>(?:my|our|the)\s+.+?)['’]s?\s+(?:call|choice|decision|pick|doing|business|idea|responsibility)$",
    re.IGNORECASE,
)
_STAYS = r"(?:stays?|remains?|is|are|holds?|lasts?|does(?: not|n['’]t) change)"
_MEANS_CHANGING = re.compile(
    r"^(?:changing|replacing|switching|swapping|moving|losing|(?:a|any) change (?:of|in|to)|a (?:different|new))\s+(?P<b>(?:(?:my|our|the)\s+)?.+?)\s+(?:would|will|could|might|may|always)?\s*(?:also\s+)?"
    r"(?:well\s+|also\s+|even\s+|easily\s+)?(?:means?|affects?|changes?|requires?|forces?|involves?|throws? off|upsets?|leads? to)\s+(?:(?:also\s+)?(?:changing|looking (?:again )?at|having to (?:look at|change|redo|rethink)|thinking about|redoing|going over|revisiting|reconsidering|a change (?:in|of|to)|rethinking|replacing|another look at|a rethink of|a (?:new|different))\s+)?(?P<a>(?:(?:my|our|the)\s+)?.+?)(?:\s+(?:too|as well|also|again|anew))?$",
    re.IGNORECASE,
)


_REASON_FOR = re.compile(
    r"^(?:it['’]s |it is |that['’]s |this is )?(?P<p>because of|due to|thanks to|through|for|part of|as part of|on account of|based on|depending on|given|set by|a (?:result|consequence) of)\s+(?P<b>(?:my|our|the|where|which|who|what|how)\b.+)$",
    re.IGNORECASE | re.DOTALL,
)


def find_ties(text: str) -> tuple[list[Tie], str | None]:
    """
    The ties that the sentence *text* states, and the part of it that may state a fact of its own.

    The part is the main clause before a dash or semicolon; a tie whose effect is a pronoun means that part's fact.
    None: nothing beside the ties.
    """
    parts = _segments(text)
    ties: list[Tie] = []
    main: str | None = None
    for i, part in enumerate(parts):
        found = _conditional(part) or _dependency(part, follows=i > 0)
        if found is None:
            if main is None and i == 0:
                main = part
                split = _tail_tie(part)
                if split is not None:
                    main, tie = split
                    ties.append(tie)
            elif main is not None and not ties:
                main = f"{main} — {part}" if i == 1 else main
            continue
        ties.append(found)
    return _merge(ties, told=main is not None), main


def _segments(text: str) -> list[str]:
    """*text* at dashes, semicolons and connectives, so that each part holds at most one tie."""
    rough = re.split(
        r"\s+[—–]\s+|\s+-\s+|\s*;\s*|:\s+(?=(?:if|when|once|whenever|should)\b)|,\s+(?:so|and|but)\s+(?=(?:if|when|once|whenever|should|it|that|this|we|i|we['’]d|i['’]d|don['’]t|do not|please|there|you|nothing|no)\b)|,\s+(?:which|that)\s+(?=(?:is|depends|hinges|relies|follows|comes|in turn)\b)|\s+and\s+(?=(?:if|when|once|whenever)\b)",
        text,
        flags=re.IGNORECASE,
    )
    return [p.strip() for p in rough if p.strip()]


def is_one_part(text: str) -> bool:
    """Whether *text* is one clause or condition, no statement with an afterthought behind a dash."""
    return len(_segments(text)) <= 1


def _merge(ties: list[Tie], *, told: bool) -> list[Tie]:
    """Ties of one sentence about one effect without an outcome are one tie whose cause is told in several ways."""
    plain = [t for t in ties if t.becomes is None]
    others = [t for t in ties if t.becomes is not None]
    if len(plain) > 1:
        named = [t.effect for t in plain if not t.effect.pronoun]
        told = told and any(t.effect.pronoun for t in plain)
        if told or len({(e.name or e.alias or e.value or "").lower() for e in named}) <= 1:
            causes = tuple(c for t in plain for c in t.causes if not c.pronoun)
            plain = [Tie(PRONOUN if told else named[0], causes)]
    causes = tuple(c for t in ties for c in t.causes if not c.pronoun)
    found = []
    for tie in (*plain, *others):
        kept = tuple(c for c in tie.causes if not c.pronoun) or causes
        if kept:
            found.append(Tie(tie.effect, kept, tie.trigger, tie.value, tie.becomes))
    return found


_LONG_AS = re.compile(r"\b(?:as|so) long as\b", re.IGNORECASE)


def _conditional(text: str) -> Tie | None:
    unread: list[Tie] = []
    for condition, consequence in _readings(text):
        event = parse_condition(condition)
        if event is None:
            continue
        outcome = parse_consequence(consequence)
        if outcome is not None and outcome.becomes is None and event.trigger == "is" and _LONG_AS.search(text):
            # `as long as our agent is V, that won't change`: what matters is that it no longer is
            return Tie(outcome.effect, (event.cause,))
        if outcome is not None:
            return Tie(outcome.effect, (event.cause,), event.trigger, event.value, outcome.becomes)
        if event.trigger == "changes" and _OWNED_NOUN.search(consequence) and not _NO_TIE.search(consequence):
            unread.append(Tie(Mention(within=consequence.strip()), (event.cause,)))
    return unread[0] if unread else None


def _readings(text: str) -> list[tuple[str, str]]:
    """Every way to cut *text* into a condition and what follows from it."""
    found: list[tuple[str, str]] = []
    text = re.sub(
        r"^(?:(?:and|but|so|also|oh|note that|remember that|keep in mind that|please note that|by the way|just so you know|btw|fyi|the (?:plan|rule|deal|idea|agreement) is(?: that)?|(?:we|i)(?:['’]ve)? (?:all )?(?:agreed|decided|settled|said|figured|promised|planned)(?: on this)?(?: that)?)\s*[:,]?\s*)+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    if m := _COND_FIRST.match(text):
        rest = m["rest"]
        cuts = [(c.start(), c.end()) for c in re.finditer(r",\s+(?:then\s+)?|\s+then\s+", rest)]
        found += [(rest[:a], rest[b:]) for a, b in cuts]
        if m["if"].lower() == "should":  # an inverted `if`
            found = [
                (
                    re.sub(
                        r"^(?!(?:i|we|you|they)\s)(\S+(?:\s+\S+)*?)\s+(change|become|move|switch|go)\b", r"\1 \2s", a
                    ),
                    b,
                )
                for a, b in found
            ]
        if not cuts and (c := re.search(r"(?<=changes)\s+|(?<=changed)\s+", rest)):
            found.append((rest[: c.start()], rest[c.end() :]))
    elif m := _COND_LAST.match(text):
        found.append((m["cond"], m["cons"]))
        for c in re.finditer(rf",?\s+{IF}\s+", text, re.IGNORECASE):
            found.append((text[c.end() :], text[: c.start()]))
    return found


# "our fee is 90, and the fee …": a statement of its own stands first
_TOLD_FIRST = re.compile(r"^(?:my|our|the)\s.*\s(?:is|are)\s.*,\s+(?:and|but|so)\s+(?:my|our|the)\s", re.IGNORECASE)


# "our flour comes from the Hofer mill" tells where from, not what it hangs on
_FROM_A_NAME = re.compile(r"\b(?:comes?|came)\s+(?:from|through|with)\s+(?:(?:the|an?)\s+)?[A-Z]")


def _dependency(text: str, *, follows: bool) -> Tie | None:
    """A sentence part that says of two things that one hangs on the other."""
    text = re.sub(
        r"^(?:(?:and|but|so|also|oh|note|remember|keep in mind|bear in mind|mind|know|just so you know|of course|though|now|since)(?:\s+that)?[,:]?\s+)+",
        "",
        text.strip(),
        flags=re.IGNORECASE,
    )
    text = text.strip().rstrip(".!")
    if text.endswith("?") or len(text) > 260:
        return None
    if re.match(
        r"^(?:it|that|this)(?:['’]s| is| all)? (?:just |really |all |kind of )*depends?\b(?:\s*$|\s+on (?:your|how|what you|who you|the (?:situation|context|person|case)))",
        text,
        re.IGNORECASE,
    ):
        return None
    if _FROM_A_NAME.search(text):
        return None
    if follows and (m := _ASSIGNED.match(text)):
        cause = mention(m["b"])
        return Tie(PRONOUN, (cause,)) if cause else None
    if follows and (m := _REASON_FOR.match(text)):
        cause = mention(m["b"])
        return Tie(PRONOUN, (cause,)) if cause else None
    if m := _CHOSE_BECAUSE.match(text):
        a, b = mention(m["a"]), mention(m["b"])
        if a and b and (re.match(r"(?:my|our|the|this|that|it)\b", m["a"], re.IGNORECASE)):
            return Tie(a, (b,))
    if m := _CALL_OF.match(text):
        a, b = mention(m["a"]), mention(m["b"])
        return Tie(a, (b,)) if a and b and not b.pronoun else None
    if m := _MEANS_CHANGING.match(text):
        a, b = mention(m["a"]), mention(m["b"])
        return Tie(a, (b,)) if a and b else None
    if m := re.match(
        r"^without\s+(?P<b>(?:my|our|the)\s+.+?),?\s+(?P<a>(?:my|our|the)\s+.+?)\s+(?:would|could|wouldn['’]t|couldn['’]t|makes?|is)\b",
        text,
        re.IGNORECASE,
    ):
        a, b = mention(m["a"]), mention(m["b"])
        return Tie(a, (b,)) if a and b else None
    for m in _TIE.finditer(text):
        left, right = text[: m.start()].strip(), text[m.end() :].strip()
        if re.search(r"n['’]t\b|\b(?:not|never|no longer)\b", left, re.IGNORECASE) or _TOLD_FIRST.search(left):
            continue
        weak = bool(
            re.match(
                r"(?:(?:is|are|['’]s|['’]re)\s+)?(?:through|for|up to|follows?|comes? (?:with|from)|goes? with|came (?:from|with)|set|made|given|run|related|provided)\b",
                m[0].strip(),
                re.IGNORECASE,
            )
        )
        left = re.sub(
            r"^(?:everything|anything|a lot|most things?) (?:about|to do with|around)\s+", "", left, flags=re.IGNORECASE
        )
        left = re.sub(r"^(?:i think|i guess|i believe|you see|see|because|since|as)\s+", "", left, flags=re.IGNORECASE)
        left = re.sub(
            r"\s+(?:is|are)\s+(?:the way (?:it|they)(?: is| are)?|what (?:it|they) (?:is|are)|like that|as (?:it|they) (?:is|are)|so)$",
            "",
            left,
            flags=re.IGNORECASE,
        )
        left = re.sub(r"\s+(?:is|are|was|were)$", "", left)
        right = re.sub(
            r"\s+(?:as (?:it|they) (?:is|are)|the way (?:it|they) (?:is|are))$", "", right, flags=re.IGNORECASE
        )
        if w := re.match(
            r"^(?:whatever|what(?:ever)?|which(?:ever)?|who(?:ever)?|how|where)\s+(?P<np>.+?)(?:\s+(?:is|are))?$",
            left,
            re.IGNORECASE,
        ):
            left = w["np"]
            if re.match(r"(?:which|what)", text, re.IGNORECASE) and re.search(r"\s(?:we|i)\s", left, re.IGNORECASE):
                # "which caterer we take"
                left = f"the {noun_phrase(left) or left}"
        if PRONOUNS.match(left) or (left == "" and follows):
            effect: Mention | None = PRONOUN if follows else None
        elif (
            re.match(r"(?:my|our|the|all|this|that|which|where|who|what)\b", left, re.IGNORECASE)
            and len(left.split()) <= 9
        ):
            effect = mention(
                re.sub(r"^the (?:choice|kind|type|size|length|amount|number) of\s+", "", left, flags=re.IGNORECASE)
            )
        else:
            effect = None
        if effect is None:
            continue
        if weak and not re.match(r"(?:my|our|the|where|which|who|what|how)\b", right, re.IGNORECASE):
            continue
        cause = mention(right)
        if cause is None or cause.pronoun or (DONE_BY.match(m[0]) and re.fullmatch(NAME, right)):
            continue  # `our van is driven by Marek`: who does it
        return Tie(effect, (cause,))
    if m := _DECIDES.match(text):
        b_text = m["b"]
        if re.match(r"(?:i|we|you|he|she|they|it|that|this|what|which|who)\b", b_text, re.IGNORECASE) and not re.match(
            r"(?:what|which|who|where)\s+\w+", b_text, re.IGNORECASE
        ):
            return None
        a = mention(
            re.sub(r"^(?:what|which|who|how|where|when)\s+", "", m["a"])
            if re.match(r"(?:what|which|who|how|where|when)\s+(?:my|our|the)\b", m["a"], re.IGNORECASE)
            else m["a"]
        )
        b = mention(b_text)
        owned = re.match(r"(?:my|our|who|which|where|the)\b", b_text, re.IGNORECASE)
        if a and b and owned and not b.pronoun and (not a.pronoun or follows):
            return Tie(a, (b,))
    return None


_OWNED_NOUN = re.compile(r"\b(?:my|our|the|this|that|it)\b", re.IGNORECASE)


_NO_TIE = re.compile(
    r"\?|n['’]t (?:matter|change|affect)|\b(?:doesn['’]t matter|regardless|either way|stays? the same|still|please|let me know|you (?:can|could|should|would|will))\b",
    re.IGNORECASE,
)


_HANGS = re.compile(
    r"\b(?:depend(?:s|ed|ing)?|hang(?:s|ing)?|hung|tied|linked|bound|connected|coupled|suits?|fits?|follows?|because|thanks|due|came|comes|decided|determined|matches|matched|goes|rel(?:y|ies)|"
    r"based|chosen|picked|whatever|up to|down to|according to|in line with|owes?|stems?|rides?|stands?|rests?|hinges?|reflects?|mirrors?|varies|tracks?|attached|pegged|at the mercy of|a matter of|for the sake of)\b",
    re.IGNORECASE,
)


_MOVES = re.compile(
    r"\b(?:decides?|determines?|dictates?|drives?|governs?|controls?|shapes?|sets|picks|chooses|influences?|affects?|rules|means|implies|brings|requires|calls for|gives us|gave us|forces)\b",
    re.IGNORECASE,
)


def told_loosely(text: str) -> Tie | None:
    """Two things of ours with a word of dependence between them: who they are is for `linking` to find."""
    text = text.strip().rstrip(".!")
    if (
        len(text.split()) > 22
        or text.endswith("?")
        or _NO_TIE.search(text)
        or re.search(r"\b(?:not|never|no longer|would you|if)\b|n['’]t\b", text, re.IGNORECASE)
    ):
        return None
    for cue, turned in ((_HANGS, False), (_MOVES, True)):
        for m in cue.finditer(text):
            left, right = text[: m.start()], text[m.end() :]
            if not (
                re.search(r"\b(?:my|our|the)\s+[a-z]", left, re.IGNORECASE)
                and re.search(r"\b(?:my|our|the)\s+[a-z]", right, re.IGNORECASE)
            ):
                continue
            a, b = (right, left) if turned else (left, right)
            return Tie(Mention(within=a.strip()), (Mention(within=b.strip()),))
    return None


def _tail_tie(text: str) -> tuple[str, Tie] | None:
    """A statement with its reason at the end: `I take the bus because of my new job`, `… as part of my program`."""
    m = re.match(
        r"^(?P<main>.+?)[, ]\s*(?:all |only |mostly |mainly |purely |and that['’]s )?(?P<p>because of|due to|thanks to|as part of|through|on account of|depending on|based on|because|since)\s+(?P<b>(?:my|our|where|which|who|what|the|we|i)\b.+)$",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if m is None:
        return None
    clausal = m["p"].lower() in ("because", "since")
    said = parse_clause(m["main"])
    if said is None or said.value is None:
        return None
    cause = mention(m["b"])
    if cause is None or cause.pronoun or (clausal and not (cause.certain and cause.value)):
        return None
    return m["main"], Tie(PRONOUN, (cause,))
