"""What became of a change of memory, told: to the index, which follows the pages; as events; and to whoever asked."""

from collections.abc import Callable
from datetime import datetime

from daemon import shown, wire
from daemon.events import Events
from daemon.metrics import Metrics
from memory_store.forget import Forgotten
from memory_store.values import Noted, Undone, WriteResult


class Outcomes:
    """Turns what the store did into a reply; *changed* hears of the pages. Events tell counts and places, no words."""

    def __init__(self, events: Events, metrics: Metrics, changed: Callable[[frozenset[str]], None]) -> None:
        self._events = events
        self._metrics = metrics
        self._changed = changed

    def written(self, result: WriteResult) -> wire.Remembered:
        """Facts were changed, and what hangs on them."""
        self._metrics.facts_changed.add(len(result.changes))
        if result.pages:
            self._changed(frozenset(result.pages))
        if result.changes:
            attributes = ", ".join(sorted({change.path for change in result.changes}))
            count = len(result.changes)
            words = f"{count} fact{'s' if count > 1 else ''} changed in {attributes}"
            self._events.publish("facts_changed", words, count=count, commit=result.commit)
        for problem in result.problems:
            self._events.publish("rule_problem", f"{problem.path}:{problem.line}: a rule was not followed", "warning")
        return wire.Remembered(
            changes=[shown.like(change, wire.FactChanged) for change in result.changes],
            commit=result.commit,
            notice=self._waiting(result),
        )

    def noted(self, noted: Noted, text: str) -> wire.Remembered:
        """The words *text* were filed as they are."""
        self._changed(frozenset((noted.path,)))
        if not noted.parked:
            self._events.publish("note_filed", f"a note was filed in {noted.path}", path=noted.path)
        source = wire.Source(path=noted.path, start_line=noted.start_line, end_line=noted.end_line, text=text.strip())
        return wire.Remembered(changes=[], noted=source, commit=noted.commit, notice=self._waiting(noted))

    def forgotten(self, forgotten: Forgotten) -> wire.Forgotten:
        """What goes, or, done, went."""
        if forgotten.done:
            self._events.publish("forgotten", "something was forgotten, as asked", places=len(forgotten.places))
        return shown.forgotten(forgotten)

    def undone(self, undone: Undone, now: datetime) -> wire.Commit:
        """A change was taken back."""
        self._changed(frozenset(undone.pages))
        if not undone.parked:
            words = f"undone: {undone.undone.id[:8]}"
            self._events.publish("undone", words, undone=undone.undone.id, commit=undone.commit)
        return wire.Commit(
            id=undone.commit or "",
            when=now.isoformat(timespec="seconds"),
            author="reverie",
            message=f"Undo: {undone.undone.message.splitlines()[0]}",
            paths=list(undone.pages),
            undone=undone.undone.id,
            undone_when=undone.undone.when,
            notice=self._waiting(undone),
        )

    def _waiting(self, done: WriteResult | Noted | Undone) -> str | None:
        """Tell of versions of ours that were parked; in a line what is not done yet, None where all is."""
        for proposal in done.parked:
            words = f"{proposal.path} was edited meanwhile: our version waits as a proposal ({proposal.id})"
            self._events.publish("proposal_parked", words, "warning", path=proposal.path)
        if done.parked:
            pages = ", ".join(sorted({proposal.path for proposal in done.parked}))
            return f"{pages}: edited on the same lines meanwhile, so our version waits: `reverie proposals`"
        return done.notice
