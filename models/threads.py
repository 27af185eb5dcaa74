"""
How many threads to compute with while other programs want the processor too.

llama.cpp's threads meet at a barrier some hundred times a token and spin there. When one of them is not scheduled the
others burn their time waiting: on a busy machine two threads can be ten times slower than one. So the share of the
time that the threads really ran is watched, and the count follows it down, and back up by trying.
"""

WINDOW_S = 0.25
STARVED = 0.75
RETRY_S, RETRY_MOST_S = 1.0, 30.0


class ThreadChoice:
    """The present number of threads, between 1 and *most*."""

    def __init__(self, most: int) -> None:
        self.most = max(1, most)
        self.current = self.most
        self._wall_s = self._cpu_s = 0.0
        self._low_s = 0.0
        self._retry_s = RETRY_S

    def observe(self, wall_s: float, cpu_s: float) -> int:
        """Take in that a computation took *wall_s* and used *cpu_s*; the number of threads for the next one."""
        if self.most == 1:
            return 1
        self._wall_s += wall_s
        self._cpu_s += cpu_s
        if self.current < self.most:
            self._low_s += wall_s
        if self._wall_s < WINDOW_S:
            return self.current
        share = self._cpu_s / (self._wall_s * self.current)
        self._wall_s = self._cpu_s = 0.0
        if self.current > 1 and share < STARVED:
            self.current = max(1, min(self.current - 1, round(self.current * share)))
            self._low_s = 0.0
            self._retry_s = min(self._retry_s * 2, RETRY_MOST_S)
        elif self.current == self.most:
            self._retry_s = RETRY_S
        elif self._low_s >= self._retry_s:
            self.current = self.most
        return self.current
