"""Who works on the index steps aside for searches."""

import sys
import threading

from memory_store.index.courtesy import Courtesy


def test_work_rests_for_a_search_and_never_for_long() -> None:
    """A step rests while somebody searches; under a search without end the work goes on all the same."""
    courtesy = Courtesy()
    done = threading.Event()

    def work() -> None:
        with courtesy.working():
            for _ in range(500):
                courtesy.step()
        done.set()

    with courtesy.searching():
        worker = threading.Thread(target=work)
        worker.start()
        assert done.wait(60)
    worker.join()


def test_a_search_that_ends_wakes_the_work_that_rests_for_it() -> None:
    """Work does not sleep its time out: it goes on as soon as one search is done, though others go on."""
    courtesy = Courtesy()
    resting, ended = threading.Event(), threading.Event()

    class Passed(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            resting.set()
            return super().wait(60)

    courtesy._passed = Passed()

    def work() -> None:
        with courtesy.working():
            courtesy.step()
        ended.set()

    with courtesy.searching():
        worker = threading.Thread(target=work)
        with courtesy.searching():
            worker.start()
            assert resting.wait(60)
            assert not ended.is_set()
        assert ended.wait(30)
    worker.join()


def test_while_work_goes_on_the_interpreter_is_handed_over_sooner() -> None:
    """Work within work is a part of it; when all of it is done the interpreter is as it was."""
    courtesy = Courtesy()
    usual = sys.getswitchinterval()
    with courtesy.working():
        assert sys.getswitchinterval() < usual
        with courtesy.working():
            courtesy.step()
        assert sys.getswitchinterval() < usual
    assert sys.getswitchinterval() == usual


def test_who_does_not_work_does_not_wait() -> None:
    """A step of a thread that is not at work ends at once, whoever searches."""
    courtesy = Courtesy()
    with courtesy.searching():
        courtesy.step()
    assert courtesy._waited == 0
