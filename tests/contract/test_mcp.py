"""The tools of the Model Context Protocol, called by the official SDK's own client over both transports."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

Home = Any

WORK = """# Work

- [team lead] Mina Olsen (since 2026-11-28)
- [code reviewer] Arno Weiss

## Rules
- when [team lead] changes, [code reviewer] becomes ?
"""
READS = {"search", "ask", "recall", "facts", "why", "what_if", "page"}
WRITES = {"remember", "forget"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, home_class: type[Home]) -> Iterator[Home]:
    """A daemon with a page of facts and a note."""
    home = home_class(tmp_path_factory.mktemp("home"))
    home.configure('[models]\nchat = "tiny"\nembed = ""\n[vault]\ncommit_quiet_s = 0\n')
    home.add_fake_model()
    (home.paths.vault / "facts").mkdir(parents=True)
    (home.paths.vault / "facts/Work.md").write_text(WORK)
    (home.paths.vault / "Boats.md").write_text("# Boats\n\nThe trailer stands behind the barn.\n")
    home.start()
    home.client.reindex(["Boats.md"])
    yield home
    home.close()


@asynccontextmanager
async def over(transport: str, home: Home) -> AsyncIterator[Client]:
    """A connected client over *transport*."""
    if transport == "http":
        async with Client(f"{home.url}/mcp") as client:
            yield client
    else:
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "daemon.cli", "mcp"], env=home.environ, cwd=Path.cwd()
        )
        async with Client(stdio_client(server)) as client:
            yield client


async def call(client: Client, name: str, **arguments: object) -> tuple[str, dict[str, Any], bool]:
    """The text and the data that a tool gives, and whether it failed."""
    result = await client.call_tool(name, arguments)
    text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
    return text, result.structured_content or {}, result.is_error


@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_every_tool_works_over_both_transports(served: Home, transport: str) -> None:
    """The tools are listed with schemas and hints, and each does what the command line's word of that name does."""
    async with over(transport, served) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == READS | WRITES
        for name, tool in tools.items():
            assert tool.description
            assert tool.input_schema["type"] == "object"
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is (name in READS)
        assert tools["forget"].annotations is not None
        assert tools["forget"].annotations.destructive_hint is True
        text, data, failed = await call(client, "recall", what="[team lead]")
        assert text.startswith("[team lead] Mina Olsen (since 2026-11-28)  facts/Work.md:3")
        assert (data["facts"][0]["value"], failed) == ("Mina Olsen", False)
        text, data, _ = await call(client, "ask", question="Who is the team lead?")
        assert "Mina Olsen" in text
        assert data["kind"] == "fact"
        text, data, _ = await call(client, "search", query="trailer")
        assert "Boats.md:3" in text
        text, data, _ = await call(client, "facts", words="reviewer")
        assert [fact["attribute"] for fact in data["facts"]] == ["code reviewer"]
        text, data, _ = await call(client, "what_if", change="team lead = Arno")
        assert "then [code reviewer] Arno Weiss -> ?" in text
        assert "[code reviewer]" in (await call(client, "why", what="code reviewer"))[0]
        text, data, _ = await call(client, "page", path="facts/Work.md")
        assert (text, data["title"]) == (WORK, "Work")
        said = {"http": "My sister's boat is called Anemone.", "stdio": "My brother's boat is called Petrel."}[
            transport
        ]
        text, data, _ = await call(client, "remember", text=said)
        assert data["changes"][0]["after"] in said


@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_forgetting_takes_two_steps(served: Home, transport: str) -> None:
    """The first call only shows what would go, and a code; a wrong code removes nothing; the right one removes it."""
    secret = {"http": "heron-42-blue", "stdio": "otter-77-red"}[transport]
    page = served.paths.vault / f"facts/{transport}.md"
    page.write_text(f"# {transport}\n\n- [{transport} password] {secret}\n")
    served.client.reindex([f"facts/{transport}.md"])
    async with over(transport, served) as client:
        text, data, _ = await call(client, "forget", what=f"{transport} password")
        assert secret in text
        assert (data["done"], secret in page.read_text()) == (False, True)
        text, _, failed = await call(client, "forget", what=f"{transport} password", confirm="yes")
        assert failed
        assert secret in page.read_text()
        text, data, failed = await call(client, "forget", what=f"{transport} password", confirm=data["confirm"])
        assert (data["done"], failed) == (True, False)
        assert secret not in page.read_text()
        text, _, _ = await call(client, "recall", what=f"{transport} password")
        assert "(forgotten)" in text


async def test_failures_are_told_to_the_model(served: Home) -> None:
    """What goes wrong is a result with the error's own words, so that the model on the other side can do better."""
    async with over("http", served) as client:
        text, _, failed = await call(client, "recall", what="team leed")
        assert failed
        assert "did you mean [team lead]" in text
        text, _, failed = await call(client, "page", path="../../etc/passwd")
        assert failed
        text, _, failed = await call(client, "search", query="x", limit=0)
        assert (failed, "limit" in text) == (True, True)
        text, _, failed = await call(client, "remember", text=" \n")
        assert (failed, text) == (True, "remember: text is empty")
        text, _, failed = await call(client, "ask", question="who is it " * 3_000)
        assert (failed, text) == (True, "question: 30,000 characters; it may have 20,000")
        text, _, failed = await call(client, "delete_all")
        assert (failed, "there is no tool" in text) == (True, True)


def test_pain_38_the_door_is_the_daemons_own(served: Home) -> None:
    """pain 38: a page of another site, or one that rebinds a name, gets nothing from /mcp."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream"}
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = httpx.post(f"{served.url}/mcp", json=message, headers={**accept, **headers}, timeout=60)
        assert answer.status_code == 403, headers
    assert httpx.post(f"{served.url}/mcp", json=message, headers=accept, timeout=60).status_code == 200
    assert httpx.get(f"{served.url}/mcp", timeout=60).status_code == 405


def test_the_sdk_is_imported_only_when_used(new_home: Any) -> None:
    """A daemon to which nobody speaks MCP has not loaded the SDK; its first request loads it."""
    home = new_home()
    home.configure('[models]\nembed = ""\n')
    home.start()

    maps = Path(f"/proc/{home.process.pid}/maps")
    if not maps.exists():  # no Linux
        return
    before = home.client.status().rss_bytes
    assert "pydantic_core" not in maps.read_text()
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    answer = httpx.post(
        f"{home.url}/mcp", json=message, headers={"Accept": "application/json, text/event-stream"}, timeout=60
    )
    assert answer.status_code == 200
    assert "pydantic_core" in maps.read_text()
    assert home.client.status().rss_bytes - before < 80e6


async def test_a_wrong_field_is_answered_with_the_right_ones(served: Home) -> None:
    """A model that calls a tool with an unknown field reads which fields the tool has."""
    async with over("http", served) as client:
        text, _, failed = await call(client, "search", query="trailer", max_results=3)
        assert failed
        assert "`max_results`" in text
        assert "it takes query (required), limit, prefix" in text


def test_what_is_no_message_is_answered_on_stdio(served: Home) -> None:
    """A broken line gets JSON-RPC's -32700, JSON that is no message -32600, both with id null; then it goes on."""
    ping = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
    lines = ["{broken", '{"jsonrpc": "1.0"}', json.dumps(ping)]
    with subprocess.Popen(
        [sys.executable, "-m", "daemon.cli", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=served.environ,
    ) as server:
        assert server.stdin and server.stdout
        server.stdin.write("".join(f"{line}\n" for line in lines))
        server.stdin.flush()
        replies = [json.loads(server.stdout.readline()) for _ in lines]
        server.stdin.close()
    codes = [reply["error"]["code"] for reply in replies if reply["id"] is None]
    assert codes == [-32700, -32600]
    assert [reply["id"] for reply in replies if reply["id"] is not None] == [7]
