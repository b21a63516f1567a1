"""A client of one parameter server: each call blocks until its answer, and is retried while the server is away.

This is safe because reads change nothing, and a push counts once under its sequence number.
"""

from __future__ import annotations

import http.client
import json
import ssl
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from fleetgrad.options import ClientOptions, Credentials
from fleetgrad.parameters import SAFETENSORS, Initial, Parameters, Version, decode, encode
from fleetgrad.problems import ServerUnavailable
from fleetgrad.retry import Backoff
from fleetgrad.session import JSON, TRANSIENT, Session, checked, message, problem
from fleetgrad.transport import Answer, Bytes, Transport

# Bounds of the pause that a server asks for with Retry-After.
_PAUSES = (0.05, 2.0)


class Client:
    """Calls in the name of one worker, once it is registered: each renews its lease. Not thread-safe."""

    def __init__(
        self,
        server: str,
        options: ClientOptions,
        credentials: Optional[Credentials],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._transport = Transport(server, options)
        self._session = Session(self._transport, credentials) if credentials else None
        self._retry_for = options.retry_for
        self._sleep = sleep
        self._worker = ""

    @property
    def address(self) -> str:
        return self._transport.address

    def register(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """Registers a worker, whose id the later calls present."""
        signed = self._session.sign(request) if self._session else request
        # With keys and without a token: this call returns the token.
        answer = self._send("POST", "/registerWorker", JSON, [json.dumps(signed).encode()], use_token=False)
        members = {"id": str, "generation": str, "sequence": int, "leaseMs": int, "synchronous": bool}
        reply = message("POST /registerWorker", answer, members)
        if self._session:
            self._session.store(reply)
        self._worker = reply["id"]
        return reply

    def unregister(self, worker: str) -> None:
        self._post("/unregisterWorker", {"id": worker}, {})

    def next_shard(self, worker: str) -> Dict[str, Any]:
        """Asks for the next shard to train on."""
        reply = self._post("/nextShard", {"worker": worker}, {"state": str})
        if reply["state"] == "shard":
            members = {"epoch": int, "shard": int, "sample": int, "samples": int, "url": str, "name": str}
            return checked("POST /nextShard", reply, members)
        return reply

    def pull(
        self, known: Optional[Version] = None, wait: float = 0.0, omit_frozen: bool = False
    ) -> Union[Parameters, None, "NoParameters"]:
        """Pulls the newest parameter set; None if it is the known one.

        wait: seconds to wait for another one than that.
        """
        query = ["frozen=omit"] if omit_frozen else []
        headers = {"Accept": SAFETENSORS}
        if known is not None:
            headers["If-None-Match"] = known.etag("-trainable" if omit_frozen else "")
            if wait:
                query += ["after=%d" % known.version, "waitMs=%d" % int(wait * 1000)]
        answer = self._send("GET", "/getParameter" + _query(query), headers, wait=wait)
        if answer.status == 304:
            return None
        if answer.status == 404:
            refused = problem("GET /getParameter", answer)
            if refused.rule == "no-parameters":
                return NoParameters()
            raise refused
        if answer.status != 200:
            raise problem("GET /getParameter", answer)
        return decode("GET /getParameter", answer.body)

    def put_initial(self, initial: Initial) -> None:
        """Puts parameters to begin with, unless the server has some already."""
        headers = {"Content-Type": SAFETENSORS, "If-None-Match": "*"}
        answer = self._send("PUT", "/putParameter", headers, encode(initial.tensors, initial.metadata))
        if answer.status not in (201, 412):
            raise problem("PUT /putParameter", answer)

    def push(self, gradient: Sequence[Bytes], omit_frozen: bool = False) -> Answer:
        """Pushes a gradient, and asks for the newest parameters in the same round trip."""
        query = ["pull=true"] + (["frozen=omit"] if omit_frozen else [])
        return self._send("POST", "/putGradient" + _query(query), {"Content-Type": SAFETENSORS}, gradient)

    def close(self) -> None:
        self._transport.close()

    def _post(self, path: str, request: Mapping[str, Any], members: Mapping[str, type]) -> Dict[str, Any]:
        return message("POST " + path, self._send("POST", path, JSON, [json.dumps(request).encode()]), members)

    def _send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: Sequence[Bytes] = (),
        wait: float = 0.0,
        use_token: bool = True,
    ) -> Answer:
        """Sends a request until the answer is something other than 408, 429 and 503."""
        named = {**headers, "X-Worker": self._worker} if self._worker else headers
        begin = time.monotonic()
        backoff = Backoff()
        tries = 0
        while True:
            tries += 1
            pause = backoff.next()
            cause: Optional[BaseException] = None
            try:
                if self._session and use_token:
                    answer = self._session.exchange(self._worker, method, path, named, body, wait)
                else:
                    answer = self._transport.exchange(method, path, named, body, wait)
                if answer.status not in TRANSIENT:
                    return answer
                failure = "it answers %d" % answer.status
                pause = _asked_pause(answer) or pause
            except ssl.SSLCertVerificationError:
                raise
            except (OSError, http.client.HTTPException) as unreachable:
                failure, cause = "%s: %s" % (type(unreachable).__name__, unreachable), unreachable
            passed = time.monotonic() - begin
            if passed + pause > self._retry_for:
                raise ServerUnavailable(
                    "%s %s%s failed at try %d, after %.1f s: %s"
                    % (method, self.address, path, tries, passed, failure)
                ) from cause
            self._sleep(pause)


class NoParameters:
    """The server has no parameter set yet."""


def _query(parts: List[str]) -> str:
    return "?" + "&".join(parts) if parts else ""


def _asked_pause(answer: Answer) -> Optional[float]:
    """Reads the pause that the server asks for, within bounds: "0" does not allow retries without a pause."""
    asked = answer.header("Retry-After")
    if not asked.isdecimal() or len(asked) > 4:
        return None
    least, most = _PAUSES
    return min(max(float(asked), least), most)
