"""`reverie memory`: the pages, as files."""

import argparse
import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from daemon.cli import output
from daemon.cli.failure import CommandFailed
from daemon.client import Client, DaemonError, DaemonNotRunning


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    ls = actions.add_parser("ls", help="list pages", epilog="example: reverie memory ls facts/")
    ls.add_argument("prefix", nargs="?", help="only pages whose path starts so")
    ls.add_argument("--json", action="store_true", help="the list as JSON")
    ls.set_defaults(run=list_pages)

    show = actions.add_parser("show", help="print a page", epilog="example: reverie memory show facts/Work.md")
    show.add_argument("page", help="its path")
    show.add_argument("--json", action="store_true", help="path, title, text and hash as JSON")
    show.set_defaults(run=show_page)

    edit = actions.add_parser(
        "edit", help="open a page in $EDITOR", epilog="example: reverie memory edit facts/Work.md"
    )
    edit.add_argument("page", help="its path; a new one is created")
    edit.set_defaults(run=edit_page)

    why = actions.add_parser(
        "status", help="whether a page is found, and why", epilog="example: reverie memory status notes/todo.md"
    )
    why.add_argument("page", help="its path")
    why.add_argument("--json", action="store_true", help="the status as JSON")
    why.set_defaults(run=page_status)

    reindex = actions.add_parser(
        "reindex", help="read pages anew", epilog="example: reverie memory reindex notes/todo.md"
    )
    reindex.add_argument("pages", nargs="*", help="these alone; none: rebuild the whole index, and swap it in")
    reindex.add_argument("--json", action="store_true", help="the counts as JSON")
    reindex.set_defaults(run=reindex_pages)

    history = actions.add_parser("history", help="list changes, newest first", epilog="example: reverie memory history")
    history.add_argument("-n", "--limit", type=int, default=20, metavar="N", help="at most N (default 20)")
    history.add_argument("--json", action="store_true", help="the list as JSON")
    history.set_defaults(run=show_history)


def list_pages(arguments: argparse.Namespace) -> int:
    """Print path, title, size and time of each page."""
    pages = Client.from_environment().pages(prefix=arguments.prefix)
    if arguments.json:
        output.print_json(pages)
    else:
        rows = [[page.path, page.title, output.size(page.size_bytes), page.modified[:16]] for page in pages]
        empty = f"no page's path begins with {arguments.prefix}" if arguments.prefix else "there are no pages yet"
        output.print_table(rows, ("path", "title", "size", "modified"), empty=empty)
    return 0


def show_page(arguments: argparse.Namespace) -> int:
    """Print the page's text."""
    client = Client.from_environment()
    page = client.page(path_in_vault(client, arguments.page))
    if arguments.json:
        output.print_json(page)
    else:
        sys.stdout.write(page.text if page.text.endswith("\n") or not page.text else page.text + "\n")
    return 0


def edit_page(arguments: argparse.Namespace) -> int:
    """Run the editor on the file itself. Needs no daemon: one that runs sees the save."""
    root = vault()
    file = (root / arguments.page).resolve()
    if not file.is_relative_to(root):
        raise CommandFailed("NotContained", f"{arguments.page} is not inside the vault {root}")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or next(filter(shutil.which, ("editor", "vi")), None)
    if not editor:
        raise CommandFailed("RequestInvalid", "no editor is set", "export EDITOR=vim, or what you like")
    with contextlib.suppress(DaemonError):  # that it was opened, after a search perhaps
        Client.from_environment().page(arguments.page)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        code = subprocess.run([*shlex.split(editor), str(file)], check=False).returncode
    except FileNotFoundError as error:
        raise CommandFailed("NotFound", f"the editor {editor!r} is not installed", "set $EDITOR") from error
    if code:
        raise CommandFailed("StoreError", f"{editor} ended with code {code}")
    return 0


def page_status(arguments: argparse.Namespace) -> int:
    """Print whether a page is found by searches, why, and since when. Exit code 7 where there is no such file."""
    client = Client.from_environment()
    found = client.page_status(path_in_vault(client, arguments.page))
    if arguments.json:
        output.print_json(found)
    else:
        colour = {"indexed": "green", "pending": "yellow", "ignored": "yellow"}.get(found.state, "red")
        reason = f": {found.reason}" if found.reason != found.state else ""
        print(f"{found.path}: {output.paint(found.state, colour)}{reason}")
        if found.indexed_at:
            print(f"  read {found.indexed_at}: {found.chunks} chunks, {found.vectors} vectors")
        if found.hash:
            print(f"  sha256 {found.hash}")
    from daemon.errors import Exit

    return int(Exit.NOT_FOUND if found.state == "missing" else Exit.OK)


def reindex_pages(arguments: argparse.Namespace) -> int:
    """Print what was read anew. Exit code 1 where a page could not be."""
    client = Client.from_environment()
    paths = [path_in_vault(client, page) for page in arguments.pages] or None
    done = client.reindex(paths)
    if arguments.json:
        output.print_json(done)
    else:
        print(
            f"{done.added} added, {done.updated} updated, {done.removed} removed, {done.unchanged} unchanged"
            f" in {done.took_s:.1f} s"
        )
        for line in done.failed:
            output.narrate(f"  failed: {line}")
    return 1 if done.failed else 0


def show_history(arguments: argparse.Namespace) -> int:
    """Print id, time, author and subject of each change, newest first."""
    commits = Client.from_environment().history(limit=arguments.limit)
    if arguments.json:
        output.print_json(commits)
        return 0
    if not commits:
        output.narrate("nothing was changed yet")
    for commit in commits:
        summary = commit.message.splitlines()[0] if commit.message else ""
        print(f"{output.paint(commit.id[:10], 'yellow')}  {commit.when[:16]}  {commit.author}: {summary}")
    return 0


def vault() -> Path:
    """The vault's folder: the running daemon's, else the configured one."""
    try:
        return Path(Client.from_environment().status().vault).resolve()
    except DaemonNotRunning:
        from daemon import config
        from daemon.paths import Paths

        paths = Paths.find()
        return config.load(paths).vault_path(paths).resolve()


def path_in_vault(client: Client, given: str) -> str:
    """*given* relative to the vault: as it stands, unless it is absolute or names a file here that is in the vault."""
    file = Path(given).expanduser()
    if not file.is_absolute() and not file.exists():
        return given
    root = Path(client.status().vault).resolve()
    try:
        # The last part is kept as it is: a link in the vault is a page under its own name.
        return (file.parent.resolve() / file.name).relative_to(root).as_posix()
    except ValueError:
        if file.is_absolute():
            raise CommandFailed("NotContained", f"{given} is not inside the vault {root}") from None
        return given
