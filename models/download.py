"""A file over HTTP that goes on where it stopped, as long as the server still has the same file."""

import re
from dataclasses import dataclass
from pathlib import Path

import httpx
import msgspec

from models.errors import PullFailed, PullGated
from models.transfer import Transfer

_PATIENCE = 5  # attempts in a row that brought nothing
_FIRST_WAIT_S = 0.5
_TIMEOUT = httpx.Timeout(30, connect=15)


class _Sidecar(msgspec.Struct, frozen=True):
    """What a `.part` file is the beginning of. Without a *validator* it cannot be continued."""

    url: str
    validator: str | None
    total: int


@dataclass(frozen=True)
class Fetched:
    """*etag* is the server's name of this version; *sha256* is what the server says of it, where it does."""

    etag: str | None
    sha256: str | None
    size_bytes: int


def download(
    url: str, target: Path, transfer: Transfer, *, headers: dict[str, str] | None = None, known_etag: str | None = None
) -> Fetched | None:
    """
    Fetch *url* into *target*; None when the server still has the version *known_etag*.

    The bytes gather in `target.part`, beside a note of what they belong to; they stay there after a failure, and the
    next call continues them where the server confirms that the file is the same.

    Raises:
        PullGated: 401 or 403.
        PullFailed: another answer than the file, or no answer after several attempts.
        DiskFull, PullCancelled
    """
    part = target.with_name(f"{target.name}.part")
    note = target.with_name(f"{target.name}.part.json")
    attempts = 0
    with httpx.Client(follow_redirects=True, timeout=_TIMEOUT, headers=headers) as client:
        while True:
            before = _size(part)
            try:
                fetched = _attempt(client, url, part, note, transfer, known_etag)
            except httpx.TransportError as error:
                attempts = 1 if _size(part) > before else attempts + 1
                if attempts >= _PATIENCE:
                    raise PullFailed(transfer.source, f"{_host(url)}: {str(error) or type(error).__name__}") from error
                transfer.wait(_FIRST_WAIT_S * 2 ** (attempts - 1))
                continue
            except (httpx.TooManyRedirects, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
                raise PullFailed(transfer.source, str(error)) from error
            if fetched:
                part.replace(target)
                note.unlink(missing_ok=True)
            return fetched


def _attempt(
    client: httpx.Client, url: str, part: Path, note: Path, transfer: Transfer, known_etag: str | None
) -> Fetched | None:
    have, sidecar = _size(part), _sidecar(note, url)
    asked = {"Accept-Encoding": "identity"}
    if known_etag and not have:
        asked["If-None-Match"] = known_etag
    if have and sidecar and sidecar.validator:
        asked |= {"Range": f"bytes={have}-", "If-Range": sidecar.validator}
    else:
        have = 0
    step = f"fetching {part.stem}"
    transfer.step(step, have, sidecar.total if sidecar else 0)
    with client.stream("GET", url, headers=asked) as response:
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return None
        if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            if response.headers.get("content-range") == f"bytes */{have}":  # all of it was here already
                return Fetched(response.headers.get("etag"), _sha256(response), have)
            part.unlink()
            raise httpx.RemoteProtocolError("the server has a shorter file by now")
        _expect_file(response, url, transfer.source)
        if (
            response.status_code == httpx.codes.PARTIAL_CONTENT
            and sidecar
            and sidecar.validator != _validator(response)
        ):
            part.unlink()
            raise httpx.RemoteProtocolError("the server has another file by now")
        start, total = _extent(response, have)
        with part.open("r+b" if start else "wb") as file:  # what was of another version goes before the note names this
            note.write_bytes(msgspec.json.encode(_Sidecar(url, _validator(response), total)))
            transfer.need(max(total - start, 0))
            file.seek(start)
            file.truncate()
            completed = start
            for block in response.iter_bytes():
                with transfer.writing(len(block)):
                    file.write(block)
                completed += len(block)
                transfer.step(step, completed, total)
        if total and completed < total:
            raise httpx.ReadError(f"the connection ended after {completed:,} of {total:,} bytes")
        return Fetched(response.headers.get("etag"), _sha256(response), completed)


def _expect_file(response: httpx.Response, url: str, source: str) -> None:
    code = response.status_code
    if code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        raise PullGated(
            source, f"{_host(url)} answers {code}: it wants a login or an accepted licence; fetch the file "
            "with your browser, then: reverie models pull FILE"
        )  # fmt: skip
    if code == httpx.codes.TOO_MANY_REQUESTS or response.is_server_error:
        raise httpx.ReadError(f"answers {code} {response.reason_phrase}")
    if code not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
        raise PullFailed(source, f"{_host(url)} answers {code} {response.reason_phrase}: check the address")
    if url.startswith("https:") and response.url.scheme != "https":
        raise PullFailed(source, f"{_host(url)} leads to an address without encryption, {response.url.host}")


def _extent(response: httpx.Response, have: int) -> tuple[int, int]:
    """Where the body starts in the file, and how long the whole file is (0: unknown)."""
    if response.status_code == httpx.codes.PARTIAL_CONTENT:
        told = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("content-range", ""))
        if not told or int(told[1]) != have:
            raise httpx.RemoteProtocolError("the server sent another range than asked for")
        return have, 0 if told[2] == "*" else int(told[2])
    length = response.headers.get("content-length", "")
    return 0, int(length) if length.isdecimal() and "content-encoding" not in response.headers else 0


def _validator(response: httpx.Response) -> str | None:
    """What If-Range may name: a strong ETag, else the date of the last change."""
    etag: str | None = response.headers.get("etag")
    changed: str | None = response.headers.get("last-modified")
    if "content-encoding" in response.headers:
        return None
    return etag if etag and not etag.startswith("W/") else changed


def _sha256(response: httpx.Response) -> str | None:
    """Hugging Face names a large file's sha256 in the answer that redirects to it."""
    for answer in (*response.history, response):
        told = answer.headers.get("x-linked-etag", "").strip('"').lower()
        if re.fullmatch(r"[0-9a-f]{64}", told):
            return str(told)
    return None


def _sidecar(note: Path, url: str) -> _Sidecar | None:
    try:
        sidecar = msgspec.json.decode(note.read_bytes(), type=_Sidecar)
    except (OSError, msgspec.DecodeError):
        return None
    return sidecar if sidecar.url == url else None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _host(url: str) -> str:
    return httpx.URL(url).host
