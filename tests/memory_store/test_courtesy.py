"""Who works on the index steps aside for searches."""

import threading

from memory_store.index.courtesy import Courtesy


def test_work_waits_for_a_search_and_never_for_long() -> None:
    """A step ends when the search does; under a search without end the work goes on all the same."""
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
