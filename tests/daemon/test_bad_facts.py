"""Pages of facts as people break them: each fault is shown with path and line, and nothing else stops."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from daemon.client import Turn

Home = Any

BROKEN = {
    "facts/Unknown.md": "- [kettle] on\n\n## Rules\n- when [no such fact] changes, [kettle] becomes ?\n",
    "facts/Malformed.md": "- [lamp] lit\n\n## Rules\n- when [lamp] changes then whatever\n",
    "facts/Cycle.md": (
        "- [egg] here\n- [hen] there\n\n## Rules\n"
        "- when [egg] changes, [hen] becomes ?\n- when [hen] changes, [egg] becomes ?\n"
    ),
    "facts/Contra.md": (
        "- [sky] blue\n- [mood] good\n\n## Rules\n"
        "- when [sky] changes, [mood] becomes bad\n- when [sky] changes, [mood] becomes fine\n"
    ),
    "facts/Huge.md": f"- [poem] {'la ' * 34_000}\n- [poet] Ines\n",
    "facts/Half.md": "# Half\n\n- [window\n- [door] \nleft] Tom (since 2026\n- [roof] slate\n",
    "facts/Cut.md": "# Cut\n\n- [cook] Ada (since 2026; from [[journal/20\n- [bar] (forgotten\n- [menu] soup\n",
    "facts/Comment.md": "- [shown] yes\n\n<!--\n- [hidden] no\n",
    "facts/Twin.md": "- [kettle] off\n",
    "facts/Yaml.md": "---\na: [b\n---\n- [attic] dusty\n",
}
FINDINGS = {
    ("facts/Unknown.md", 4): "[no such fact], which is no fact",
    ("facts/Malformed.md", 4): "not understood as a rule",
    ("facts/Cycle.md", 5): "these facts depend on themselves",
    ("facts/Contra.md", 6): "contradicts the rule at facts/Contra.md:5",
    ("facts/Huge.md", 1): "[poem] has a value of 10",
    ("facts/Half.md", 3): "a bracket is missing",
    ("facts/Half.md", 4): "[door] stands without a value",
    ("facts/Cut.md", 3): "a bracket is never closed",
    ("facts/Cut.md", 4): "a bracket is never closed",
    ("facts/Comment.md", 3): "never closed, so that the facts below it are not read",
    ("facts/Bytes.md", 2): "not UTF-8",
    ("facts/Twin.md", 1): "[kettle] is claimed with another value by facts/Unknown.md:1",
    ("facts/Yaml.md", 2): "",
}


@pytest.fixture
def broken(new_home: Callable[[], Home]) -> Home:
    """A daemon on a vault of broken pages, and one whole page."""
    home = new_home()
    home.configure('[models]\nchat = "tiny"\nembed = ""\n')
    home.add_fake_model()
    for path, text in {**BROKEN, "facts/Whole.md": "- [captain] Ole\n"}.items():
        file = home.paths.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (home.paths.vault / "facts/Bytes.md").write_bytes(b"- [caf\xc3\xa9] open\n- [bistro] caf\xc3")
    return home.start()


def test_doctor_shows_each_fault_with_its_line(broken: Home) -> None:
    """A rule that names no fact, one that is malformed, a cycle, a contradiction, a huge value, half a section."""
    found = {(one.path, one.line): one.message for one in broken.client.doctor() if one.path}
    for place, words in FINDINGS.items():
        assert place in found, (place, found)
        assert words in found[place], (place, found[place])


def test_doctor_prints_path_and_line(broken: Home) -> None:
    """`reverie doctor` names the place of each fault; `recall`, `what-if` and `remember` beside it do their work."""

    def reverie(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "daemon.cli", *arguments]
        return subprocess.run(command, env=broken.environ, capture_output=True, text=True, timeout=60, check=False)

    said = reverie("doctor").stdout
    for path, line in FINDINGS:
        assert f"{path}:{line}" in said, (path, line)
    assert reverie("recall", "captain").returncode == 0
    assert "[hen] there -> ?" in reverie("what-if", "egg = gone").stdout
    huge = reverie("remember", f"Our motto is {'la ' * 34_000}")
    assert huge.returncode == 0, huge.stderr
    assert reverie("remember", "The boat is called Otter.").returncode == 0


def test_nothing_else_stops(broken: Home) -> None:
    """Whole lines of broken pages are facts; the cycle is followed once; telling, asking and drawing go on."""
    client = broken.client
    for name, value in (("roof", "slate"), ("poet", "Ines"), ("captain", "Ole"), ("lamp", "lit"), ("menu", "soup")):
        assert client.recall(name).facts[0].value == value
    assert "unknown" not in client.ask("Who is the captain?").kind
    supposed = client.what_if("egg = gone")
    assert [change.attribute for change in supposed.consequences] == ["hen"]
    assert any("depend on themselves" in problem for problem in supposed.problems)
    assert client.what_if("sky = grey").consequences[0].attribute == "mood"
    assert client.graph(format="mermaid").edges
    turns = [Turn("user", "My kayak is called Otter.")]
    with client.chat_stream(turns, model="tiny:memory") as stream:
        assert list(stream)[-1].memory.changes[0].after == "Otter"
    for path, text in BROKEN.items():
        assert (broken.paths.vault / path).read_text() == text
