"""
English sentences as clauses, and clauses as what they say of what. Deterministic; knows no model; raises on no text.

- `parse(text) -> tuple[Clause, ...]`: every clause with its subject, verb, object, prepositional parts, mood, link to
  its parent, and the gap of a question. Phrases keep their places in the text, so that values are quoted as written.
- `relation(clause) -> Relation | None`, `relations(text)`: the parts of a clause under the roles agent, patient, theme,
  attribute, receiver or their preposition, active and passive alike; the same for a statement and a question.
- `answer(statement, question) -> (Role, fit) | None`: the part of the one that fills the gap of the other.
- `agree(statement, question) -> float`: how far the one says what the other asks, in [0, 1].
- `kin(word)`: the family of a word: deliver, delivery, deliveries; manage, manager, management. `content(text)`: the
  families of the words that carry its topic.

    >>> [q] = relations("Who runs the tasting room?")
    >>> [s] = relations("The tasting room is run by Ida.")
    >>> answer(s, q)[0].phrase.text, agree(s, q)
    ('Ida', 1.0)

How it reads: `lexicon` says what each word may be (Brill's lexicon and the word's forms), `tagging` takes the cheapest
sequence of tags in which every clause has one finite verb that agrees with its subject, `phrases` reads noun phrases,
`clauses` descends once from left to right. Conditions and reasons are clauses of their own (`link` is `if`, `when`,
`because` …; `parent` is the clause on which they hang, or None where they stand in front: then the next clause of the
same `sentence` is meant).
"""

from memory_store.grammar.clauses import Clause, Gap, Verb, parse
from memory_store.grammar.kinship import content, is_light, kin
from memory_store.grammar.phrases import Phrase
from memory_store.grammar.relations import Relation, Role, agree, answer, relation, relations
from memory_store.grammar.tagging import Token, tag

__all__ = [
    "Clause", "Gap", "Phrase", "Relation", "Role", "Token", "Verb", "agree", "answer", "content", "is_light", "kin",
    "parse", "relation", "relations", "tag",
]  # fmt: skip
