"""Turns: few at once, none lost, none waited for without end."""

import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from daemon.turns import Turns, stepping_aside


def test_no_more_are_at_work_than_there_are_turns() -> None:
    """Of many threads that come at once two are within, never three, and all get through."""
    turns, within, most, lock = Turns(2, longest_wait_s=60), 0, 0, threading.Lock()
    both = threading.Barrier(2)

    def work(_: int) -> None:
        nonlocal within, most
        with turns.taken():
            with lock:
                within += 1
                most = max(most, within)
            both.wait(10)
            with lock:
                within -= 1

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, range(6)))
    assert most == 2


def test_who_waits_for_another_process_lets_the_next_go_on() -> None:
    """While one steps aside another has the turn; outside a turn it changes nothing."""
    turns = Turns(1, longest_wait_s=60)
    done = threading.Event()

    def work() -> None:
        with turns.taken():
            done.set()

    with stepping_aside(), turns.taken(), stepping_aside():
        other = threading.Thread(target=work)
        other.start()
        assert done.wait(10)
    other.join()


def test_a_turn_that_never_ends_keeps_nobody() -> None:
    """Where one hangs, others go on without a turn, and give none back that they did not have."""
    turns = Turns(1, longest_wait_s=0.01)
    with turns.taken(), ThreadPoolExecutor(2) as threads:

        def work(_: int) -> bool:
            with turns.taken():
                return True

        assert list(threads.map(work, range(2))) == [True, True]
    with turns.taken():
        pass


def test_who_waits_is_next_however_soon_another_asks() -> None:
    """A turn goes to who has waited longest: the thread that gives it up and asks again at once comes after them."""
    turns = Turns(1, longest_wait_s=60)
    waits, order = threading.Event(), []

    class Waiting(deque[threading.Lock]):
        def append(self, called: threading.Lock) -> None:
            super().append(called)
            waits.set()

    turns._waiting = Waiting()

    def work() -> None:
        with turns.taken():
            order.append("waited")

    with turns.taken():
        other = threading.Thread(target=work)
        other.start()
        assert waits.wait(60)
    with turns.taken():
        order.append("asked again")
    other.join()
    assert order == ["waited", "asked again"]
