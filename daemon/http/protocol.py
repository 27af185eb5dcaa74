"""How requests are read off a socket: uvicorn on llhttp, which reads one in a fifth of the time that h11 takes."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 65_536


class Protocol(HttpToolsProtocol):
    """As uvicorn's, but a request is 400 whose head, or what stands between pieces of its body, does not end."""

    _unread = 0

    def data_received(self, data: bytes) -> None:
        """Take in what came."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        """The head has ended."""
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body is there, which the handler bounds."""
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request has ended; what follows is another."""
        self._unread = 0
        super().on_message_complete()
