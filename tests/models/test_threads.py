"""The number of threads under competition."""

from models.threads import ThreadChoice


def steps(choice: ThreadChoice, seconds: float, share: float) -> None:
    """Compute for *seconds* while the threads get *share* of the time they ask for."""
    for _ in range(int(seconds / 0.01)):
        choice.observe(0.01, 0.01 * choice.current * share)


def test_on_a_quiet_machine_all_threads_work() -> None:
    """Threads that run all the time stay."""
    choice = ThreadChoice(4)
    steps(choice, 5, 0.98)
    assert choice.current == 4


def test_starved_threads_are_given_up_within_a_moment() -> None:
    """Two threads that get a third of their time become one within a window."""
    choice = ThreadChoice(2)
    steps(choice, 0.3, 0.3)
    assert choice.current == 1


def test_all_threads_come_back_when_the_machine_is_free() -> None:
    """After a while it tries again, and stays when that went well."""
    choice = ThreadChoice(2)
    steps(choice, 0.3, 0.3)
    steps(choice, 5, 1.0)
    assert choice.current == 2


def test_trying_in_vain_becomes_rare() -> None:
    """While the competition lasts, most of the time is spent with the count that works."""
    choice = ThreadChoice(2)
    low = 0
    for _ in range(6000):
        choice.observe(0.01, 0.01 * choice.current * (0.3 if choice.current == 2 else 0.9))
        low += choice.current == 1
    assert low > 5500
