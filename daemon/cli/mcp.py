"""`reverie mcp`: memory for programs that speak the Model Context Protocol, over stdin and stdout."""

import argparse

from daemon.client import Client


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001
    """Serve until the other side hangs up. The daemon is started if need be."""
    import asyncio

    from daemon.cli.process import ensure_running
    from daemon.mcp_server import serve_stdio
    from daemon.tools_remote import Remote

    ensure_running()
    asyncio.run(serve_stdio(Remote(Client.from_environment())))
    return 0
