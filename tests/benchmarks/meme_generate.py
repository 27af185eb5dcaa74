"""Episodes of our own with the six tasks of MEME, from `meme_wordings`: other domains, other wordings, seeded."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from meme_wordings import (
    CHATTER,
    DELETIONS,
    DOMAINS,
    QUOTE_QUESTIONS,
    QUOTES,
    REPLIES,
    RULES,
    RULES_NAMED,
    TIES,
    Domain,
    Entity,
)
from meme_wordings_five import (
    DELETIONS_FIVE,
    DOMAINS_FIVE,
    JOINS_FIVE,
    QUOTE_QUESTIONS_FIVE,
    QUOTES_FIVE,
    RULES_FIVE,
    RULES_NAMED_FIVE,
    TIES_FIVE,
)
from meme_wordings_four import (
    DELETIONS_FOUR,
    DOMAINS_FOUR,
    QUOTE_QUESTIONS_FOUR,
    QUOTES_FOUR,
    RULES_FOUR,
    RULES_NAMED_FOUR,
    TIES_FOUR,
)
from meme_wordings_six import (
    DELETIONS_SIX,
    DOMAINS_SIX,
    JOINS_SIX,
    QUOTE_QUESTIONS_SIX,
    QUOTES_SIX,
    RULES_NAMED_SIX,
    RULES_SIX,
    TIES_SIX,
)
from meme_wordings_three import (
    DELETIONS_THREE,
    DOMAINS_THREE,
    QUOTE_QUESTIONS_THREE,
    QUOTES_THREE,
    RULES_NAMED_THREE,
    RULES_THREE,
    TIES_THREE,
)
from meme_wordings_two import (
    DELETIONS_TWO,
    DOMAINS_TWO,
    QUOTE_QUESTIONS_TWO,
    QUOTES_TWO,
    RULES_NAMED_TWO,
    RULES_TWO,
    TIES_TWO,
)


@dataclass(frozen=True)
class Wave:
    """Domains, the ways of tying, ruling, deleting and quoting in them, and of joining two facts in one message."""

    domains: tuple[Domain, ...]
    ties: tuple[str, ...]
    rules: tuple[str, ...]
    rules_named: tuple[str, ...]
    deletions: tuple[str, ...]
    quotes: tuple[str, ...]
    quote_questions: tuple[str, ...]
    joins: tuple[str, ...] = ()


WAVES = {
    1: Wave(DOMAINS, TIES, RULES, RULES_NAMED, DELETIONS, QUOTES, QUOTE_QUESTIONS),
    4: Wave(DOMAINS_FOUR, TIES_FOUR, RULES_FOUR, RULES_NAMED_FOUR, DELETIONS_FOUR, QUOTES_FOUR, QUOTE_QUESTIONS_FOUR),
    3: Wave(
        DOMAINS_THREE, TIES_THREE, RULES_THREE, RULES_NAMED_THREE, DELETIONS_THREE, QUOTES_THREE, QUOTE_QUESTIONS_THREE
    ),
    2: Wave(DOMAINS_TWO, TIES_TWO, RULES_TWO, RULES_NAMED_TWO, DELETIONS_TWO, QUOTES_TWO, QUOTE_QUESTIONS_TWO),
    5: Wave(
        DOMAINS_FIVE,
        TIES_FIVE,
        RULES_FIVE,
        RULES_NAMED_FIVE,
        DELETIONS_FIVE,
        QUOTES_FIVE,
        QUOTE_QUESTIONS_FIVE,
        JOINS_FIVE,
    ),
    6: Wave(
        DOMAINS_SIX, TIES_SIX, RULES_SIX, RULES_NAMED_SIX, DELETIONS_SIX, QUOTES_SIX, QUOTE_QUESTIONS_SIX, JOINS_SIX
    ),
}

_MINE = {
    "kitchen": (),
    "hiking": ("life", "gear"),
    "lab": ("people", "paper", "money", "secrets"),
    "theatre": (),
    "house": (),
    "bookshop": (),
    "team": (),
    "wedding": (),
    "studio": (),
    "farm": (),
    "schoolband": (),
    "freelance": ("work", "money", "gear", "secrets"),
}


def generate(count: int, seed: int, fillers: list[list[dict]], wave: int = 1) -> Iterator[dict]:
    """*count* episodes, the same for the same *seed*; *fillers* are sessions that are not about the speaker."""
    rng = random.Random(seed)
    for n in range(count):
        domain = WAVES[wave].domains[n % len(WAVES[wave].domains)]
        while (episode := _episode(f"own_{domain.name}_{n:03d}", domain, WAVES[wave], rng, fillers)) is None:
            pass
        yield episode


class _Teller:
    """Tells facts of one episode, in one wording each."""

    def __init__(self, domain: Domain, wave: Wave, rng: random.Random) -> None:
        self.domain, self.wave, self.rng = domain, wave, rng
        self.values: dict[str, list[str]] = {}

    def name(self, e: Entity, *, bare: bool = False) -> str:
        noun = self.rng.choice(e.names)
        if bare:
            return noun
        owner = "my" if e.topic in _MINE[self.domain.name] else "our"
        return f"{owner if self.rng.random() < 0.7 else 'the'} {noun}"

    def tell(self, e: Entity) -> str:
        value = self.rng.choice(e.values)
        self.values[e.key] = [value]
        return self.rng.choice(e.tells).format(v=value)

    def fresh(self, e: Entity) -> str:
        return self.rng.choice([v for v in e.values if v not in self.values.get(e.key, ())])

    def change(self, e: Entity, value: str) -> str:
        text = self.rng.choice(e.changes).format(v=value, old=self.values[e.key][-1])
        self.values[e.key].append(value)
        return text

    def tie(self, a: Entity, b: Entity) -> str:
        return self._fill(self.rng.choice(self.wave.ties), a, b)

    def rule(self, a: Entity, b: Entity, becomes: str, to: str | None) -> str:
        if to is not None:
            return self._fill(
                self.rng.choice(self.wave.rules_named), a, b, w=becomes, W=becomes[0].upper() + becomes[1:], to=to
            )
        return self._fill(self.rng.choice(self.wave.rules), a, b, w=becomes, W=becomes[0].upper() + becomes[1:])

    def _fill(self, template: str, a: Entity, b: Entity, **more: str) -> str:
        x, y = self.name(a), self.name(b)
        return template.format(
            a=x, b=y, A=x[0].upper() + x[1:], B=y[0].upper() + y[1:],
            a_bare=self.name(a, bare=True), b_bare=self.name(b, bare=True), **more,
        )  # fmt: skip


def _episode(name: str, domain: Domain, wave: Wave, rng: random.Random, fillers: list[list[dict]]) -> dict | None:
    t = _Teller(domain, wave, rng)
    by_key = {e.key: e for e in domain.entities}
    roots = [e for e in domain.entities if any(e.key in x.hangs_on for x in domain.entities)]
    root = rng.choice(roots)
    hanging = [e for e in domain.entities if root.key in e.hangs_on]
    rng.shuffle(hanging)
    ruled = hanging[0]
    tied = hanging[1] if len(hanging) > 1 else None
    used = {root.key, ruled.key, *([tied.key] if tied else [])}
    ruled2 = next((e for e in domain.entities if ruled.key in e.hangs_on and e.key not in used), None)
    if ruled2:
        used.add(ruled2.key)
    tied2 = next((e for e in domain.entities if tied and tied.key in e.hangs_on and e.key not in used), None)
    if tied2:
        used.add(tied2.key)
    free = [e for e in domain.entities if e.key not in used]
    rng.shuffle(free)
    moved = next((e for e in free if e.history and len(e.values) >= 3), None)
    if moved is None:
        return None
    free.remove(moved)
    topic = next(
        (
            k
            for k in rng.sample(sorted(domain.topics), len(domain.topics))
            if sum(e.topic == k for e in domain.entities) > 1
        ),
        None,
    )
    topical = [e for e in domain.entities if topic and e.topic == topic and e.key not in used and e is not moved]
    gone = next((e for e in free if e not in topical and not e.hangs_on), None) or next(
        (e for e in free if e not in topical), None
    )
    if gone is None or len(topical) < 2:
        return None
    others = [e for e in free if e is not gone and e not in topical][:3]
    motto, quotes = rng.choice(sorted(domain.quotes.items()))
    quote = rng.choice(quotes)

    early = [[t.tell(e)] for e in [*topical, gone, *others, moved, root]]
    rng.shuffle(early)
    moves = [t.change(moved, t.fresh(moved)) for _ in range(2)]
    ties = [t.tell(ruled)]
    new_root = t.fresh(root)
    becomes = t.fresh(ruled)
    named = new_root if rng.random() < 0.3 else None
    if rng.random() < 0.5:
        ties.append(t.tie(ruled, root))
    ties.append(t.rule(ruled, root, becomes, named))
    after = {ruled.key: becomes}
    if ruled2:
        ties.append(t.tell(ruled2))
        after[ruled2.key] = t.fresh(ruled2)
        ties.append(t.rule(ruled2, ruled, after[ruled2.key], None))
    if tied:
        ties += [t.tell(tied), t.tie(tied, root)]
    if tied2 and tied:
        ties += [t.tell(tied2), t.tie(tied2, tied)]
    ties.append(rng.choice(wave.quotes).format(a=f"our {motto}", A=f"Our {motto}", v=quote))
    before_values = {k: v[-1] for k, v in t.values.items()}
    update = [t.change(root, new_root), _deletion(rng.choice(wave.deletions), t.name(gone))]

    flat = [x for group in early for x in group]
    third = max(len(flat) // 2, 1)
    told = [flat[:third], [*flat[third:], moves[0]], [moves[1], *ties[: len(ties) // 2]], ties[len(ties) // 2 :]]
    sessions, before_at = _sessions(told, update, rng, fillers, wave.joins)

    questions_before, questions_after = [], []

    def ask(task: str, e: Entity, hop: int | None, gold: object, old: list[str]) -> None:
        n = len(questions_after)
        q = {"task": task, "hop": hop, "question": rng.choice(e.questions), "entity": [e.key]}
        questions_before.append({**q, "id": f"{name}-{n}-b", "values": {e.key: before_values[e.key]}})
        questions_after.append({**q, "id": f"{name}-{n}-a", "values": {e.key: gold}, "old": old, "excluded": False})

    ask("Cas", ruled, 1, becomes, [before_values[ruled.key]])
    if ruled2:
        ask("Cas", ruled2, 2, after[ruled2.key], [before_values[ruled2.key]])
    if tied:
        ask("Abs", tied, 1, before_values[tied.key], [before_values[tied.key]])
    if tied2:
        ask("Abs", tied2, 2, before_values[tied2.key], [before_values[tied2.key]])
    ask("Del", gone, None, before_values[gone.key], [])
    plain = [
        ("ER", motto, rng.choice(wave.quote_questions).format(a=f"our {motto}"), {motto: quote}, [motto]),
        ("Tr", moved.key, rng.choice(moved.history), {moved.key: t.values[moved.key]}, [moved.key]),
        (
            "Agg",
            topic,
            rng.choice(domain.topics[topic or ""]),
            {e.key: t.values[e.key][-1] for e in topical},
            [e.key for e in topical],
        ),
    ]
    for n, (task, _, question, values, entity) in enumerate(plain, start=len(questions_after)):
        questions_after.append(
            {
                "id": f"{name}-{n}-a",
                "task": task,
                "hop": None,
                "question": question,
                "entity": entity,
                "values": values,
                "excluded": False,
            }
        )
    return {
        "episode_id": name,
        "domain": domain.name,
        "sessions": sessions,
        "before_at": before_at,
        "after_at": len(sessions),
        "before_questions": questions_before,
        "after_questions": questions_after,
        "unused": sorted(set(by_key) - set(t.values)),
    }


def _deletion(template: str, name: str) -> str:
    return template.format(a=name, A=name[0].upper() + name[1:])


_LOWERED = frozenset(
    [
        "our",
        "the",
        "we",
        "we've",
        "we'd",
        "we're",
        "if",
        "it's",
        "my",
        "they",
        "they've",
        "for",
        "should",
        "once",
        "when",
        "as",
        "keep",
        "not",
        "just",
    ]
)


def _joined(lines: list[str], joins: tuple[str, ...], rng: random.Random) -> Iterator[str]:
    """The lines, some of them two in one message; without *joins* as they are, and nothing is drawn from *rng*."""
    waiting = ""
    for line in lines:
        if waiting:
            low = line.split(" ")[0].lower()
            yield waiting + rng.choice(joins) + (low + line[len(low) :] if low in _LOWERED else line)
            waiting = ""
        elif joins and '"' not in line and rng.random() < 0.3:
            waiting = line
        else:
            yield line
    if waiting:
        yield waiting


def _sessions(
    told: list[list[str]],
    update: list[str],
    rng: random.Random,
    fillers: list[list[dict]],
    joins: tuple[str, ...],
) -> tuple[list[dict], int]:
    sessions: list[dict] = []
    day = 1

    def add(turns: list[dict]) -> None:
        nonlocal day
        sessions.append({"timestamp": f"2026-{1 + day // 28:02d}-{1 + day % 28:02d}T10:00:00", "conversation": turns})
        day += 2

    def filler() -> None:
        if fillers and rng.random() < 0.6:
            session = rng.choice(fillers)
            add(session if isinstance(session, list) else session["conversation"])
        else:
            add(
                [
                    {"role": "user", "content": rng.choice(CHATTER)},
                    {"role": "assistant", "content": rng.choice(REPLIES)},
                ]
            )

    def tell(lines: list[str]) -> None:
        turns: list[dict] = []
        for line in _joined(lines, joins, rng):
            tail = rng.choice(["", "", " Any thoughts?", " What should I watch out for?", " Thanks!"])
            turns += [{"role": "user", "content": line + tail}, {"role": "assistant", "content": rng.choice(REPLIES)}]
        add(turns)

    for lines in told:
        for _ in range(rng.randint(1, 3)):
            filler()
        tell(lines)
    filler()
    before_at = len(sessions)
    tell(update)
    for _ in range(rng.randint(1, 3)):
        filler()
    return sessions, before_at
