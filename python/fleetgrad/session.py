"""A client's keys, and the tokens that it gets for them."""

from __future__ import annotations

import json
import time
from typing import Any, Callable, Dict, Mapping, Sequence

from fleetgrad.options import Credentials
from fleetgrad.problems import MalformedAnswer, ProblemError
from fleetgrad.transport import Answer, Bytes, Transport

JSON = {"Content-Type": "application/json", "Accept": "application/json"}
# Answers that say: later.
TRANSIENT = (408, 429, 503)
# A token is renewed this much before it expires, in seconds, so that no push is refused for it.
_MOST_MARGIN = 30.0
_YEAR = 365 * 24 * 3600.0


class Session:
    """Sends requests with the token of one worker, and renews it shortly before it expires."""

    def __init__(
        self, transport: Transport, credentials: Credentials, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._transport = transport
        self._credentials = credentials
        self._clock = clock
        self._token = ""
        self._renew_at = 0.0

    def sign(self, registration: Dict[str, Any]) -> Dict[str, Any]:
        """Adds the keys to a registration, whose answer has the first token."""
        return {
            **registration,
            "accessKey": self._credentials.access_key,
            "secretKey": self._credentials.secret_key,
        }

    def store(self, reply: Mapping[str, Any]) -> None:
        """Takes a registration's token. A registration without one means that the server requires none."""
        token, lifetime = reply.get("token"), reply.get("tokenExpiresMs")
        if isinstance(token, str) and isinstance(lifetime, int):
            self._keep(token, lifetime / 1000)
        else:
            self._keep("", _YEAR)

    def exchange(
        self,
        worker: str,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: Sequence[Bytes],
        wait: float,
    ) -> Answer:
        """Sends a request with a token, and once more with a new one if the server refuses the first."""
        for is_last in (False, True):
            if self._clock() >= self._renew_at:
                self._issue(worker)
            answer = self._transport.exchange(method, path, {**headers, **self._authorization()}, body, wait)
            if answer.status != 401 or is_last:
                return answer
            # The same bytes again: a push keeps its sequence number, and counts once.
            self._renew_at = 0.0
        raise AssertionError("the loop returns")

    def _authorization(self) -> Dict[str, str]:
        return {"Authorization": "Bearer " + self._token} if self._token else {}

    def _keep(self, token: str, lifetime: float) -> None:
        self._token = token
        self._renew_at = self._clock() + lifetime - min(lifetime / 4, _MOST_MARGIN)

    def _issue(self, worker: str) -> None:
        request = self.sign({"worker": worker} if worker else {})
        # The token before this one, expired or not, proves that the worker is the same.
        headers = {**JSON, **(self._authorization() if worker else {})}
        answer = self._transport.exchange("POST", "/issueToken", headers, [json.dumps(request).encode()])
        if answer.status == 200:
            reply = message("POST /issueToken", answer, {"token": str, "expiresMs": int})
            self._keep(reply["token"], reply["expiresMs"] / 1000)
            return
        if answer.status in TRANSIENT:
            raise ConnectionError("POST /issueToken answers %d" % answer.status)
        refused = problem("POST /issueToken", answer)
        if refused.rule != "security-off":
            raise refused
        self._keep("", _YEAR)


def problem(call: str, answer: Answer) -> ProblemError:
    """Decodes a refusal; any other body becomes its detail, so that the user sees a proxy's error page."""
    try:
        read = json.loads(answer.body)
        if isinstance(read, dict) and "type" in read:
            return ProblemError(call, answer.status, read)
    except (ValueError, RecursionError):
        pass
    text = answer.body[:800].decode("utf-8", "replace").strip()
    return ProblemError(call, answer.status, {"detail": (text[:200] + "…" if len(text) > 200 else text) or "no body"})


def message(call: str, answer: Answer, members: Mapping[str, type]) -> Dict[str, Any]:
    """Decodes a JSON answer, which has these members; one that is not successful is a `ProblemError`."""
    if answer.status // 100 != 2:
        raise problem(call, answer)
    try:
        read = json.loads(answer.body)
    except (ValueError, RecursionError) as malformed:
        raise MalformedAnswer("%s answered something other than JSON: %s" % (call, malformed)) from malformed
    if not isinstance(read, dict):
        raise MalformedAnswer("%s answered JSON that is no object" % call)
    return checked(call, read, members)


def checked(call: str, read: Dict[str, Any], members: Mapping[str, type]) -> Dict[str, Any]:
    """Returns an answer that has these members; another one is a `MalformedAnswer`."""
    for name, kind in members.items():
        value = read.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise MalformedAnswer("%s answered '%s' for the member '%s'" % (call, str(value)[:200], name))
    return read
