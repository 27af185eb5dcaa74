"""Why a fact is as it is, and what hangs on it."""

from daemon.chains import along_rules
from daemon.recall import from_facts
from memory_store.fact_pages import read_facts
from memory_store.ledger import Ledger
from memory_store.page import parse

PAGE = """# Us

- [treasurer] Odile Brandt (since 2026-11-20; from [[journal/2026/2026-11-20]])
- [account holder] Odile Brandt (since 2026-11-20; by rule: [treasurer] changed)
- [bank branch] ? (was Elm Street; unsure since 2026-11-20: [account holder] changed)
- [caterer] Basil & Sons (since 2026-11-02; from [[journal/2026/2026-11-02]])

## Rules
- when [treasurer] changes, [account holder] becomes Odile Brandt
- when [account holder] changes, [bank branch] becomes ?

## Past
- [treasurer] Ivo Lund (2026-11-01 to 2026-11-20)
- [account holder] Ivo Lund (2026-11-01 to 2026-11-20)
"""
LEDGER = Ledger.build([read_facts("facts/Us.md", parse(PAGE.encode()))])


def test_why_tells_the_chain_of_causes() -> None:
    """A value that followed from another is explained by that one's change, the rule, and what was told."""
    reply = from_facts("Why did the account holder change?", LEDGER, today="", similarity=None)
    assert reply is not None
    assert "because your treasurer changed on 2026-11-20" in reply.text
    assert "Your treasurer is Odile Brandt, as you told me on 2026-11-20." in reply.text
    assert {source.start_line for source in reply.sources} >= {3, 4, 9}


def test_why_of_what_was_told_without_a_reason_says_so() -> None:
    """What was only told has no reason; it is said when it was told, not given as the answer."""
    reply = from_facts("Why is Basil & Sons our caterer?", LEDGER, today="", similarity=None)
    assert reply is not None
    assert reply.kind == "near"
    assert reply.text.startswith("I know no reason for it.")


def test_what_hangs_on_a_fact_is_told_through_all_its_rules() -> None:
    """Its dependants, and theirs, each with the rule that ties it."""
    for question in ("What depends on the treasurer?", "What changes if the treasurer changes?"):
        reply = along_rules(question, LEDGER, None)
        assert reply is not None
        assert "your account holder" in reply.text
        assert "your bank branch" in reply.text


def test_on_what_a_fact_hangs_is_told() -> None:
    """The rules that lead to it; where there is none, that."""
    reply = along_rules("What does the bank branch depend on?", LEDGER, None)
    assert reply is not None
    assert "when your account holder changes" in reply.text
    reply = along_rules("What does the caterer depend on?", LEDGER, None)
    assert reply is not None
    assert reply.text == "I know of nothing that your caterer hangs on."
