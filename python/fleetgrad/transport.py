"""HTTP exchanges whose time and memory are bounded, whatever the other side does."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import time
import urllib.parse
from dataclasses import dataclass
from typing import Callable, Mapping, Optional, Sequence, Union

from fleetgrad.options import ClientOptions
from fleetgrad.problems import MalformedAnswer

Bytes = Union[bytes, memoryview]

# Minimum rate of an answer after its grace period, in bytes a second: that of a line of 64 kbit/s.
FLOOR = 8 * 1024
PIECE = 1 << 16


class TooSlow(OSError):
    """An answer came too slowly. The call is retried."""


class Pace:
    """The time that an answer may take: a grace period, and then one second for each `FLOOR` bytes.

    A socket's timeout is for one read, so a byte now and then would hold a worker forever.
    """

    def __init__(self, grace: float, silence: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._grace = grace
        self._silence = silence
        self._clock = clock
        self._begin = clock()
        self._bytes = 0

    def timeout(self) -> float:
        """Returns how long the next read may take; raises if the answer is too slow."""
        passed = self._clock() - self._begin
        left = self._grace + self._bytes / FLOOR - passed
        if left <= 0:
            raise self.too_slow()
        return min(left, self._silence)

    def too_slow(self) -> TooSlow:
        passed = self._clock() - self._begin
        return TooSlow("only %d bytes came in %d s, below %d a second" % (self._bytes, passed, FLOOR))

    def count(self, received: int) -> None:
        self._bytes += received


class _PacedReader(io.RawIOBase):
    """Reads a socket at its pace. Each read of it waits for at most the time that is left."""

    def __init__(self, connected: socket.socket, pace: Pace) -> None:
        self._socket = connected
        self._pace = pace

    def readable(self) -> bool:
        return True

    def readinto(self, target) -> int:  # type: ignore[no-untyped-def]
        self._socket.settimeout(self._pace.timeout())
        try:
            received = self._socket.recv_into(target)
        except socket.timeout:
            raise self._pace.too_slow() from None
        self._pace.count(received)
        return received


class _PacedSocket:
    """What http.client needs of a socket to read an answer."""

    def __init__(self, connected: socket.socket, pace: Pace) -> None:
        self._reader = _PacedReader(connected, pace)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._reader, PIECE)


@dataclass(frozen=True)
class Answer:
    """A complete answer; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def header(self, name: str) -> str:
        return self.headers.get(name.lower(), "")


def shown(address: str) -> str:
    """Returns an address for a message: without a user before an @, and without a query, which may be a signature."""
    if "@" in address and not address.startswith(("/", ".", "file:")):
        scheme = address.partition("://")[0] + "://" if "://" in address else ""
        address = scheme + "[hidden]@" + address.rpartition("@")[2]
    return address.partition("?")[0]


class Transport:
    """One connection to one server, which is opened again when it broke. Follows no redirect. Not thread-safe."""

    def __init__(self, address: str, options: ClientOptions) -> None:
        parts = urllib.parse.urlsplit(address if "://" in address else "http://" + address)
        is_server = parts.scheme in ("http", "https") and parts.hostname and not address.startswith("unix:")
        if not is_server or parts.query or parts.fragment or "@" in parts.netloc:
            raise ValueError("the server's address must be like http://host:29500; it is '%s'" % shown(address))
        self._options = options
        self._host = str(parts.hostname)
        self._port = parts.port
        self._tls: Optional[ssl.SSLContext] = options.tls() if parts.scheme == "https" else None
        self.base = parts.path.rstrip("/")
        self.address = "%s://%s" % (parts.scheme, parts.netloc)
        self._connection: Optional[http.client.HTTPConnection] = None

    def exchange(
        self, method: str, path: str, headers: Mapping[str, str], body: Sequence[Bytes] = (), wait: float = 0.0
    ) -> Answer:
        """Sends a request and reads its answer; an OSError or HTTPException says that there is none.

        wait: seconds for which the server may be silent on purpose, as in a long poll.
        """
        reused = self._connection is not None
        try:
            return self._exchange(method, path, headers, body, wait)
        except (ConnectionError, http.client.RemoteDisconnected):
            if not reused:
                raise
        # The server had closed the idle connection. Each request may be repeated: a push has its number.
        return self._exchange(method, path, headers, body, wait)

    def _exchange(
        self, method: str, path: str, headers: Mapping[str, str], body: Sequence[Bytes], wait: float
    ) -> Answer:
        try:
            connection = self._connected()
            self._send(connection, method, path, headers, body)
            silence = self._options.read_timeout + wait
            pace = Pace(2 * self._options.read_timeout + wait, silence)
            connection.response_class = paced_response(pace)  # type: ignore[assignment]
            response = connection.getresponse()
            answer = Answer(
                response.status,
                {name.lower(): value for name, value in response.getheaders()},
                read_bounded(response, self._options.max_answer_bytes, "%s %s" % (method, path)),
            )
            if response.will_close:
                self.close()
            return answer
        except BaseException:
            self.close()
            raise

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            timeout = self._options.connect_timeout
            if self._tls is None:
                connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
            else:
                connection = http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)
            connection.connect()
            connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection = connection
        return self._connection

    def _send(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: Sequence[Bytes],
    ) -> None:
        connection.sock.settimeout(self._options.read_timeout)
        connection.putrequest(method, self.base + path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        pieces = [memoryview(each).cast("B") for each in body]
        if method != "GET":
            connection.putheader("Content-Length", str(sum(len(piece) for piece in pieces)))
        connection.endheaders()
        try:
            for piece in pieces:
                for begin in range(0, len(piece), PIECE):
                    # The timeout is for each piece: a long body may take its time on a slow line.
                    connection.send(piece[begin : begin + PIECE])
        except (BrokenPipeError, ConnectionResetError):
            # The server may have answered before the end of the body, with the reason why it reads no more of it.
            pass

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def paced_response(pace: Pace) -> Callable[..., http.client.HTTPResponse]:
    def make(connected: socket.socket, *arguments: object, **named: object) -> http.client.HTTPResponse:
        return http.client.HTTPResponse(_PacedSocket(connected, pace), *arguments, **named)  # type: ignore[arg-type]

    return make


def read_bounded(response: http.client.HTTPResponse, most: int, call: str) -> bytes:
    """Reads a body. Memory is taken for the bytes that came, never for a length that is only stated."""
    stated = response.length
    if stated is not None and stated > most:
        raise MalformedAnswer("%s: the answer states %d bytes, %d are read at most" % (call, stated, most))
    body = bytearray()
    while True:
        piece = response.read(min(PIECE, most + 1 - len(body)))
        if not piece:
            break
        body += piece
        if len(body) > most:
            raise MalformedAnswer("%s: the answer has more than the %d bytes that are read at most" % (call, most))
    if stated is not None and len(body) < stated:
        raise ConnectionError("%s: the answer ended after %d of %d bytes" % (call, len(body), stated))
    return bytes(body)
