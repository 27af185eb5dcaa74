"""The first conversation with the starter models themselves: told, found, edited, asked again."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

from daemon.client import Turn

Home = Any
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
CHAT, EMBED = "smollm2-135m-instruct", "all-minilm-l6-v2"
GENOA = "The spare genoa lies in the attic of the club."
BOATS = f"# Boats\n\nThe trailer is parked behind the barn.\n\n## Sails\n\n{GENOA}\n"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, home_class: type[Home], models_dir: Path) -> Iterator[Home]:
    """A daemon with the starter models and one note, its vectors made."""
    home = home_class(tmp_path_factory.mktemp("home"))
    home.configure(f'[models]\ndir = "{models_dir}"\n')
    home.paths.vault.mkdir(parents=True)
    (home.paths.vault / "Boats.md").write_text(BOATS)
    home.start()
    home.until(lambda: home.client.status().index.vectors >= 2)
    yield home
    home.close()


def _say(home: Home, words: str, model: str = f"{CHAT}:memory") -> tuple[str, Any]:
    with home.client.chat_stream([Turn("user", words)], model=model, max_tokens=60) as stream:
        chunks = list(stream)
    return "".join(chunk.text for chunk in chunks), chunks[-1].memory


def test_a_starter_model_talks(real: Home) -> None:
    """A plain chat with the starter chat model gives text and its counts, the same text for the same seed."""
    with openai.OpenAI(base_url=f"{real.url}/v1", api_key="none", max_retries=0) as client:
        replies = [
            client.chat.completions.create(
                model=CHAT,
                messages=[{"role": "user", "content": "Name three colours."}],
                max_tokens=30,
                temperature=0.7,
                seed=7,
            )
            for _ in range(2)
        ]
    texts = [reply.choices[0].message.content for reply in replies]
    assert texts[0]
    assert texts[0] == texts[1]
    assert replies[0].usage is not None
    assert 0 < replies[0].usage.completion_tokens <= 30


def test_likeness_in_meaning_is_likeness_in_vectors(real: Home) -> None:
    """Embeddings over HTTP are unit vectors in which a paraphrase is nearer than another subject."""
    texts = ["Where is the spare sail?", "In which place is the extra sail kept?", "The soup needs more salt."]
    with openai.OpenAI(base_url=f"{real.url}/v1", api_key="none", max_retries=0) as client:
        rows = [item.embedding for item in client.embeddings.create(model=EMBED, input=texts).data]
    near, far = (sum(a * b for a, b in zip(rows[0], row, strict=True)) for row in rows[1:])
    assert math.isclose(sum(value * value for value in rows[0]), 1, rel_tol=1e-3)
    assert near > far + 0.3


def test_a_note_is_found_by_meaning(real: Home) -> None:
    """A question in other words than the note's finds it, with its line."""
    hits = real.client.search("where do we store the extra sail").hits
    assert (hits[0].path, hits[0].start_line) == ("Boats.md", 7)


def test_told_changed_and_asked(real: Home) -> None:
    """What hangs on a changed fact becomes unsure with its reason, and a small model's guess never covers that."""
    _say(real, "Our team lead is Tom Vega.")
    _say(real, "The code reviewer is Arno Weiss. If the team lead changes, the code reviewer may change too.")
    reply, memory = _say(real, "We have a new team lead: Mina Olsen.")
    assert "team lead is now Mina Olsen" in reply
    assert {change.attribute: change.after for change in memory.changes} == {
        "team lead": "Mina Olsen",
        "code reviewer": None,
    }
    reply, memory = _say(real, "Who leads our team?")
    assert (reply, memory.kind) == ("Your team lead is Mina Olsen.", "fact")
    reply, memory = _say(real, "Who is the code reviewer?")
    assert memory.kind == "unsure"
    assert "Arno Weiss" in reply


def test_a_note_is_quoted_rather_than_guessed_at(real: Home) -> None:
    """A model without a passed reading check does not answer about a note: the note does, with its line."""
    reply, memory = _say(real, "Where is the spare genoa kept?")
    assert f"> {GENOA}\n(Boats.md:7)" in reply
    assert memory.kind == "passages"
