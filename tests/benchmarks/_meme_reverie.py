"""
reverie as a memory under test: through the daemon's own parts, or, quicker, facts on pages in memory.

`Owned` is what the owner gets: chats that are journaled, told, linked, recalculated and committed in a vault, indexed
and embedded, and the answers of `reverie ask` where no model can be trusted. `Pages` is its pure functions alone.
"""

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path

import numpy as np
from _home import STARTERS, temporary_home
from _meme_play import Session

from daemon import config, speech
from daemon.assembly import assemble
from daemon.bench.scratch import Scratch
from daemon.embedding import Embedders
from daemon.heard import LONGEST, bearing, hear, quotations, weighed
from daemon.parts import Parts
from daemon.paths import Paths
from daemon.recall import UTTERANCES, from_facts
from daemon.speech import NOTHING
from daemon.spoken import Utterance, families
from memory_store.fact_edits import apply
from memory_store.fact_pages import new_page, read_facts
from memory_store.facts import Change
from memory_store.familiar import Familiar
from memory_store.ledger import Ledger
from memory_store.linking import changes
from memory_store.page import Page
from memory_store.recalc import Recalculation, recalculate
from memory_store.statements import extract
from memory_store.store import Store

Similarity = Callable[[Sequence[str], Sequence[str]], np.ndarray]


class Inconsequent(Store):
    """The ablation: changes are written as told, but nothing follows from them."""

    def _consequences(self, changes: Sequence[Change], *, applied: bool = False) -> Recalculation:
        return Recalculation()


class Household:
    """The daemon's parts in this process, models ready to load, without its HTTP; lends each episode a new vault."""

    def __init__(self, runner: asyncio.Runner, parts: Parts) -> None:
        self.run = runner.run
        self._parts = parts

    @contextmanager
    def memory(self, kind: type[Store]) -> Iterator["Owned"]:
        """A fresh memory, gone on leaving."""
        with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
            stack = AsyncExitStack()
            try:
                yield Owned(self, self.run(Scratch.open(self._parts, Path(folder), None, stack, kind=kind)))
            finally:
                self.run(stack.aclose())


@contextmanager
def household(*, words_only: bool) -> Iterator[Household]:
    """Parts on a temporary home with the starter embedding model, or, *words_only*, with none."""
    with ExitStack() as outer:
        home = outer.enter_context(temporary_home(models=STARTERS[1:]))
        home.environ["REVERIE_MEMORY_SEARCH_WAIT_MS"] = "60000"  # other work on the machine is to change no answer
        if words_only:
            home.environ["REVERIE_MODELS_EMBED"] = ""
        paths = Paths.find(home.environ)
        paths.make()
        runner = outer.enter_context(asyncio.Runner())
        stack = AsyncExitStack()
        outer.callback(lambda: runner.run(stack.aclose()))
        parts = runner.run(assemble(config.load(paths, home.environ), paths, stack))
        if not words_only:
            record = paths.state_dir / "embedders.json"
            runner.run(Embedders(parts.catalog, parts.supervisor, record, parts.metrics).learn(STARTERS[1]))
        yield Household(runner, parts)


class Owned:
    """One episode in a vault of its own."""

    def __init__(self, household: Household, scratch: Scratch) -> None:
        self._run = household.run
        self._scratch = scratch

    def read(self, session: Session) -> None:
        self._run(self._read(session))

    async def _read(self, session: Session) -> None:
        for n, (words, reply) in enumerate(session.turns):
            asked_back = n > 0 and "?" in session.turns[n - 1][1]
            before = () if asked_back else session.said[:n]
            await self._scratch.tell(words, session.at, reply=reply, before=before)
        await self._scratch.take_in()

    def ask(self, question: str, day: str) -> str:
        return self._run(self._scratch.ask(question)).text

    @property
    def ledger(self) -> Ledger:
        return self._scratch.memory.ledger()

    @property
    def lines(self) -> list[str]:
        """All lines of the pages of facts."""
        memory = self._scratch.memory
        pages = [memory.page(page.path).text for page in memory.pages(f"{memory.base}facts/")]
        return [line for text in pages for line in text.splitlines()]


class Pages:
    """Facts on pages in memory, and the answers that facts alone give."""

    def __init__(self, similarity: Similarity | None) -> None:
        self.similarity = similarity
        self.pages: dict[str, Page] = {}
        self.ledger = Ledger.build(())
        self.tellings: list[Utterance] = []

    def read(self, session: Session) -> None:
        for words in session.said:
            self._read(words, session.day)

    def _read(self, text: str, day: str) -> None:
        self.tellings.append(Utterance(text, f"{day}T{len(self.tellings):06}", f"journal/{day[:4]}/{day}.md"))
        statements = extract(text, known=Familiar.of(self.ledger))
        if not statements:
            return
        told = changes(
            statements, self.ledger, today=day, source=f"journal/{day[:4]}/{day}", similarity=self.similarity
        ).changes
        if not told:
            return
        followed = recalculate(self.ledger, told).consequences
        by_path: dict[str, list[Change]] = {}
        for change in (*told, *followed):
            by_path.setdefault(change.path, []).append(change)
        for path, group in by_path.items():
            page = self.pages.get(path) or new_page(Path(path).stem)
            self.pages[path] = apply(page, group, today=day)
            self.ledger = self.ledger.replace(path, read_facts(path, self.pages[path]))

    def _find(self, about: str) -> list[Utterance]:
        """The messages nearest to *about* by words and meaning, as many as the product looks at."""
        told = [one for one in self.tellings if len(one.message) <= LONGEST]
        wanted = families(about)
        shared = np.array([len(wanted & families(one.message)) for one in told]) / max(1, len(wanted))
        near = self.similarity([about], [one.message for one in told])[0] if self.similarity and told else 0.0
        return [told[i] for i in np.argsort(-(shared + near), kind="stable")[:UTTERANCES]]

    def ask(self, question: str, day: str) -> str:
        direct = from_facts(question, self.ledger, today=day, similarity=self.similarity)
        heard = bearing(question, hear(question, self._find, self.similarity, self.ledger), self.ledger)
        if (reply := weighed(question, direct, heard, self.ledger)) is not None:
            return reply.text
        told = quotations(heard)
        if not told:
            return NOTHING
        return speech.nearest(told) if heard is not None and heard.near else speech.quoted(told)

    @property
    def lines(self) -> list[str]:
        """All lines of the pages of facts."""
        return [line for page in self.pages.values() for line in page.lines]
