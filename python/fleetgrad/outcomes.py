"""The outcomes of a push. The problem of a refusal has the rule, and its text has the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from fleetgrad.problems import ProblemError


@dataclass(frozen=True)
class Applied:
    """The gradient moved the parameters.

    version: the one after it.
    staleness: steps between the version that it was computed on and the one that it was applied to.
    """

    version: int
    staleness: int
    counted = True


@dataclass(frozen=True)
class Buffered:
    """The gradient waits for its step."""

    version: int
    counted = True


@dataclass(frozen=True)
class Duplicate:
    """The server had this sequence number before: it counted then, and nothing counted again.

    first: outcome of the first push.
    version: the one that the answer to the first push stated.
    """

    first: str
    version: int
    counted = True


@dataclass(frozen=True)
class Dropped:
    """The gradient came too late, or its history or its place in the work is over: pull and continue."""

    problem: ProblemError
    counted = False

    @property
    def rule(self) -> str:
        return self.problem.rule


@dataclass(frozen=True)
class Rejected:
    """The gradient is wrong, such as one with a value that is not finite: the same again would be refused again."""

    problem: ProblemError
    counted = False

    @property
    def reason(self) -> str:
        return self.problem.detail


PushOutcome = Union[Applied, Buffered, Duplicate, Dropped, Rejected]
