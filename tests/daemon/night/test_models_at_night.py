"""A model elsewhere that takes part in a dream: what it asks must stand in memory, and it has its limits."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest

from daemon.night.state import NightState
from memory_store.files import Vault
from memory_store.journal import Exchange, Said, append_exchange
from models.remote import Remote

Home = Any
Script = Callable[[str], str | None]


class Scripted:
    """An OpenAI-compatible server that says what *script* makes of the last message; None: it never answers."""

    def __init__(self, script: Script) -> None:
        self.asked: list[str] = []
        self.closing = threading.Event()
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                scripted.asked.append(body["messages"][-1]["content"])
                said = script(scripted.asked[-1])
                if said is None:
                    scripted.closing.wait(60)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
                for choices, more in (
                    ([{"index": 0, "delta": {"content": said}}], {}),
                    ([{"index": 0, "delta": {}, "finish_reason": "stop"}], {}),
                    ([], {"usage": usage}),
                ):
                    chunk = {"id": "x", "object": "chat.completion.chunk", "model": "m", "choices": choices, **more}
                    self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def listening(new_home: Any, talk: list[tuple[str, str]]) -> Iterator[Callable[..., tuple[Home, Scripted]]]:
    """A daemon over a talk, whose model is a scripted one elsewhere that its check trusts with *trust*."""
    servers: list[Scripted] = []

    def make(script: Script, *, night: str = "", trust: tuple[str, ...] = ("extract",)) -> tuple[Home, Scripted]:
        server = Scripted(script).__enter__()
        servers.append(server)
        home = new_home()
        home.paths.vault.mkdir(parents=True)
        vault = Vault(home.paths.vault, owned=True)
        said = [Said("Ilse" if who == "assistant" else who, words) for who, words in talk]
        append_exchange(vault, Exchange("s1", datetime(2026, 11, 20).astimezone(), "none", said))
        home.configure(
            f'[models]\nchat = "big"\nembed = ""\n[night]\n{night}\n'
            f'[[models.remote]]\nname = "big"\nbase_url = "{server.url}"\nmodel = "m"\n'
        )
        home.trust("big", *trust, digest=Remote("big", server.url, "m").digest)
        return home.start().indexed(len(talk)), server

    yield make
    for server in servers:
        server.__exit__()


def passage_of(asked: str) -> str:
    """The passage that a prompt of the night quotes."""
    return asked.split("-----\n")[1].rstrip("\n- ").partition(" said: ")[2]


def runs(home: Home, kind: str = "dream") -> list[Any]:
    return [run for run in home.client.dreams() if run.kind == kind]


def test_only_what_stands_in_the_passage_becomes_a_probe(listening: Any) -> None:
    """
    A capable model asks: grounded answers become probes of the dream; invented ones, parts of words, and answers that
    the question gives away are dropped. Its tokens are counted against the night.
    """
    made: list[str] = []

    def script(asked: str) -> str:
        if "Ask one question" not in asked:
            return "no idea"
        words = re.findall(r"\w+", passage_of(asked))
        made.append(words[0])
        wrong = {
            0: {"question": "Which colour has the sail of the airship?", "answer": "purple as it never was"},
            1: {"question": f"Was it {words[2]} that mattered on the lake?", "answer": words[2]},
            2: {"question": "Which scrap of a word is on the lake?", "answer": words[-1][:-1]},
        }
        number = len(made) % 5
        return json.dumps(wrong.get(number) or {"question": "What did they tell of the lake days?", "answer": words[3]})

    home, _ = listening(script)
    home.client.dream(now=True)
    (run,) = runs(home)
    record = NightState(home.paths.state_dir / "night").read(f"runs/{run.id}", dict)
    assert record is not None
    assert len(made) >= 4
    assert record["asked"] == sum(number % 5 > 2 for number in range(1, len(made) + 1))
    assert run.rounds[0].probes > record["asked"]
    assert home.client.night().spent_tokens >= 120 * len(made)


@pytest.mark.parametrize("said", ["<think>no", '{"question": 3}'])
def test_a_model_that_talks_nonsense_is_soon_asked_no_more(listening: Any, said: str) -> None:
    """After a few answers of no use the dream goes on by rule alone and keeps what helps; no word of its stands."""
    home, server = listening(lambda _asked: said)
    home.client.dream(now=True)
    (run,) = runs(home)
    assert len([asked for asked in server.asked if "Ask one question" in asked]) <= 6
    assert run.kept > 0
    learned = [line for page in home.paths.vault.glob("META.md") for line in page.read_text().splitlines()]
    assert all("`" in line for line in learned if line.startswith("- "))  # a directive: what retrieval alone teaches
    assert not any(said in line for line in learned)


def test_a_model_that_never_answers_ends_with_the_budget(listening: Any) -> None:
    """The night's time is its limit: the dream ends within it and says why."""
    home, server = listening(lambda _asked: None, night='budget_s = "3s"', trust=("extract", "read", "reflect"))
    home.client.dream(now=True)
    (run,) = runs(home)
    assert "minutes are used up" in run.stopped
    assert len(server.asked) < 4


def test_a_night_spends_no_more_tokens_than_it_has(listening: Any) -> None:
    """With few tokens left the model is asked a few times only; the run says so."""

    def script(asked: str) -> str:
        words = re.findall(r"\w+", passage_of(asked)) if "Ask one question" in asked else ["x"] * 4
        return json.dumps({"question": "What did they tell of the lake days?", "answer": words[3]})

    home, server = listening(script, night="budget_tokens = 240")
    home.client.dream(now=True)
    assert len(server.asked) == 2
    assert "tokens are used up" in runs(home)[0].stopped


def test_what_is_to_be_forgotten_waits_for_no_model(listening: Any) -> None:
    """While a dream waits for a model that never answers, a forget goes through, and the dream ends without a word."""
    asked = threading.Event()

    def script(_asked: str) -> None:
        asked.set()

    home, server = listening(script)
    (home.paths.vault / "Gate.md").write_text("The gate code is rook-77-green.\n")
    home.until(lambda: home.client.search("gate code").hits)
    dream = threading.Thread(target=lambda: home.client.dream(now=True))
    dream.start()
    assert asked.wait(60)
    home.client.forget("Gate.md", confirm=True)
    assert not server.closing.is_set()
    server.closing.set()
    dream.join(60)
    assert runs(home) == []
    assert home.client.night().due == "The first dream"
