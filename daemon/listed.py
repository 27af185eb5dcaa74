"""What stands on a list that was kept by word of mouth, where a question asks for just that. No model, no clock."""

import re

from daemon.replies import Meant, Reply, reply_of
from memory_store.ledger import Ledger
from memory_store.lists import known_as, names_a_list
from memory_store.verbs import your

_SO = r"^\W*(?:(?:so|and|ok|okay|please|now)\b[\s,]*)*"
_WHAT = (
    r"(?:what(?:['’]s|\s+(?:all\s+)?(?:is|are)|\s+else\s+is|\s+do (?:I|we) have|\s+have (?:I|we) got)?|"
    r"(?:what|which)\s+[a-z]+(?:\s[a-z]+)?\s+(?:is|are|do (?:I|we) have)|who(?:['’]s|\s+(?:is|are))|"
    r"is there (?:anything|something)|"
    r"(?:(?:can|could) you )?(?:please )?(?:show|read|tell|give|list)(?:\s+(?:me|us|out))?)"
)
_ON_IT = r"(?:\s+(?:there|all|still|left|now|currently|everything|what(?:['’]s|\s+is)?|to me|out))*(?:\s+(?:on|in|of))?"
_LIST = r"(?:[A-Za-z][\w'’-]*\s){0,3}list(?:\s(?:for|of)\s(?:(?:the|my|our)\s)?[\w'’-]+(?:\s[A-Z][\w'’-]+)?)?"
_NOW = r"(?:\s+(?:now|right now|at the moment|currently|today|at present|so far|please|again|to me))*\W*$"
_ASKED = re.compile(rf"{_SO}{_WHAT}{_ON_IT}\s+(?:my|our|the)\s+(?P<np>{_LIST}){_NOW}", re.IGNORECASE)


def on_the_list(question: str, ledger: Ledger) -> Reply | None:
    """What stands on the list that *question* asks for; None where it asks something else, or no such list is known."""
    m = _ASKED.match(question)
    if m is None:
        return None
    pages = ledger.pages.values()
    past = {f.attribute: f for page in pages for f in (*page.past, *page.facts) if names_a_list(f.attribute)}
    name = known_as(m["np"], dict.fromkeys(past, ()))
    if name not in past:
        return None
    facts = [fact for fact in ledger.current(name) if fact.state == "known" and fact.value]
    best = Meant(name, 1.0)
    if not facts:
        return (
            None
            if ledger.current(name)
            else reply_of(f"{your(name, capital=True)} is empty.", "fact", [past[name]], best)
        )
    values = [fact.value or "" for fact in facts]
    told = " and ".join([", ".join(values[:-1]), values[-1]] if len(values) > 1 else values)
    return reply_of(f"On {your(name)}: {told}.", "fact", facts, best)
