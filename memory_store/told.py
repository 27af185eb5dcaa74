"""What the readings of a sentence come to: statements."""

from dataclasses import replace

from memory_store.altered import Altered
from memory_store.hanging import Hanging
from memory_store.lists import Listed
from memory_store.mentions import Mention, mention
from memory_store.reckoning import Reckoned
from memory_store.said import Said
from memory_store.sentences import Sentence
from memory_store.statement import Kind, Statement
from memory_store.succession import Succession
from memory_store.ties import Tie


def stated(said: Said, sentence: Sentence) -> Statement:
    """What was *said* of a fact."""
    kind: Kind = "end" if said.ends else "add" if said.also else "change" if said.change else "state"
    return Statement(
        kind,
        Mention(None if said.verb else said.attribute or None, said.attribute if said.verb else None, said.value),
        attribute=said.attribute or None,
        value=said.value,
        old=said.old,
        subject=said.subject,
        verb=said.verb,
        loose=said.loose,
        weak=said.weak,
        echo=said.echo,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def hung(hanging: Hanging, sentence: Sentence) -> Statement:
    """That one fact hangs on another."""
    return Statement(
        "dependency" if hanging.becomes is None else "rule",
        Mention(alias=hanging.effect) if hanging.by_verb else Mention(hanging.effect),
        attribute=hanging.effect,
        value=hanging.becomes,
        depends_on=(Mention(hanging.cause),),
        trigger=hanging.trigger,
        when_value=hanging.value,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def succeeded(succession: Succession, sentence: Sentence) -> Statement:
    """That one value came in the place of another."""
    return Statement(
        "change",
        Mention(succession.attribute, value=succession.value),
        attribute=succession.attribute,
        value=succession.value,
        old=succession.old,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def tied(tie: Tie, effect: Mention, sentence: Sentence) -> Statement:
    """That what *effect* names follows what *tie* says."""
    return Statement(
        "dependency" if tie.becomes is None else "rule",
        effect,
        attribute=effect.name or effect.alias,
        value=tie.becomes,
        depends_on=tie.causes,
        weak=effect.within is not None,
        trigger=tie.trigger,
        when_value=tie.value,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def altered(found: Altered, sentence: Sentence) -> Statement:
    """What became of a known fact."""
    if found.value is None:
        return replace(vacated(found.attribute, found.old, sentence), gone=found.gone)
    return succeeded(Succession(found.attribute, found.value, found.old), sentence)


def enlisted(listed: Listed, item: str, sentence: Sentence) -> Statement:
    """That *item* is put on a list of the speaker's, or taken off it."""
    if listed.off:
        return replace(vacated(listed.name, item, sentence), gone=True)
    about = Mention(listed.name, value=item)
    return Statement("add", about, listed.name, item, span=(sentence.start, sentence.end), sentence=sentence.whole)


def vacated(attribute: str, old: str, sentence: Sentence) -> Statement:
    """That *attribute* has no value any more: it was *old*."""
    return Statement(
        "end",
        Mention(attribute, value=old),
        attribute=attribute,
        old=old,
        span=(sentence.start, sentence.end),
        sentence=sentence.whole,
    )


def reckoned(found: Reckoned, sentence: Sentence) -> Statement | None:
    """What is so long before or after something else, as a rule."""
    effect, cause = mention(found.what), mention(found.of)
    if effect is None or cause is None or effect.pronoun or cause.pronoun:
        return None
    return tied(Tie(effect, (cause,), becomes=found.distance), effect, sentence)
