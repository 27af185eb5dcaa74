"""The daemon's doors."""

import asyncio
import socket

from daemon.sockets import listen_tcp


async def test_what_is_accepted_sends_at_once() -> None:
    """A reply's last bytes do not wait for the other side to confirm its first: that costs 40 ms a request."""
    delays: list[bool] = []

    def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        delays.append(not writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    (door,) = listen_tcp("127.0.0.1", 0)
    async with await asyncio.start_server(accepted, sock=door):
        reader, writer = await asyncio.open_connection(*door.getsockname())
        assert await reader.read() == b""
        writer.close()
    assert delays == [False]
