"""Whose something is that a sentence tells: the owner's, by what they told before, or of something to be made."""

import re
from dataclasses import dataclass, field

from memory_store.doing import RATHER_NOUNS, verb_form
from memory_store.familiar import Familiar
from memory_store.openly import MEASURED
from memory_store.phrases import specific, stems
from memory_store.said import NAME, PERSONAL_NAME, Said
from memory_store.sentences import Sentence

_TALKED_OF = frozenset(
    "have want need use like love get do make write".split()
)  # what a question is about, rather than what is so
# "the combination of the shed lock is 4471": a code is told by those whose it is
A_SECRET = re.compile(
    r"\b(?:code|password|pin|passcode|passphrase|combination|login|licence plate|number plate)\b(?:\s(?:of|for|to|at|in)\s|$)",
    re.IGNORECASE,
)
_PART_OF_OURS = re.compile(
    r"^[a-z]+(?:\s[a-z]+)?\sof the (?:project|event|trip|tour|house|club|course|ward|farm|shop|boat|band|team|garden|class|party|show)$"
)
_MEASURE_OF = re.compile(
    r"(?:price|cost|fee|charge|rate|size|number|length|width|height|weight|age|name|date|limit|deadline|dose|address)\sof\s"
)


@dataclass
class Whose:
    """
    What tells whose something is: the facts that are *known*, the words *told* so far in a message and whom they
    *named*, whether the message *asks* something, and whether it gives *tasks*.
    """

    known: Familiar
    asks: bool = False
    tasks: bool = False
    told: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)

    def counts(self, said: Said, sentence: Sentence) -> bool:
        """Whether *said*, of any verb, is told of what is the owner's."""
        if not said.loose:
            return not ((self.asks or self.tasks) and said.attribute.split()[0] in _TALKED_OF)
        value = said.value or ""
        telling = specific(value) or MEASURED.search(value) is not None
        of_a_kind = said.bare and not re.match(r"(?:the|my|our)\s", value)
        if (not telling and (of_a_kind or len(value.split()) > 3)) or self.tasks:
            return False
        return self.is_known(said.attribute) or (not self.asks and (sentence.ours or bool(self.known.values)))

    def is_personal(self, said: Said, sentence: Sentence) -> bool:
        """Whether a label without an owner is likely the speaker's: what they speak of has come up, or is theirs."""
        first, value = said.attribute.split()[0], said.value or ""
        named = re.fullmatch(PERSONAL_NAME, said.attribute) is not None and re.match(r"an?\s|from\s", value) is not None
        if named and sentence.short and not self.asks and self.is_known(said.attribute):
            return True  # what somebody of theirs is
        if not sentence.short or (verb_form(first) is not None and first not in RATHER_NOUNS):
            return False
        if "," in value and re.search(r"\b(?:i|we|my|our)\b[^:]*:", sentence.text, re.IGNORECASE):
            return True  # several things under a label of one's own
        if self.known.values and (
            (A_SECRET.search(said.attribute) and re.fullmatch(r"\S*(?:\d\S*|\w{4,})", value))
            or (_PART_OF_OURS.match(said.attribute) and re.fullmatch(NAME, value) and not self.asks)
        ):
            return True
        if re.fullmatch(NAME, value) and not self.asks and set(stems(said.attribute)) & self.told:
            return True  # somebody by name, of what was just spoken of: `the director of the dig is V`
        if (
            self.known.values
            and not (self.asks or self.tasks)
            and _MEASURE_OF.match(said.attribute)
            and specific(value)
        ):
            return True  # `the price of a jar is 7.50`
        if re.match(r"(?:an?|one)\s(?!.*\d)", value) or re.search(r"\s(?:the|a|an)\s", said.attribute):
            return False  # of what sort it is
        if self.is_familiar(said.attribute) or (
            sentence.ours and (" " in said.attribute or re.match(r"(?:in|at|on|behind|under|by)\s", value))
        ):
            return True
        if ":" in sentence.text:
            # a code under its label
            return (
                bool(self.known.values)
                and len(value.split()) == 1
                and re.search(r"\d", value) is not None
                and len(said.attribute.split()) >= 2
            )
        if re.search(r"\s(?:of|in)\s", said.attribute):
            return False
        told = specific(value) or MEASURED.search(value) is not None
        few = (1 if self.known.values else 2) <= len(said.attribute.split()) <= 5 and len(sentence.text.split()) <= 24
        named = re.fullmatch(NAME, value) is not None or re.fullmatch(r"\S*\d\S*(?:\s[a-z]+)?", value) is not None
        return (sentence.ours or bool(self.known.values) or (named and not self.asks)) and told and few

    def goes_on(self, said: Said) -> bool:
        """Whether *said*, of a thing that is not said to be the speaker's, goes on to tell of theirs: enough to be a fact."""
        value = said.value or ""
        few = len(value.split()) <= 3 and re.search(r"\s(?:by|with|in|at|on|from|to|behind|under)$", said.attribute)
        return bool(self.known.values) and bool(specific(value) or few or MEASURED.search(value))

    def is_known(self, attribute: str) -> bool:
        """Whether *attribute* names something in a fact that is known, or somebody who was named before."""
        if any(re.match(rf"{re.escape(name)}\b", attribute) for name in self.named):
            return True
        words = set(stems(attribute))
        return any(words & set(stems(known)) for known in self.known.values) or bool(self.known.spots(attribute))

    def is_familiar(self, attribute: str) -> bool:
        """Whether something in *attribute* was spoken of before: in a fact that is known or in this message."""
        return bool(set(stems(attribute)) & self.told) or self.is_known(attribute)
