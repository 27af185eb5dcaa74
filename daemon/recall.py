"""What memory holds for one message: a direct answer from facts, passages, and the block that a model may read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from daemon import context, speech
from daemon.account import Find
from daemon.agreement import SAYS_SO, agreement, says
from daemon.answer import LEAST, answer
from daemon.chains import along_rules
from daemon.config import Memory as Settings
from daemon.context import Block, Passage
from daemon.doers import tells_of_another
from daemon.ended import ended
from daemon.heard import bearing, hear, quotations, still_told, weighed
from daemon.lately import lately
from daemon.listed import on_the_list
from daemon.memory import Memory
from daemon.night.meta_page import in_force
from daemon.questions import is_question, of_age, parse_question, with_apostrophes
from daemon.replies import Reply, joined
from daemon.several import asked_apart, together
from daemon.spoken import Utterance
from daemon.subjects import bears_on, in_first_person, in_other_words, is_about, is_of_the_owner, with_known_kin
from daemon.synonyms import in_known_words, kinds_in
from daemon.taught import taught
from memory_store.jokes import is_taken_back
from memory_store.ledger import Ledger
from memory_store.names import Similarity
from memory_store.phrases import WORD, stem, stems
from memory_store.verbs import nouns

BARE_WORDS = 5  # so many at most name a fact and say nothing else
UTTERANCES = 24  # messages of the owner's that are looked at for some words
CONFIDENT = 0.85  # below it, an answer must also hold half of what the question is about
CONFIDENT_OF_THE_OWNER = 0.65  # the same where it asks of the owner, which the world cannot answer


# `what time's the show`, which is no time's show
_CONTRACTED = re.compile(
    r"\b((?:what|which)\s+\w+)['’]s\s+(?=(?:the|my|our|your|his|her|their|this|that|a|an)\b)", re.IGNORECASE
)


@dataclass(frozen=True)
class Recall:
    """
    What memory holds for one message: a *direct* answer from facts, *passages*, and the *block* a model may read.

    *told*: what the owner said that answers, or, *nearly*, only comes near that, to be quoted where no model can be
    trusted to read. *left*: the sentences of conversations that tell what they ask to forget.
    """

    ledger: Ledger
    direct: Reply | None
    passages: tuple[Passage, ...]
    block: Block
    rules: tuple[str, ...] = ()
    told: tuple[Passage, ...] = ()
    left: tuple[Utterance, ...] = ()
    nearly: bool = False


def recall_for(words: str, memory: Memory, settings: Settings, *, today: str) -> Recall:
    """What *memory* holds for *words*; nothing for none."""
    if not words.strip():
        return Recall(Ledger.build([]), None, (), Block(""))
    ledger = context.without_experiences(memory.ledger())
    words = as_question(words, ledger)
    direct = direct_answer(words, memory, ledger, today=today)
    if direct and (fresh := memory.ledger_if_saved({source.path for source in direct.sources})):
        ledger = context.without_experiences(fresh)
        direct = direct_answer(words, memory, ledger, today=today)
    blocks = memory.blocks(settings)
    passages, block = blocks.recall(words)
    rules = tuple(rule.id for rule in in_force(blocks.rules, words) if rule.learned)
    undone = [_plain(sentence) for sentence in memory.taken_back()]
    quotable = _standing(context.quotable(words, passages, ledger), undone)
    find = _finding(memory, undone)
    heard = memory.meaning.with_similarity(lambda near: hear(words, find, near, ledger))
    heard = bearing(words, heard, ledger)
    direct = taught(words, quotable, sure(direct), ledger) or weighed(words, direct, heard, ledger)
    found = (_bearing(words, one, ledger) for one in quotable)
    return Recall(
        ledger,
        direct,
        tuple(filter(None, found)),
        block,
        rules,
        told=quotations(heard),
        left=still_told(words, find),
        nearly=heard is not None and heard.near,
    )


def as_question(words: str, ledger: Ledger) -> str:
    """*words* as the question that they are: with its apostrophes, or the name of a fact and no more, `shoe size`."""
    bare = re.sub(r"^(?:my|our|the)\s+", "", words.strip(" .!"), flags=re.IGNORECASE)
    if not is_question(words) and len(bare.split()) <= BARE_WORDS and ledger.current(bare):
        return f"{bare}?"
    return with_apostrophes(words)


def sure(direct: Reply | None) -> Reply | None:
    """*direct* where it answers what was asked."""
    return None if direct is None or direct.kind == "near" else direct


def _standing(passages: Sequence[Passage], undone: Sequence[str]) -> list[Passage]:
    """*passages* without conversations that tell what was *undone* since, or only what we said of it ourselves."""
    return [
        one
        for one in passages
        if not context.is_journal(one.path) or not (speech.begins_as_ours(one.text) or _holds(one.text, undone))
    ]


def _finding(memory: Memory, undone: Sequence[str]) -> Find:
    """What finds the owner's messages about some words, but for what was *undone* since."""
    return lambda about: [one for one in memory.utterances(about, UTTERANCES) if not _holds(one.message, undone)]


def _holds(text: str, sentences: Sequence[str]) -> bool:
    plain = _plain(text)
    return any(sentence and sentence in plain for sentence in sentences)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def quoted(question: str, recall: Recall, *, limit: int | None = None) -> Reply | None:
    """What the owner told or wrote that answers *question*, or comes near that; None where nothing does."""
    nearly = recall.nearly and bool(recall.told)
    if nearly and recall.direct is not None:
        return recall.direct
    passages = better(question, recall)[:limit]
    if not passages:
        return None
    text = speech.nearest(passages) if nearly else speech.quoted(passages)
    return Reply(text, "near" if nearly else "passages", tuple(map(context.source_of, passages)), 1.0, ())


def better(question: str, recall: Recall) -> list[Passage]:
    """The passages that bear on *question*, and, where facts are near it, tell something of what these lack."""
    if recall.told:
        return list(recall.told)
    found = speech.bearing(question, recall.passages)
    near = recall.direct
    if near is None or near.kind != "near":
        return found
    return [one for one in found if near.lacks & frozenset(stems(one.text))]


def direct_answer(words: str, memory: Memory, ledger: Ledger, *, today: str) -> Reply | None:
    """What facts alone answer to *words*."""
    return memory.meaning.with_similarity(lambda near: from_facts(words, ledger, today=today, similarity=near))


def from_facts(words: str, ledger: Ledger, *, today: str, similarity: Similarity | None) -> Reply | None:
    """What *ledger* answers to *words*, to each of several questions, and that surely enough. Pure."""
    words = in_first_person(words, ledger)
    questions = asked_apart(words)
    if len(questions) > 1:
        return together(questions, [_to_one(one, ledger, today, similarity) for one in questions])
    return _to_one(words, ledger, today, similarity)


def _to_one(words: str, ledger: Ledger, today: str, similarity: Similarity | None) -> Reply | None:
    if (changed := lately(words, ledger, today)) is not None:
        return changed
    if (listed := on_the_list(words, ledger)) is not None:
        return listed
    if (chain := along_rules(words, ledger, similarity)) is not None:
        return chain
    words = _CONTRACTED.sub(r"\1 is ", words)
    words = with_known_kin(of_age(_as_to_whom(words, ledger)), ledger)
    direct = _answered(words, ledger, today, similarity)
    for put in in_other_words(words, ledger):
        if direct and direct.kind != "near" and direct.attributes != (put.who.attribute,):
            break  # more than who somebody is
        other = _answered(put.question, ledger, today, similarity)
        if other and put.who.attribute not in other.attributes and put.is_of_them(other.attributes):
            return other
    if sure(direct) is not None:
        return direct
    return (
        _in_known_words(words, ledger, today, similarity)
        or ended(lambda as_if: _answered(words, as_if, today, similarity), ledger)
        or direct
    )


_MARRIED = re.compile(r"\W*(?:am i|are we)\s(?:still\s)?married\W*", re.IGNORECASE)


def _as_to_whom(words: str, ledger: Ledger) -> str:
    """`am I married` as the question who my wife is, where facts tell of her."""
    spouse = next((one for one in ("wife", "husband", "spouse") if ledger.timeline(one)), None)
    return f"Who is my {spouse}?" if spouse is not None and _MARRIED.fullmatch(words) else words


def _in_known_words(words: str, ledger: Ledger, today: str, similarity: Similarity | None) -> Reply | None:
    """The answer to *words* put with the words that facts have, or to each of the kind of things that it asks for."""
    named = " ".join(ledger.attributes())
    held = frozenset(map(stem, WORD.findall(named)))

    def known(word: str) -> bool:
        return word.casefold() in named.casefold() if " " in word else stem(word) in held

    for put in in_known_words(words, known):
        found = sure(_answered(put, ledger, today, similarity))
        facts = [fact for name in found.attributes for fact in ledger.current(name)] if found else []
        if found and not any(agreement(put, fact, ledger, similarity).verdict == "far" for fact in facts):
            return found
    every = (sure(_answered(put, ledger, today, similarity)) for put in kinds_in(words, known))
    told = [one for one in every if one is not None]
    return reduce(joined, told) if told else None


def _answered(words: str, ledger: Ledger, today: str, similarity: Similarity | None) -> Reply | None:
    def fits(name: str) -> bool:
        return is_about(words, name, ledger) or any(says(words, fact) >= SAYS_SO for fact in ledger.current(name))

    direct = answer(words, ledger, today=today, similarity=similarity, fits=fits)
    if direct and direct.confidence < _bar(words) and context.coverage(words, _facts_in(direct, ledger)) < 0.5:
        return None
    return direct


def _bar(question: str) -> float:
    """How sure an answer to *question* must be that shares fewer than half of its words."""
    if not is_of_the_owner(question):
        return CONFIDENT
    return LEAST if parse_question(question).mode == "topic" else CONFIDENT_OF_THE_OWNER


def _facts_in(reply: Reply, ledger: Ledger) -> str:
    """The words of the facts that *reply* was made from."""
    facts = [fact for attribute in reply.attributes for fact in ledger.current(attribute)]
    return " ".join(f"{fact.attribute} {nouns(fact.attribute)} {fact.value or fact.was or ''}" for fact in facts)


def _bearing(question: str, passage: Passage, ledger: Ledger) -> Passage | None:
    """*passage* where it may be quoted to *question*: of a page of facts the lines alone that are about it."""
    if context.is_facts_page(passage.path):
        about = [one for one in context.hit_facts([passage], ledger) if is_about(question, one.attribute, ledger)]
        if about:
            first, last = about[0].line, max(about[-1].end_line, about[-1].line)
            return replace(passage, start_line=first, end_line=last, text="\n".join(map(context.describe, about)))
        if _FACT_LINE.search(passage.text):
            return None  # nor are those of the past, or rules, quoted as they stand
    if context.is_journal(passage.path) and (tells_of_another(question, passage.text) or is_taken_back(passage.text)):
        return None
    return passage if bears_on(question, f"{passage.title} {passage.heading} {passage.text}", ledger) else None


_FACT_LINE = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[^\]]+\](?!\()|when \[)", re.MULTILINE)
