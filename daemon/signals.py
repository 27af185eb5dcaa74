"""Signals, heard by a thread of their own: the loop may hang, and must not keep a daemon that was told to end."""

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping


@contextlib.contextmanager
def heard(handlers: Mapping[int, Callable[[], object]]) -> Iterator[None]:
    """Inside, each signal of *handlers* calls its handler, in a thread. Enter and leave it in the main thread."""
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    thread = threading.Thread(target=_hear, args=(ear, handlers), name="signals", daemon=True)
    thread.start()
    before = {number: signal.signal(number, _only_wake) for number in handlers}
    woken = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        mouth.close()
        thread.join()
        ear.close()


def _only_wake(_number: int, _frame: object) -> None:
    """Python calls a handler in the main thread, when that comes to it; the number is in the socket long before."""


def _hear(ear: socket.socket, handlers: Mapping[int, Callable[[], object]]) -> None:
    while numbers := ear.recv(64):
        for number in numbers:
            if number in handlers:
                handlers[number]()
