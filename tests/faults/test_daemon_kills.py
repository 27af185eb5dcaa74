"""What the daemon acknowledged survives its death; what runs may finish, or is cut, as the signals say."""

import signal
from collections.abc import Callable
from typing import Any

import httpx
import psutil
import pytest

from daemon.client import ChatChunk, DaemonError, Turn
from daemon.errors import Exit

Home = Any


def _remembering(home: Home) -> Home:
    home.configure('[models]\nchat = "tiny"\n')
    home.add_fake_model()
    return home


def _say(home: Home, words: str) -> list[ChatChunk]:
    with home.client.chat_stream([Turn("user", words)], model="tiny:memory") as stream:
        return list(stream)


def test_kill_9_after_an_acknowledged_chat_loses_nothing(home: Home) -> None:
    """The end of a reply was seen: after kill -9 and a restart the exchange, the fact and its history are there."""
    _remembering(home).start()
    for number in range(5):
        _say(home, f"Our code word number {number} is kiwi{number}.")
    home.signal(signal.SIGKILL)
    home.ended()
    journal = home.journal
    assert all(f"kiwi{number}" in journal for number in range(5))
    home.close()
    home.start()
    assert home.client.ask("What is our code word number 3?").text.endswith("kiwi3.")
    assert not [finding for finding in home.client.doctor() if finding.severity == "error"]


def test_the_journal_is_written_before_the_end_of_the_stream_is_seen(home: Home) -> None:
    """The moment the client reads why the reply ended, the exchange is in the file: a kill then loses nothing."""
    _remembering(home).start()
    body = {
        "model": "tiny:memory",
        "stream": True,
        "messages": [{"role": "user", "content": "Our cat is called Olga."}],
    }
    with httpx.stream("POST", f"{home.url}/v1/chat/completions", json=body, timeout=60) as stream:
        for line in stream.iter_lines():
            if '"finish_reason":"stop"' in line:
                home.signal(signal.SIGKILL)
                break
    home.ended()
    journal = home.journal
    assert "> Our cat is called Olga." in journal


def test_workers_do_not_outlive_a_killed_daemon(home: Home) -> None:
    """After kill -9 of the daemon its model workers end by themselves."""
    _remembering(home).start()
    home.client.load("tiny")
    worker = psutil.Process(home.client.status().workers[0].pid)
    home.signal(signal.SIGKILL)
    home.ended()
    psutil.wait_procs([worker], timeout=60)
    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE


def test_sigterm_lets_a_running_reply_finish_and_takes_no_new_one(home: Home) -> None:
    """On SIGTERM the reply that runs goes on to its last word; then the daemon ends with success."""
    _remembering(home).start()
    home.client.load("tiny")
    with home.client.chat_stream([Turn("user", "/count 600")], model="tiny") as stream:
        first = next(stream)
        home.signal(signal.SIGTERM)
        home.heard("STOPPING=1")
        with pytest.raises(DaemonError):
            home.client.models()
        text = first.text + "".join(chunk.text for chunk in stream)
    assert text == " ".join(map(str, range(1, 601)))
    assert home.ended()[0] == Exit.OK


@pytest.mark.parametrize("again", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_forces_the_end(new_home: Callable[[], Home], again: int) -> None:
    """A second signal cuts the running reply; the daemon ends soon, says so by its code, and leaves no worker."""
    home = _remembering(new_home())
    home.configure('[server]\ndrain_s = "10m"\n[models]\nchat = "tiny"\ncontext_tokens = 60000\n')
    home.start()
    home.client.load("tiny")
    worker = psutil.Process(home.client.status().workers[0].pid)
    with home.client.chat_stream([Turn("user", "/count 29000")], model="tiny") as stream:  # no end in minutes
        next(stream)
        home.signal(signal.SIGTERM)
        home.heard("STOPPING=1")
        home.signal(again)
        with pytest.raises(DaemonError):
            list(stream)
    assert home.ended()[0] == Exit.FORCED
    psutil.wait_procs([worker], timeout=60)
    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE


def test_a_reply_longer_than_the_deadline_is_cut(new_home: Callable[[], Home]) -> None:
    """Past `server.drain_s` a running reply is cut, and the exit code says that work was left."""
    home = _remembering(new_home())
    home.configure('[server]\ndrain_s = "1s"\n[models]\nchat = "tiny"\ncontext_tokens = 60000\n')
    home.start()
    home.client.load("tiny")
    with home.client.chat_stream([Turn("user", "/count 29000")], model="tiny") as stream:
        next(stream)
        home.signal(signal.SIGTERM)
        with pytest.raises(DaemonError):
            list(stream)
    assert home.ended()[0] == Exit.FORCED
