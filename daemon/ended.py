"""What was so and is so no longer, where nothing came in its place: told as that, and never as what is."""

from collections.abc import Callable
from dataclasses import replace

from daemon.replies import Reply
from memory_store.facts import Fact, PageFacts
from memory_store.ledger import Ledger
from memory_store.verbs import sentence, to_you, within

NOT_ANY_MORE = "Not any more, as far as I know:"


def ended(ask: Callable[[Ledger], Reply | None], ledger: Ledger) -> Reply | None:
    """The answer of *ask* to facts of *ledger* that ended without another value, where it means one of these alone."""
    gone = {key: fact for page in ledger.pages.values() for key, fact in _ended(page, ledger)}
    if not gone:
        return None
    pages = (
        replace(page, facts=(*page.facts, *(_as_if_now(fact) for fact in gone.values() if fact.path == path)))
        for path, page in ledger.pages.items()
    )
    reply = ask(Ledger.build(pages))
    if reply is None or reply.kind != "fact" or len(reply.attributes) != 1:
        return None
    fact = next((fact for fact in gone.values() if fact.attribute == reply.attributes[0]), None)
    if fact is None or not fact.value:
        return None
    was = within(sentence(fact.attribute, to_you(fact.value), past=True))
    until = f" (until {fact.until})" if fact.until else ""
    return replace(reply, text=f"{NOT_ANY_MORE} {was}{until}.")


def _ended(page: PageFacts, ledger: Ledger) -> list[tuple[str, Fact]]:
    """The last value of each fact of *page* of which nothing stands on any page."""
    return [(fact.key, fact) for fact in page.past if fact.value and not ledger.standing(fact.key)]


def _as_if_now(fact: Fact) -> Fact:
    return replace(fact, until=None)
