"""A long build as it goes on: which part of it, how long already, and about how long still."""

import os
import re
import sys
import threading
import time

PHASES = (
    ("Downloading llama_cpp_python", "fetching its source"),
    ("Installing build dependencies", "fetching its build tools"),
    ("Preparing metadata", "reading what it wants"),
    ("Configuring CMake", "looking at this machine"),
    ("Building project", "compiling"),
    ("Installing project", "packing"),
)
EVERY_S = 20.0  # where a line cannot be drawn over
CORE_MINUTES = (10, 24)  # what it took on machines new and old


def expected():
    """How long it will take here, in words."""
    cores = os.cpu_count() or 1
    low, high = (max(1, round(minutes / cores)) for minutes in CORE_MINUTES)
    return "about %d to %d minutes on %d core%s" % (low, max(high, low + 1), cores, "" if cores == 1 else "s")


class BuildProgress:
    """A line that is drawn anew every second on a terminal; a line every 20 seconds elsewhere. Ends with `end`."""

    def __init__(self, stream=None, every_s=None, clock=time.monotonic):
        self.stream = stream or sys.stdout
        self.drawn_over = self.stream.isatty()
        self.clock = clock
        self.start = clock()
        self.compiling_since = None
        self.phase = "starting"
        self.done, self.all = 0, 0
        self.ended = threading.Event()
        self.every_s = every_s or (1.0 if self.drawn_over else EVERY_S)
        self.ticker = threading.Thread(target=self._tick, daemon=True)
        self.ticker.start()

    def line(self, text):
        """Take in a line of what pip and the compiler say."""
        step = re.search(r"\[(\d+)/(\d+)\] (.*)", text)
        if step:
            if self.compiling_since is None:
                self.compiling_since = self.clock()
            self.done, self.all = int(step.group(1)), max(1, int(step.group(2)))
            file = re.findall(r"-c (\S+)", step.group(3))
            if file:
                self.phase = "compiling %s" % os.path.basename(file[-1])
            return
        for sign, phase in PHASES:
            if sign in text:
                self.phase = phase

    def state(self):
        """Where it is, in a line."""
        now = self.clock()
        parts = [_minutes(now - self.start)]
        if self.all:
            parts.append("%3d%%" % (100 * self.done // self.all))
            share, spent = self.done / self.all, now - self.compiling_since
            if share >= 0.1 and self.done < self.all:
                parts.append("about %s left" % _minutes(spent * (1 - share) / share))
        return "  ".join(parts + [self.phase])

    def end(self):
        """It is over, well or not."""
        self.ended.set()
        self.ticker.join()
        if self.drawn_over:
            self.stream.write("\n")
            self.stream.flush()

    def _tick(self):
        while not self.ended.wait(self.every_s):
            if self.drawn_over:
                bar = ""
                if self.all:
                    filled = 20 * self.done // self.all
                    bar = "[%s%s] " % ("#" * filled, "." * (20 - filled))
                self.stream.write("\r\033[K  %s%s" % (bar, self.state()[:54]))
            else:
                self.stream.write("  %s\n" % self.state())
            self.stream.flush()


def _minutes(seconds):
    return "%d:%02d" % divmod(int(seconds), 60)
