"""What a night may do to a vault, whatever would help: how low, on how many pages, how many lines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from daemon.night.graph import Graph
from daemon.night.repairs import Action, Recalculate, Repair, Weigh, Write


@dataclass(frozen=True)
class Bounds:
    """
    What one repair may do: *gamma* multiplies a weight, *folder* takes new lines, if *lines* may be written; passages
    of the keys *spared* are not lowered.
    """

    gamma: float = 0.2
    folder: str = "facts/"
    lines: bool = True
    spared: frozenset[int] = frozenset()


class Caps:
    """
    What a whole night may do: touch a *share* of the pages, and write so many *lines*; *before* is what it has done.

    A page is touched where a passage of it is lowered, or a line of it written; where the share is not 0, one may be.
    """

    def __init__(self, graph: Graph, *, share: float, lines: int, before: Sequence[Repair] = ()) -> None:
        self._pages: dict[int, set[str]] = {}
        for node in graph.nodes.values():
            self._pages.setdefault(node.passage.key, set()).add(node.passage.path)
        pages = len({node.passage.path for node in graph.nodes.values()})
        self._most = max(1, int(share * pages + 1e-9)) if share > 0 else 0
        self._lines = lines
        self._before = tuple(before)

    def touched(self, repairs: Iterable[Repair]) -> set[str]:
        """The pages that the night has touched after *repairs*."""
        done = (*self._before, *repairs)
        return {path for repair in done for action in repair.actions for path in self._touches(action)}

    def fits(self, repairs: Sequence[Repair]) -> bool:
        """Whether the night may do all of *repairs*."""
        lines = sum(len(repair.writes) for repair in (*self._before, *repairs))
        return lines <= self._lines and len(self.touched(repairs)) <= self._most

    def cut(self, repair: Repair, done: Sequence[Repair], need: Mapping[str, float]) -> Repair:
        """
        *repair* after those that are *done*, on as many pages as there is still room for: those in most *need* come
        first, and what it does to none stays.
        """
        touched = self.touched(done)
        wanted = self.touched([repair]) - touched
        order = sorted(wanted, key=lambda path: (-need.get(path, 0.0), path))
        allowed = touched.union(order[: max(0, self._most - len(touched))])
        return replace(repair, actions=tuple(one for one in repair.actions if self._touches(one) <= allowed))

    def _touches(self, action: Action) -> set[str]:
        if isinstance(action, Weigh):
            return self._pages.get(action.key, set()) if action.weight < 1 else set()
        return {action.path} if isinstance(action, Write | Recalculate) else set()
