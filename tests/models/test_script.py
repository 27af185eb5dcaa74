"""A fake model says what its owner wrote, the same every time."""

from pathlib import Path

import pytest

from models.backend import Run
from models.catalog import Catalog
from models.errors import ModelLoadFailed
from models.fake import FakeBackend
from models.requests import WorkerSpec

PROMPT = (
    "<|im_start|>system\n- [team lead] Mina Olsen\n- [car] a grey Skoda<|im_end|>\n"
    "<|im_start|>user\nWho is the team lead?<|im_end|>\n<|im_start|>assistant\n"
)


def say(folder: Path, prompt: str, grammar: str | None = None) -> str:
    """All that the fake model in *folder* answers."""
    backend = FakeBackend(WorkerSpec(model="tiny", kind="chat", backend="fake", path=str(folder)))
    tokens = backend.tokenize(prompt, special=True, begin=True)
    sampler = backend.sampler(None, grammar)  # type: ignore[arg-type]
    said, held = b"", 0
    while True:
        backend.decode([Run(0, held, tokens[held:], True)])
        held = len(tokens)
        token = sampler.sample(0)
        if token in backend.ends:
            return said.decode()
        said += backend.piece(token)
        tokens.append(token)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiny").mkdir()
    return tmp_path / "tiny"


def script(folder: Path, text: str) -> Path:
    (folder / "model.toml").write_text(f'kind = "chat"\nbackend = "fake"\n[fake]\n{text}')
    return folder


def test_it_answers_from_what_it_was_shown(folder: Path) -> None:
    """In context mode the line that shares most words with the question is the answer; without one it declines."""
    script(folder, 'mode = "context"')
    assert say(folder, PROMPT) == "- [team lead] Mina Olsen"
    assert say(folder, PROMPT.replace("team lead?", "dentist?")) == "I do not know."


def test_scripted_replies_come_first(folder: Path) -> None:
    """A question with the words of a reply gets it, also under a grammar; others get the default echo."""
    script(folder, "replies = { 'team LEAD' = '{\"ok\": true}' }")
    assert say(folder, PROMPT) == say(folder, PROMPT, "root ::= x") == '{"ok": true}'
    assert say(folder, PROMPT.replace("team lead?", "dentist?")) == "You said: Who is the dentist?"


def test_a_script_with_an_unknown_key_does_not_load(folder: Path) -> None:
    """A misspelt key is named."""
    with pytest.raises(ModelLoadFailed, match="moed"):
        say(script(folder, 'moed = "echo"'), PROMPT)


def test_a_fake_model_is_in_the_catalog(folder: Path) -> None:
    """A folder with only a model.toml that says `fake` is installed, and needs no file."""
    script(folder, "")
    assert Catalog(folder.parent).worker_spec("tiny").backend == "fake"
