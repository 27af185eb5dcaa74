"""What slots hold: filled from where it is known already, saved for the next start, kept for the next request."""

from collections.abc import Callable, Sequence

from models.backend import Backend
from models.prefixes import WORTH_SAVING, Heads, PrefixStore
from models.tasks import PORTION_TOKENS, Slot, Task


class Holdings:
    """The slots of a backend with what they hold, and the heads of prompts in the state folder."""

    def __init__(self, backend: Backend, prefixes: PrefixStore | None) -> None:
        self._backend = backend
        self._prefixes = prefixes
        self._heads = Heads()
        self._uses = 0
        self.slots = [Slot(seq) for seq in range(backend.slots)]

    @property
    def tasks(self) -> list[Task]:
        """Those in slots."""
        return [slot.task for slot in self.slots if slot.task is not None]

    # -- into a slot ---

    def take(self, task: Task, slot: Slot, keep: int, copy_from: int | None, now: float) -> None:
        """Put *task* into *slot*, which keeps so many tokens, or first gets another's state; saves its head if due."""
        first = task.started == 0.0
        static = task.job.static_tokens
        if first and self._prefixes is not None and task.index == 0 and static >= WORTH_SAVING:
            task.saves = self._heads.came_before(task.job.prompt[:static]) or task.job.static_named
        held = self._fill(task, slot, keep, copy_from)
        if first and static <= held <= static + PORTION_TOKENS and self.worth_saving(task):
            held = self._trimmed(slot, static)
            self._save(task, slot, held)
        if first:
            task.started = now
            task.cached = held
        self._uses += 1
        slot.task, slot.length, slot.kept, slot.used = task, held, [], self._uses

    def _fill(self, task: Task, slot: Slot, keep: int, copy_from: int | None) -> int:
        """Bring as much of *task*'s tokens into *slot* as is known anywhere; how many. The last is always read anew."""
        most = len(task.tokens) - 1
        if task.state is not None:
            state, task.state = task.state, None
            slot.exact = 0
            if self._backend.restore(slot.seq, state):
                return self._trimmed(slot, most)
            keep, copy_from = 0, None
        if task.seeded:
            most -= most % PORTION_TOKENS
            keep -= keep % PORTION_TOKENS
        elif self._prefixes is not None:
            saved, length = self._prefixes.longest(task.tokens)
            if saved is not None and length >= keep + WORTH_SAVING:
                slot.exact = 0
                if self._prefixes.load(self._backend, slot.seq, saved):
                    return self._trimmed(slot, min(length, most))
                keep, copy_from = 0, None
        if copy_from is not None:
            copied = self._backend.save(copy_from)
            slot.exact = self.slots[copy_from].exact
            if copied is None or not self._backend.restore(slot.seq, copied):
                self._backend.trim(slot.seq, 0)
                slot.exact = 0
                return 0
        return self._trimmed(slot, min(keep, most))

    def _trimmed(self, slot: Slot, length: int) -> int:
        length = length if self._backend.trim(slot.seq, length) else 0
        slot.exact = min(slot.exact, length)
        return length

    # -- heads ---

    def worth_saving(self, task: Task) -> bool:
        """Whether the head of *task* is to be saved: it was named static, or came before; and it is not saved yet."""
        static = task.job.static_tokens
        if self._prefixes is None or static < WORTH_SAVING or not task.saves:
            return False
        return not self._prefixes.has(task.job.prompt[:static])

    def advanced(self, slot: Slot) -> None:
        """Save the head of the task in *slot*, when it has just been read to its end."""
        task = slot.task
        if task is not None and slot.length == task.job.static_tokens and self.worth_saving(task):
            self._save(task, slot, slot.length)

    def _save(self, task: Task, slot: Slot, held: int) -> None:
        static = task.job.static_tokens
        if self._prefixes is not None and held == static:
            self._prefixes.save(self._backend, slot.seq, task.tokens[:static])

    # -- out of a slot ---

    def release(self, slot: Slot, *, keep: bool = True) -> None:
        """Take the task out of *slot* and end it; without *keep* what it has read is forgotten."""
        task = slot.task
        if task is None:
            return
        slot.task = None
        if keep:
            slot.kept = task.tokens[: slot.length]
        else:
            self._forget(slot)
        slot.length = 0
        task.close()

    def park(self, slot: Slot, *, with_state: bool) -> Task:
        """Take the task out of *slot*, to go on later; *with_state* from where it is, if that can be kept."""
        task = slot.task
        assert task is not None
        if with_state and slot.length == len(task.tokens) - 1:
            task.state = self._backend.save(slot.seq)
        slot.task, slot.kept, slot.length = None, task.tokens[: slot.length], 0
        return task

    def drop(self, matches: Callable[[Sequence[int]], bool]) -> int:
        """Forget saved heads and idle slots whose tokens *matches* accepts; how many."""
        count = self._prefixes.drop(matches) if self._prefixes is not None else 0
        for slot in self.slots:
            if slot.task is None and slot.kept and matches(slot.kept):
                self._forget(slot)
                count += 1
        return count

    def _forget(self, slot: Slot) -> None:
        self._backend.trim(slot.seq, 0)
        slot.kept, slot.exact = [], 0
