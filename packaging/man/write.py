"""Write what is derived from the commands' own arguments: the man page, the completions, the README's exit codes."""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from daemon.cli import COMMANDS, completion, parser_of, service  # noqa: E402 - the path comes first
from daemon.errors import EXIT_MEANINGS  # noqa: E402

INTRODUCTION = r"""
.TH REVERIE 1 "" "reverie" "User commands"
.SH NAME
reverie \- a local assistant that keeps its memory in markdown
.SH SYNOPSIS
.B reverie
[\fICOMMAND\fR] [\fIARGUMENTS\fR]
.SH DESCRIPTION
A background daemon runs small language models on this machine and keeps what it learns as markdown files that their
owner edits. These commands talk to it. Without a command, and with a terminal, the terminal interface opens.
.PP
Results go to standard output, everything else to standard error. Colours are used on a terminal only, and not where
NO_COLOR is set.
.SH COMMANDS
"""
ENDING = r"""
.SH ENVIRONMENT
.TP
.B REVERIE_HOME
One folder for everything: settings, memory, models, state.
.TP
.B REVERIE_HOST
Where the daemon listens, and, if it names another machine, which daemon the commands call.
.TP
.B REVERIE_TOKEN
The token for a daemon on another machine.
.TP
.B REVERIE_SECTION_KEY
Any setting, as REVERIE_MODELS_KEEP_ALIVE; `reverie config show` lists them.
.TP
.BR EDITOR ", " VISUAL
What `reverie memory edit` runs.
.TP
.B NO_COLOR
No colours.
.SH FILES
`reverie config path \-\-all` prints where the files are.
"""


def files() -> dict[Path, str]:
    """Every derived file and what should stand in it."""
    readme = ROOT / "README.md"
    written = {
        ROOT / "packaging/man/reverie.1": man_page(),
        ROOT / "packaging/systemd/reverie.service": service.unit(["/usr/bin/env", "reverie", "serve"], "%h -%t", {}),
        ROOT / "packaging/launchd/org.reverie.daemon.plist": service.agent(
            ["/usr/bin/env", "reverie", "serve"], Path("/tmp/reverie-launchd.log"), {}
        ).decode(),
        readme: re.sub(
            r"(<!-- exit codes: begin[^\n]*\n).*?(<!-- exit codes: end -->)",
            lambda found: found[1] + exit_table() + found[2],
            readme.read_text("utf-8"),
            flags=re.DOTALL,
        ),
    }
    for shell, name in (("bash", "reverie.bash"), ("zsh", "_reverie"), ("fish", "reverie.fish")):
        written[ROOT / "packaging/completions" / name] = completion.script(shell)
    return written


def exit_table() -> str:
    """The exit codes as a markdown table."""
    rows = [f"| {int(code)} | {meaning} |\n" for code, meaning in EXIT_MEANINGS.items()]
    return "| code | meaning |\n|---|---|\n" + "".join(rows)


def man_page() -> str:
    """The manual page reverie(1)."""
    parts = [INTRODUCTION.lstrip()]
    for name in COMMANDS:
        parts.append(_section(f"reverie {name}", COMMANDS[name].summary, parser_of(name)))
        parts.append(f".RS\n.PP\nExample: \\fB{_roff(COMMANDS[name].example)}\\fR\n.RE\n")
    parts.append(".SH EXIT STATUS\n")
    parts += [f".TP\n.B {int(code)}\n{_roff(meaning)}\n" for code, meaning in EXIT_MEANINGS.items()]
    return "".join(parts) + ENDING.lstrip()


def _section(title: str, summary: str, parser: argparse.ArgumentParser) -> str:
    actions = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    below = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
    words = "".join(f" \\fI{_roff(_placeholder(action))}\\fR" for action in actions if not action.option_strings)
    lines = [f".TP\n.B {_roff(title)}{'' if below else words}\n{_roff(summary[:1].upper() + summary[1:])}.\n.RS\n"]
    for action in actions:
        if action in below:
            continue
        name = ", ".join(action.option_strings) or _placeholder(action)
        value = f" \\fI{_roff(_placeholder(action))}\\fR" if action.option_strings and action.nargs != 0 else ""
        lines.append(f".TP\n.B {_roff(name)}{value}\n{_roff(action.help or '')}\n")
    lines.append(".RE\n")
    for action in below:
        help_of = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for name, sub in action.choices.items():
            lines.append(_section(f"{title} {name}", help_of.get(name, ""), sub))
    return "".join(lines)


def _placeholder(action: argparse.Action) -> str:
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return str(action.metavar or action.dest.upper())


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


if __name__ == "__main__":
    for path, content in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        print(path.relative_to(ROOT))
