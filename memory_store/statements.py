"""
What a message of the owner says that memory should keep: text -> statements, by pattern, for English.

Only declarative sentences of the speaker's own count. Questions, hypotheticals, negations, quoted or pasted text, code
and tasks for the assistant give nothing. Statements name facts in the speaker's words; `linking` finds the facts meant.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory_store.alterations import alterations
from memory_store.anaphors import by_pronoun, with_names, with_subject
from memory_store.becoming import with_news
from memory_store.clauses import parse_clause
from memory_store.conditions import holds_for_a_while
from memory_store.corrections import SAYS_HOW, correction, correction_of_before
from memory_store.couples import lost, seeing, used_to_be
from memory_store.cuts import cuts
from memory_store.deletions import find_deletion, is_not_to_be_kept
from memory_store.doing import verb_form
from memory_store.engagements import engaged
from memory_store.familiar import Familiar
from memory_store.grammar import parse
from memory_store.hanging import find_hanging
from memory_store.jobs import new_job
from memory_store.kinds import one_more, told_at_once, told_of_two_kinds
from memory_store.labels import is_list
from memory_store.later import is_to_come
from memory_store.lists import find_had, find_moves, names_a_list
from memory_store.looking_back import beside, hinged, tied_after_all, unsettled
from memory_store.measures import measures
from memory_store.mentions import PRONOUN, Mention
from memory_store.names import may_change
from memory_store.once import is_for_once
from memory_store.pasted import surely_own
from memory_store.phrases import clean_value, noun_phrase, specific, stems
from memory_store.pleas import asked_to_go
from memory_store.purposes import trade_and_place
from memory_store.reasons import circumstance, holds_while, is_of_an_event, reason_given, without_reason
from memory_store.reckoning import find_reckoned
from memory_store.said import NAME, PERSONAL_NAME, Said
from memory_store.sentences import Sentence, clauses, is_long, is_of_others, sentences, undress
from memory_store.several import apart, company, spelled_out
from memory_store.statement import Statement
from memory_store.succession import find_renewal, find_succession, find_vacancy
from memory_store.tellings import first_telling, reads_as_theirs, speaks_of_a_task, tellings
from memory_store.ties import Tie, find_ties, is_one_part, told_loosely
from memory_store.told import altered, enlisted, hung, reckoned, stated, succeeded, tied, vacated
from memory_store.verbatim import find_verbatim
from memory_store.verbs import is_role
from memory_store.whereabouts import apart_from_who, moved
from memory_store.whose import A_SECRET, Whose

__all__ = ["Statement", "extract"]


def extract(
    text: str, *, after: Sequence[Statement] = (), before: Sequence[str] = (), known: Familiar | None = None
) -> list[Statement]:
    """
    The statements of *text*, one message of the owner, in the order in which they stand.

    *after*: what their message before told, which this one may correct: `No, it's teal`. *before*: the messages before
    it, of whose things it may go on to speak: `He died`. *known*: the facts by whose names and values it may speak of
    them; it learns what *text* tells.
    """
    verbatim, rest = find_verbatim(text)
    found = [verbatim] if verbatim else []
    told = sentences(rest)
    reader = _Reader(rest, after=after, before=before, known=known or Familiar())
    read: list[tuple[Sentence, list[Statement]]] = []
    for sentence in told:
        new = reader.read(sentence)
        new = [*reader.overtaken(new), *new]
        if any(s.kind == "deletion" for s in new):
            # what is to be forgotten was repeated only to name it
            gone = {(s.attribute, s.value) for s in new}
            found = [s for s in found if (s.attribute, s.value) not in gone]
        found += new
        read.append((sentence, new))
    if not reader.foreign:
        found += tied_after_all(read, reader.known)
        if not reader.whose.tasks:
            found = hinged(found, read, reader.known)
        found += unsettled(found, read, reader.known)
        if known is not None and known.values:
            found = _supposed(found, told)
    return found


def _supposed(found: Sequence[Statement], told: Sequence[Sentence]) -> list[Statement]:
    """*found*, with what each sentence supposes and what was said before it, to be read by the facts that are known."""
    read, before = list(found), ""
    for sentence in told:
        span = (sentence.start, sentence.end)
        of_it = [i for i, s in enumerate(read) if s.span == span]
        asks = sentence.asks and not sentence.text.startswith("Should ")
        other = asks or any(read[i].kind in ("deletion", "verbatim", "correction") for i in of_it)
        ways = tuple(tuple(way) for way in ([] if other else cuts(sentence.whole, before)))
        if ways and of_it:
            read[of_it[0]] = replace(read[of_it[0]], cuts=ways, before=before)
        elif of_it:
            read = [replace(s, before=before) if s.span == span else s for s in read]
        elif ways:
            at = next((i for i, s in enumerate(read) if s.span > span), len(read))
            alone = Statement("rule", PRONOUN, span=span, sentence=sentence.whole, cuts=ways, before=before)
            read.insert(at, alone)
        before = f"{before} {sentence.whole}".strip()[-300:]
    return read


# "can you remember that the alarm code is 7713?" asks for nothing but that
_ASKED_TO_KEEP = re.compile(
    r"^(?:please\s+)?(?:can|could|would|will) you (?:please |kindly )?"
    r"(?:remember|keep in mind|note|make a note|write down|save)\s+that\s+(?P<what>.+?)(?:,? please)?\s*\?$",
    re.IGNORECASE,
)


class _Reader:
    """Reads sentences in order and remembers what the last one spoke of."""

    def __init__(
        self, message: str, *, after: Sequence[Statement] = (), before: Sequence[str] = (), known: Familiar
    ) -> None:
        self.message = message
        self.foreign = is_of_others(message)
        self.known = known
        self.after = after
        self.last: list[Statement] = []
        self.before = ""
        self.earlier: list[Sentence] = []  # of this message
        self.context = [one for told in before for one in re.split(r"(?<=[.!?])\s+|\n+", told)]  # said so far
        self.unsure: list[Statement] = []  # of what the sentence only tells that it is no more as it was
        self.forgot = False  # whether the sentence before asked to forget something
        self.whose = Whose(known, "?" in message, speaks_of_a_task(message))
        self.was: list[Statement] = []  # told as past; it counts where the same message tells what came after it
        self.news: str | None = None  # what the sentence before said to have changed, without saying to what
        self.ended: Statement | None = None  # what ended, waiting for what follows it

    def read(self, sentence: Sentence) -> list[Statement]:
        if is_not_to_be_kept(sentence.text):
            return []
        had = find_had(sentence.text, self.known.values)
        moves = find_moves(sentence.text, self.known.values, self._list()) or ((had,) if had else ())
        if moves and not self.foreign and self._may_forget(sentence):
            found = [enlisted(listed, item, sentence) for listed in moves for item in listed.items]
            self.last = found
            self.before = sentence.text
            self.context.append(sentence.whole)
            for listed in moves:
                self.known.add(listed.name)
                for item in () if listed.off else listed.items:
                    self.known.add(listed.name, item)
            return found
        if asked := _ASKED_TO_KEEP.match(sentence.text):
            sentence = replace(sentence, text=asked["what"], asks=False)
        again = self.forgot  # `Please forget X. Delete it.` asks for nothing more
        before = "" if again else self.before
        deletion = find_deletion(sentence, [] if again else self.last, before) or (
            None if again else asked_to_go(sentence, self.earlier, self.known)
        )
        self.forgot = deletion is not None
        self.before = sentence.text
        self.earlier.append(sentence)
        self.unsure = []
        if deletion is not None:
            # what is to be forgotten must not be learned first
            return [deletion] if self._may_forget(sentence) else []
        if (
            self.foreign
            or re.search(r"\bhypothetical", sentence.text, re.IGNORECASE)
            or (sentence.asks and not sentence.text.startswith("Should "))
        ):
            self.last = []
            return []
        found = self._tied_and_told(sentence) or self._declared(sentence)
        if not found and (held := self._at_present(sentence)):
            found = [held]
        found += beside(sentence, self.known)
        found = self._announced(sentence, found) or self.unsure
        self.context.append(sentence.whole)
        if found:
            self.last = found
        for statement in found:
            if statement.attribute and not statement.echo and statement.kind not in ("dependency", "rule", "end"):
                self.known.add(statement.attribute, statement.value)
        self.whose.told |= set(stems(sentence.text))
        return found

    def _list(self) -> str:
        """The list that was spoken of last; none where it was not."""
        if self.last and self.last[-1].attribute and names_a_list(self.last[-1].attribute):
            return self.last[-1].attribute
        lists = [name for name in self.known.values if names_a_list(name)]
        told = [one.lower() for one in self.context[-3:]]
        named = [name for name in lists if any(name.lower() in one for one in told)]
        return named[-1] if named else ""

    def _tied_and_told(self, sentence: Sentence) -> list[Statement]:
        """`X depends on Y: at the moment it's V.`: what a thing hangs on and what it is, in one sentence."""
        m = _TIE_THEN_NOW.match(sentence.text)
        tied = self._declared(replace(sentence, text=m["tie"])) if m else []
        if m is None or not tied or tied[-1].kind != "dependency":
            return []
        self.last = tied
        held = self._at_present(replace(sentence, text=m["now"]))
        return [held, *tied] if held else []

    def _at_present(self, sentence: Sentence) -> Statement | None:
        """`X depends on Y. For now it is V.`: what a thing is now of which the sentence before told what it hangs on."""
        of = self.last[-1] if self.last else None
        m = _FOR_NOW_IT_IS.match(sentence.text)
        if m is None or of is None or of.kind not in ("rule", "dependency") or not of.about.name:
            return None
        value, _ = clean_value(m["v"])
        if value is None or len(value.split()) > 5:
            return None
        return stated(Said(of.about.name, value, of.subject), sentence)

    def _announced(self, sentence: Sentence, found: list[Statement]) -> list[Statement]:
        """`My X has changed again. I work with V now.`: the news that was announced, under its own name."""
        announced, self.news = self.news, None
        if not found and (m := _HAS_CHANGED.match(undress(sentence.text)[0])):
            self.news = noun_phrase(m["np"])
        if announced is None or len(found) != 1 or found[0].kind not in ("state", "change") or not found[0].verb:
            return found
        told = found[0]
        if told.attribute in self.known.values or not specific(told.value or ""):
            return found
        return [
            replace(told, kind="change", attribute=announced, about=Mention(announced, value=told.value), verb=False)
        ]

    def _may_forget(self, sentence: Sentence) -> bool:
        """Whether *sentence* asks for itself; in a message that hands on a text only what it begins with does."""
        begins = not self.message[: sentence.start].strip() and not is_long(self.message)
        return surely_own(self.message, sentence.start) and (begins or not self.foreign)

    def overtaken(self, new: Sequence[Statement]) -> list[Statement]:
        """What was told to have been so before, now that *new* tells what is so instead."""
        found: list[Statement] = []
        for past in list(self.was):
            later = next(
                (n.attribute for n in new if n.value and n.attribute and may_change(n.attribute, past.attribute or "")),
                None,
            )
            if later is None or any(s.value == past.value for s in new):
                continue
            self.was.remove(past)
            if len(self.known.values.get(later, [])) <= 1:
                found.append(replace(past, attribute=later, about=Mention(later, value=past.value)))
        return found

    def _declared(self, sentence: Sentence) -> list[Statement]:
        text, news = undress(sentence.text)
        text = with_names(_THAT_IS_WHEN.sub("", text), self.last, self.known.values)
        corrected = correction(sentence, self.last) if self.last else correction_of_before(sentence, self.after)
        corrected = corrected or ([] if self.last else correction(sentence, []))
        if corrected:
            return corrected
        if holds_for_a_while(text) or is_for_once(text, self.known) or is_to_come(text):
            return []
        if several := one_more(text, self.known) or (
            told_at_once(text, self.known)
            if sentence.short and not self.whose.tasks and company(text) is None
            else None
        ):
            return [stated(several, sentence)]
        if self.was and (m := _NOW_IT_IS.match(text)) and (value := clean_value(m["v"])[0]) and specific(value):
            past_one = self.was[-1]
            return [
                replace(
                    past_one, kind="change", value=value, span=(sentence.start, sentence.end), sentence=sentence.whole
                )
            ]
        if (past := _WAS.match(text)) and (np := noun_phrase(past["np"])) and (value := clean_value(past["v"])[0]):
            done = verb_form(value.split()[0])
            if (not SAYS_HOW.match(value) or specific(value)) and not (done is not None and done[1] in ("past", "ing")):
                self.was.append(
                    stated(
                        Said(np, re.sub(r"^an?\s+.*?\b(?:called|named|by the name of)\s+", "", value), "we"), sentence
                    )
                )
        if (distance := find_reckoned(text)) and (rule := reckoned(distance, sentence)):
            return [rule]
        if kinds := told_of_two_kinds(text):
            return [one for part in kinds for one in self._declared(replace(sentence, text=part))]
        held = holds_while(text)
        event = is_of_an_event(text, self.known)
        ties, main = find_ties(text) if held is None and not event else ([], None)
        whole = is_one_part(text)
        if (whole or not ties) and (hanging := find_hanging(text, self.known)):
            return [hung(one, sentence) for one in hanging]
        if (gone := lost(text)) is not None:
            return [stated(Said(*gone, "i"), sentence), replace(vacated(*gone, sentence), gone=True)]
        if not ties and (couple := seeing(text, self.known)):
            return [stated(couple, sentence)]
        if not ties and (jobs := new_job(text, self.known)):
            return [stated(said, sentence) for said in jobs]
        told = alterations(text, self.known, self.context) if not ties else []
        by_it = {one.attribute for one in told if one.value is not None}
        if (succession := find_succession(text, self.known)) and succession.attribute not in by_it:
            besides = [one for one in told if one.gone and one.attribute != succession.attribute]
            more = with_news([], text, besides, sentence, self.known, tasks=True) if besides else []
            return [succeeded(succession, sentence), *more]
        if (renewal := find_renewal(text, self.known)) and renewal.attribute not in by_it:
            return [succeeded(renewal, sentence)]
        if vacancy := find_vacancy(text, self.known):
            return [vacated(*vacancy, sentence)]
        found: list[Statement] = []
        if main is not None or not ties:
            main = main if main is not None and ties else held or without_reason(text)
            found = self._stated(sentence, main, news, loose=bool(ties))
        if not ties:
            self.unsure = [altered(one, sentence) for one in told if one.value is None and not one.gone]
            found = with_news(found, text, told, sentence, self.known, tasks=self.whose.tasks)
        if not (ties or found or event) and (loosely := told_loosely(text)):
            ties = [loosely]
        if not ties and found and (reason := reason_given(text) or circumstance(text)) is not None:
            why = {s.attribute for s in self.known.spots(reason)} - {s.attribute for s in found}
            if len(why) == 1:
                ties = [Tie(PRONOUN, (Mention(why.pop()),))]
        for tie in ties:
            effect = tie.effect
            if effect.pronoun:
                of = next((s for s in reversed(found) if s.value), None) or next(
                    (s for s in reversed(self.last) if s.value or s.kind == "dependency"), None
                )
                if of is None:
                    continue
                effect = Mention(of.attribute, value=of.value, certain=True)
            found.append(tied(tie, effect, sentence))
        return found

    def _stated(self, sentence: Sentence, text: str, news: bool, *, loose: bool = False) -> list[Statement]:
        found: list[Statement] = []
        parts = _parts(text, sentence)
        kept = sentence.short and _TO_BE_KEPT.match(sentence.whole) is not None and not self.whose.tasks
        earlier = ""
        for i, part in enumerate(parts):
            bare, more_news = undress(part)
            news = news or more_news
            said = self._clause(
                bare, earlier, found, whole=text if i == 0 else None, loose=loose or kept, last=i == len(parts) - 1
            )
            if said is not None and kept:
                said = replace(said, loose=False, weak=False, echo=False)
            if said is None:
                news = news or bool(re.search(r"\b(?:switched|changed|update|moved|new)\b", part, re.IGNORECASE))
                earlier = part
                continue
            earlier = part
            if said.weak and (not sentence.short or (said.attribute == "have" and f"{part}:" in text)):
                continue  # `I have two kilns: …` leads to what they are
            if said.weak and said.verb and not said.loose and not self.whose.counts(said, sentence):
                continue
            if said.loose and not self.whose.is_known(said.attribute):
                if _is_a_line(sentence, self.known) and not said.echo:
                    continue
                if not (sentence.ours or self.known.values or said.echo or re.match(r"(?:[Tt]he\s|[A-Z])", bare)):
                    continue  # a line of a table or a search
                of_ours = sentence.ours and not said.attribute[:1].isupper()
                if (self.whose.tasks and not A_SECRET.search(said.attribute)) or (
                    said.weak and said.verb and not of_ours and not self.whose.goes_on(said)
                ):
                    continue
            twin = next((s for s in found if s.value and s.value == said.value), None)
            if (
                twin is not None
                and (twin.verb or twin.loose or (twin.attribute or "").endswith(" recipient"))
                and said.attribute
                and not said.verb
            ):
                # "Ruth is marrying us, so Ruth is our officiant": the noun names it better than the verb
                found.remove(twin)
            elif twin is not None or any(s.attribute == said.attribute and not said.also for s in found if s.attribute):
                continue
            if news and not said.also:
                said = replace(said, change=True)
            if said.attribute in ("pay", "we pay"):  # for what, the clause before said
                noun = next((s.attribute for s in reversed(found) if s.attribute and not s.verb), None)
                if noun is None:
                    continue
                said = replace(said, attribute=f"{noun} payment", verb=False)
            if said.echo and self.whose.is_personal(said, sentence):
                said = replace(said, echo=False)
            statement = stated(apart_from_who(said, self.whose.named, self.known), sentence)
            if statement.kind == "end":
                self.ended = statement
                found.append(statement)
                continue
            if self.ended is not None and statement.old is None:
                # "My X is over. I now have Y": the new value takes the place of the ended one
                statement = replace(
                    statement, old=self.ended.old, kind="change" if statement.kind == "state" else statement.kind
                )
            self.ended = None
            found.append(statement)
            if re.fullmatch(PERSONAL_NAME, said.value or ""):
                self.whose.named.add(said.value or "")
            if (
                i == 0
                and said.value
                and len(parts) > 1
                and said.value in text
                and any(said.value.endswith(p) for p in parts[1:])
            ):
                break
        was = used_to_be(sentence.whole)
        if was is not None and len(found) == 1 and found[0].attribute not in self.known.values:
            found = [replace(found[0], value=was, kind="state"), replace(found[0], old=was, kind="change")]
        return found + self._told_besides(sentence, text, news, found)

    def _told_besides(self, sentence: Sentence, text: str, news: bool, found: Sequence[Statement]) -> list[Statement]:
        """What the clauses of *text* tell beyond what was *found*."""
        more: list[Statement] = []
        if not sentence.short or engaged(text):
            return more
        for telling in tellings(text, self.whose.named):
            said = telling.said
            if said.attribute in ("have", "own", "do", "work out of", "use", "run", "like", "love") and (
                found or (not specific(said.value or "") and not self.known.values)
            ):
                continue  # what more is told of is told, and what one has to ask about is no fact
            if said.loose and _is_a_line(sentence, self.known) and not self.whose.is_known(said.attribute):
                continue
            if not self.whose.counts(said, sentence) or any(_is_same(said, s) for s in (*found, *more)):
                continue
            if news and not said.also:
                said = replace(said, change=True)
            more.append(stated(apart_from_who(said, self.whose.named, self.known), sentence))
        return more

    def _clause(
        self, text: str, earlier: str, found: list[Statement], *, whole: str | None, loose: bool, last: bool
    ) -> Said | None:
        previous = found[-1] if found else (self.last[-1] if self.last else None)
        only_a_name = bool(earlier) and last and parse_clause(text) is None and not any(c.verb for c in parse(text))
        read, said = by_pronoun(text, earlier, found, only_a_name=only_a_name)
        if read:
            return said
        if re.match(r"^now\s+(?:get|use|have|take|buy|go|live|work|do|run|order|drive)\b", text):
            text = "we " + text
        text = with_subject(text, previous or (self.after[-1] if self.after else None))
        said = moved(text, self.known) or parse_clause(text, loose=loose or (self.ended is not None and bool(found)))
        if said is not None and said.value in self.whose.named and is_role(said.attribute):
            said = first_telling(text, self.whose.named) or said  # more of somebody, rather than who does it
        if said is None and whole is not None and whole != text:
            said = parse_clause(whole, loose=loose)
            if said is not None and re.search(r"\s(?:is|are)\s", said.value or ""):
                said = None  # that is a clause of its own
        if said is None:
            shorter = re.sub(
                r"^[^,:—]{2,40}(?:,|:|\s—)\s+(?=(?:my|our|the|i|we|i['’]m|we['’]re|i['’]ve|we['’]ve)\b)",
                "",
                text,
                flags=re.IGNORECASE,
            )
            if shorter != text and not re.match(
                r"^(?:if|when|once|unless|whenever|should|although|though|would|could|can|what|how|why|do|does|is|are|imagine|suppose|she|he|they|you)\b",
                text,
                re.IGNORECASE,
            ):
                said = parse_clause(shorter)
        if said is not None and previous is None and said.ends and not said.old:
            return None
        by_us = re.match(r"(?:I|we)\s", text, re.IGNORECASE) and re.fullmatch(
            PERSONAL_NAME, said.value or "" if said else ""
        )
        if said is not None and by_us and reads_as_theirs(said):
            return None
        return said


def _is_a_line(sentence: Sentence, known: Familiar) -> bool:
    """Whether *sentence* rather is a heading or a search: it speaks of nobody, and no mark ends it."""
    if sentence.ours or re.search(r"[.!?]$", sentence.whole) is not None:
        return False
    dated = sentence.text[:4].lower() == "the " and any(one.kind == "day" for one in measures(sentence.text))
    return not (known.values and sentence.short and (dated or _TELLS_PLAINLY.match(sentence.text)))


def _is_same(said: Said, told: Statement) -> bool:
    """Whether *told* has what is *said*, or something of it, already."""
    value, old = (said.value or "").lower(), (told.value or "").lower()
    return bool(old) and (
        value in old
        or old in value
        or said.attribute == told.attribute
        or old in said.attribute.lower()
        or value in (told.attribute or "").lower().split()
    )


def _parts(text: str, sentence: Sentence) -> list[str]:
    """*text*, of *sentence*, as clauses that tell one thing each."""
    if is_list(text):
        return [text]
    if not sentence.short:
        return [told for part in clauses(text) for told in trade_and_place(part)]
    if m := _DONE_BESIDE.match(text):
        text = f"{m['main']}, and {m['s'].lower()} is {m['done']}"
    spelled = [part for whole in spelled_out(text) for part in clauses(whole)]
    return [told for part in spelled for one in apart(part) for told in trade_and_place(one)]


# `Our choir sings in the abbey, conducted by Helga Moss`
_DONE_BESIDE = re.compile(
    rf"^(?P<main>(?P<s>(?:[Mm]y|[Oo]ur)\s[a-z]+(?:\s[a-z]+)?)\s[a-z]+s\s[^,]+),\s+(?P<done>[a-z]+(?:ed|en|wn|un|de|lt|ght)\sby\s(?:my\s|our\s)?{NAME})$"
)
_FOR_NOW_IT_IS = re.compile(
    r"^(?:for now|right now|at present|at the moment|currently|now|these days|so far|today),?\s+(?:it|that)(?:['’]s|\s+is)\s+(?:still\s+)?(?P<v>[^,;:?]+?)[.!]*$",
    re.IGNORECASE,
)
_TIE_THEN_NOW = re.compile(
    r"^(?P<tie>[^:;—–]+?)(?:\s*[:;]|\s+[—–]|,\s+and)\s+(?P<now>(?:for now|right now|at present|at the moment|currently|now|these days|so far|today),?\s+(?:it|that)(?:['’]s|\s+is)\s.+)$",
    re.IGNORECASE,
)
# `We brew on Mondays because that's when the boiler is free`: no condition
_THAT_IS_WHEN = re.compile(
    r",?\s+(?:because|since|as)\s+(?:that|it)(?:['’]s|\s+is)\s+(?:when|where|how|what)\b.*$", re.IGNORECASE
)
_HAS_CHANGED = re.compile(
    r"^(?P<np>(?:my|our|the)\s+[a-z][\w -]*?)\s+(?:(?:has|have)\s+)?(?:just\s+|recently\s+)?changed(?:\s+(?:again|recently|once more|too|lately))*[.!]*$",
    re.IGNORECASE,
)
_TELLS_PLAINLY = re.compile(r"[a-z]+(?:\s[a-z]+)?\sis\s[£$€]?\d\S*(?:\s[a-z]+){0,2}$", re.IGNORECASE)  # `rent is 900`
_TO_BE_KEPT = re.compile(
    r"^(?:(?:please|and|also|just|so|ok|okay|oh)[\s,]+)*(?:do\s+)?(?:remember|note|keep in mind|bear in mind|don['’]t forget|make a note)\b\s*(?:that|:|,)?\s",
    re.IGNORECASE,
)
_NOW_IT_IS = re.compile(r"^(?:now\s+)?(?:it|he|she|that)(?:['’]s|\s+is)\s+(?:now\s+)?(?P<v>.+)$", re.IGNORECASE)
_WAS = re.compile(
    r"^(?:(?:my|our|the)\s+)?(?P<np>[a-zA-Z][a-z-]*(?:\s+[a-z][a-z-]*){0,4})\s+(?:was|were|used to be)\s+(?P<v>.+?)(?:\s+(?:until|till|since|for|before|at first|first)\b.*)?$"
)
