"""What the documents say is so: links lead somewhere, commands exist, settings are settings."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from daemon import config
from daemon.cli import COMMANDS, parser_of
from daemon.paths import Paths

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(ROOT.glob("*.md"))


def _code_blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", document.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def _command_lines() -> list[tuple[str, str]]:
    """Every `reverie …` that a document shows, in a block of shell or between code marks."""
    found: list[tuple[str, str]] = []
    for document in DOCUMENTS:
        lines = [line for block in _code_blocks(document, "sh") for line in block.splitlines()]
        text = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        lines += re.findall(r"`([^`\n]+)`", text)
        commands = [part.strip() for line in lines for part in re.split(r"[;&]+", line.partition("  #")[0])]
        found += [(document.name, part) for part in commands if re.match(r"(\.venv/bin/)?reverie( |$)", part)]
    return found


@pytest.mark.parametrize(("document", "line"), _command_lines())
def test_commands_parse(document, line):
    """Each command in a document is accepted by the command line as it stands."""
    words = shlex.split(line)[1:]
    if not words or words[0] in ("--help", "COMMAND"):
        return
    for alternative in words[-1].split("|") if "|" in words[-1] else [words[-1]]:
        arguments = [*words[1:-1], alternative] if len(words) > 1 else []
        assert words[0] in COMMANDS, document
        if arguments or words[0] not in (
            "memory",
            "models",
            "config",
            "service",
            "remember",
            "search",
            "ask",
            "forget",
            "recall",
            "proposals",
            "why",
            "what-if",
        ):
            assert parser_of(words[0]).parse_args(arguments)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    """Each relative link in a document leads to a file that exists."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text("utf-8")):
        if not re.match(r"[a-z]+:", target):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_make_targets_exist():
    """Each `make …` in a document is a target."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for document in DOCUMENTS:
        for target in re.findall(r"(?:`|^)make ([a-z]+)", document.read_text("utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{document.name}: make {target}"


def test_configuration_examples_load(tmp_path):
    """Each piece of config.toml that the README shows is accepted."""
    pieces = re.findall(r"<<'END'\n(.*?)^END", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert pieces
    for piece in pieces:
        tomllib.loads(piece)
        (tmp_path / "config.toml").write_text(piece)
        assert config.load(Paths.find({"REVERIE_HOME": str(tmp_path)}), {})


def test_python_examples_compile():
    """Each Python example in a document compiles."""
    for document in DOCUMENTS:
        for block in _code_blocks(document, "python"):
            compile(block, document.name, "exec")


def test_versions_agree():
    """The range of Pythons is the same in README, in pyproject.toml and in what make does."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    newest = max(re.findall(r"3\.(\d+)", " ".join(project["classifiers"])), key=int)
    assert f"3.11 to 3.{newest}" in (ROOT / "README.md").read_text("utf-8")
    bootstrap = (ROOT / "packaging" / "make" / "environment.py").read_text("utf-8")
    assert f"OLDEST, NEWEST = (3, 11), (3, {newest})" in bootstrap
    assert project["requires-python"] == ">=3.11"


def test_every_dependency_is_pinned():
    """Whatever pyproject.toml asks for has its exact version in packaging/constraints.txt."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)
    asked = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in (ROOT / "packaging" / "constraints.txt").read_text("utf-8").splitlines()
        if "==" in line
    }
    names = {re.split(r"[<>=!~\[; ]", entry)[0].lower().replace("_", "-") for entry in asked}
    assert names <= pinned
