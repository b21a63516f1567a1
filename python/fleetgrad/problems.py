"""What may go wrong beyond the expected outcomes: each is an exception whose text names the call, the rule and the numbers."""

from __future__ import annotations

from typing import Any, Mapping


class FleetgradError(Exception):
    """The base of all errors of this package."""


class ServerUnavailable(FleetgradError):
    """The server stayed unreachable or busy for as long as a call is retried."""


class MalformedAnswer(FleetgradError):
    """The server answered something that the contract does not allow, or more than is read into memory."""


class ShardError(FleetgradError):
    """A shard cannot be fetched or read; the text says which one and why, without the secrets of its address."""


class ProblemError(FleetgradError):
    """The server refused a call with a problem (RFC 9457).

    `rule` is the last part of the problem's type, such as `unknown-worker`; `numbers` are its members beyond the usual ones.
    """

    def __init__(self, call: str, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.title = str(problem.get("title", "HTTP status %d" % status))
        self.detail = str(problem.get("detail", ""))
        self.rule = str(problem.get("type", "")).rpartition(":")[2]
        usual = ("type", "title", "status", "code", "detail", "instance")
        self.numbers = {key: value for key, value in problem.items() if key not in usual}
        super().__init__("%s was refused with %d %s: %s" % (call, status, self.title, self.detail))
