"""
The table of `daemon.tools` as a server of the Model Context Protocol, by the official SDK.

Imports the SDK, which costs time and memory: whoever wants a server imports this module, and nobody else does.
"""

import logging
from typing import TYPE_CHECKING

import anyio
import mcp.types as protocol
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from daemon import VERSION, client
from daemon.errors import is_expected, message_of, note, outcome_of
from daemon.tools import INSTRUCTIONS, TOOLS, Backend, Tool, run

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

log = logging.getLogger(__name__)


def serve(backend: Backend) -> "Server[dict[str, object]]":
    """A server whose tools are done by *backend*."""

    async def list_tools(
        _context: "ServerRequestContext[dict[str, object]]", _params: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        return protocol.ListToolsResult(tools=[_offered(tool) for tool in TOOLS.values()])

    async def call_tool(
        _context: "ServerRequestContext[dict[str, object]]", params: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        try:
            result = await run(backend, params.name, params.arguments or {})
        except Exception as error:  # noqa: BLE001 - a request's door: a model reads what went wrong, and tries again
            return _failed(params.name, error)
        return protocol.CallToolResult(
            content=[protocol.TextContent(type="text", text=result.text)], structured_content=result.data
        )

    return Server(
        "reverie", version=VERSION, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )


async def serve_stdio(backend: Backend) -> None:
    """Serve on this process's stdin and stdout until the other side hangs up."""
    server = serve(backend)
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as group:
        sound, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
        group.start_soon(_pass_on, incoming, sound, outgoing)
        await server.run(messages, outgoing, server.create_initialization_options())


async def _pass_on(
    incoming: "ReadStream[SessionMessage | Exception]",
    sound: "WriteStream[SessionMessage | Exception]",
    outgoing: "WriteStream[SessionMessage]",
) -> None:
    """Hand *incoming* messages to *sound*; lines that are none are answered, as JSON-RPC wants it, with id null."""
    async with sound:
        async for message in incoming:
            if isinstance(message, ValidationError):
                broken = message.errors()[0]["type"] == "json_invalid"
                error = protocol.ErrorData(
                    code=protocol.PARSE_ERROR if broken else protocol.INVALID_REQUEST,
                    message="the line is not JSON" if broken else "the line is no message of JSON-RPC 2.0",
                )
                await outgoing.send(SessionMessage(protocol.JSONRPCError(jsonrpc="2.0", id=None, error=error)))
            else:
                await sound.send(message)


def _offered(tool: Tool) -> protocol.Tool:
    return protocol.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=protocol.ToolAnnotations(
            read_only_hint=not tool.writes, destructive_hint=tool.destroys, open_world_hint=False
        ),
    )


def _failed(name: str, error: Exception) -> protocol.CallToolResult:
    """What the model on the other side reads: the error's own words and the next step."""
    if isinstance(error, client.DaemonError):
        text = f"{error.message}; {error.hint}" if error.hint and error.hint not in error.message else error.message
    else:
        note(log, error, f"the tool {name}")
        hint = outcome_of(error).hint if is_expected(error) else None
        text = f"{message_of(error)}; {hint}" if hint else message_of(error)
    return protocol.CallToolResult(content=[protocol.TextContent(type="text", text=text)], is_error=True)
