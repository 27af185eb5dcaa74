"""`reverie chat` without a terminal."""

import subprocess
import sys

import pytest


@pytest.fixture
def chatting(home):
    """A home whose daemon has a scripted model."""
    home.configure('[models]\nchat = "tiny"\nembed = ""\n')
    home.add_fake_model()
    return home.start()


def test_piped_lines_are_messages_of_one_conversation(chatting):
    """Each line that is not empty is a message with its own reply; after `-` all of stdin is one."""

    def piped(*arguments: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "daemon.cli", "chat", *arguments],
            env=chatting.environ,
            input="Our plumber is Ida Moe.\n\n  Our dentist is Kai Rand.\nWho is our plumber?\n",
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    said = [line for line in piped().splitlines() if line.startswith(("Noted", "Your"))]
    assert len(said) == 3
    assert "Kai Rand" in said[1]
    assert said[2] == "Your plumber is Ida Moe."
    assert piped("-", "--json").count('"text"') == 1
