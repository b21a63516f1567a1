"""Fetches the shards that the server assigns: from a file, or over http and https, as from a presigned address."""

from __future__ import annotations

import http.client
import io
import os
import urllib.parse
import urllib.request
from typing import BinaryIO

from fleetgrad.options import ClientOptions
from fleetgrad.problems import ShardError
from fleetgrad.shards import Shard, ShardLimits, read
from fleetgrad.transport import Pace, paced_response, shown


def fetch(address: str, options: ClientOptions = ClientOptions(), limits: ShardLimits = ShardLimits()) -> Shard:
    """Fetches and checks a shard. Messages never have the user and the query of the address, which in a presigned one is a secret."""
    source = shown(address)
    try:
        with _open(address, options) as stream:
            return read(stream, source, limits)
    except (OSError, http.client.HTTPException, ValueError) as unreachable:
        reason = shown(str(unreachable))
        raise ShardError("%s could not be read: %s %s" % (source, type(unreachable).__name__, reason)) from None


def _open(address: str, options: ClientOptions) -> BinaryIO:
    parts = urllib.parse.urlsplit(address)
    if parts.scheme == "":
        return _open_file(parts.path)
    if parts.scheme == "file":
        if parts.netloc not in ("", "localhost"):
            raise ValueError("a file's address has no host; this has '%s'" % parts.netloc)
        return _open_file(urllib.request.url2pathname(parts.path))
    if parts.scheme in ("http", "https"):
        return _Download(parts, options)  # type: ignore[return-value]
    raise ValueError("only http, https and file are read, not %s" % parts.scheme)


def _open_file(path: str) -> BinaryIO:
    # Opening a pipe would wait for ever, and a device may have no end.
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError("it is a folder, a pipe or a device, and not a file")
    return open(path, "rb")


class _Download(io.RawIOBase):
    """The body of an answer as a stream that is read at its pace, and never further than its stated length."""

    def __init__(self, parts: urllib.parse.SplitResult, options: ClientOptions) -> None:
        if not parts.hostname:
            raise ValueError("the address has no host")
        if parts.scheme == "https":
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=options.connect_timeout, context=options.tls()
            )
        else:
            self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=options.connect_timeout)
        try:
            self._connection.connect()
            self._connection.sock.settimeout(options.read_timeout)
            pace = Pace(2 * options.read_timeout, options.read_timeout)
            self._connection.response_class = paced_response(pace)  # type: ignore[assignment]
            path = (parts.path or "/") + ("?" + parts.query if parts.query else "")
            self._connection.request("GET", path)
            self._response = self._connection.getresponse()
            if self._response.status != 200:
                raise OSError("the store answered %d" % self._response.status)
        except BaseException:
            self._connection.close()
            raise
        self._stated = self._response.length
        self._received = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self._response.read(size if size >= 0 else 1 << 16)
        self._received += len(piece)
        if not piece and self._stated is not None and self._received < self._stated:
            raise ConnectionError("the store's answer ended after %d of %d bytes" % (self._received, self._stated))
        return piece

    def close(self) -> None:
        self._connection.close()
        super().close()
