"""A worker's exchange with the server: it pulls the newest parameters and pushes each gradient."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Mapping, Optional

import numpy as np

from fleetgrad.client import Client, NoParameters
from fleetgrad.outcomes import Applied, Buffered, Dropped, Duplicate, PushOutcome, Rejected
from fleetgrad.parameters import SAFETENSORS, Initial, Parameters, decode, encode
from fleetgrad.problems import FleetgradError, MalformedAnswer
from fleetgrad.registration import Registration
from fleetgrad.retry import Backoff
from fleetgrad.session import message, problem
from fleetgrad.transport import Answer

# Seconds; short, because the worker checks its deadline between two polls.
_LONG_POLL = 0.5
_PUSH = "POST /putGradient"


class ParameterExchange:
    """A push keeps its sequence number through retries and a new registration, so it counts once however often it is sent.

    If the server lost its history, the worker puts back the parameters that it pulled last.
    """

    def __init__(
        self,
        client: Client,
        registration: Registration,
        initial: Optional[Callable[[], Initial]],
        is_over: Callable[[], bool],
        patience: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._registration = registration
        self._initial = initial
        self._is_over = is_over
        self._patience = patience
        self._sleep = sleep
        self._newest: Optional[Parameters] = None
        self._is_fresh = False
        self._awaits_other = False
        self._is_ahead = False
        self.is_work_paused = False
        self._momenta: Dict[str, np.ndarray] = {}

    def peek(self) -> Parameters:
        """Returns parameters without using them up: the next pull returns them, too."""
        parameters = self.pull()
        self._is_fresh = True
        return parameters

    def pull(self) -> Parameters:
        """Returns the parameters to compute the next gradient on: those of the last push's answer, or the newest.

        Waits for the next version if the server takes no other gradient of this worker before it.
        """
        if self._is_fresh and self._newest is not None:
            self._is_fresh = False
            return self._newest
        backoff = Backoff()
        begin = time.monotonic()
        while True:
            newest = self._newest
            waits = self._awaits_other or self._is_ahead
            wait = _LONG_POLL if waits and newest is not None else 0.0
            # There may never be a newer version: if the slowest worker has left since, all others may have been refused.
            self._is_ahead = False
            pulled = self._pull(newest, wait)
            if isinstance(pulled, Parameters):
                return self._keep(pulled)
            if isinstance(pulled, NoParameters):
                self._put_back(newest, backoff.next(), begin)
                continue
            if newest is None:
                raise MalformedAnswer("GET /getParameter answered 304 to a pull without a condition")
            if not self._awaits_other or self._is_over():
                return newest

    def _pull(self, newest: Optional[Parameters], wait: float) -> object:
        if not self._registration.freezes:
            return self._client.pull(newest.at if newest else None, wait)
        if newest is not None:
            pulled = self._client.pull(newest.at, wait, omit_frozen=True)
            if not isinstance(pulled, Parameters) or pulled.generation == newest.generation:
                return pulled.with_frozen_of(newest) if isinstance(pulled, Parameters) else pulled
        # Of a new generation the frozen tensors may be others.
        complete = self._client.pull()
        trainable = self._client.pull(omit_frozen=True)
        if not isinstance(complete, Parameters) or not isinstance(trainable, Parameters):
            return NoParameters()
        if complete.generation != trainable.generation:
            return self._pull(None, 0.0)
        return trainable.with_frozen_of(complete)

    def _put_back(self, newest: Optional[Parameters], pause: float, begin: float) -> None:
        if newest is not None:
            own = ("generation", "version")
            metadata = {key: value for key, value in newest.metadata.items() if key not in own}
            self._client.put_initial(Initial(newest, metadata))
        elif self._initial is not None:
            self._client.put_initial(self._initial())
        elif time.monotonic() + pause - begin > self._patience:
            raise FleetgradError(
                "%s has no parameters after %.0f s, and this worker has none to begin with: start a worker that has, or "
                "state initial=" % (self._client.address, self._patience)
            )
        else:
            self._sleep(pause)

    def _keep(self, pulled: Parameters) -> Parameters:
        partition = pulled.metadata.get("partition")
        if partition is not None:
            raise FleetgradError(
                "the server has partition %s of the parameters alone: workers in Python train with one server" % partition
            )
        if self._newest is not None and pulled.shapes() != self._newest.shapes():
            raise MalformedAnswer(
                "the server answered other tensors than before: %s" % _difference(self._newest, pulled)
            )
        self._newest = pulled
        self._awaits_other = False
        return pulled

    def push(
        self,
        base: Parameters,
        gradients: Mapping[str, np.ndarray],
        stated: Mapping[str, str],
    ) -> PushOutcome:
        """Pushes a gradient until it is answered.

        base: the parameters that it was computed on.
        stated: its further metadata: samples, loss, and what else is known.
        """
        tensors = _checked(base, gradients)
        registration = self._registration
        registration.sequence += 1
        tensors = self._with_momentum(base, tensors)
        while True:
            metadata = {
                "worker": registration.worker,
                "sequence": str(registration.sequence),
                "generation": base.generation,
                "baseVersion": str(base.version),
                **stated,
            }
            answer = self._client.push(encode(tensors, metadata), omit_frozen=bool(registration.freezes))
            if answer.status == 409 and problem(_PUSH, answer).rule == "unknown-worker":
                # The lease expired, or the server started anew: the same gradient again, under the same number.
                registration.renew()
                continue
            return self._conclude(base, answer)

    def _with_momentum(self, base: Parameters, tensors: Dict[str, np.ndarray]) -> Dict[str, np.ndarray]:
        """Applies the momentum that the server leaves to its workers, once for each gradient, however often it is sent."""
        momentum = np.float32(self._registration.momentum)
        if momentum == 0:
            return tensors
        ahead = dict(tensors)
        for name in set(tensors) - set(base.state):
            buffer = self._momenta.get(name, np.zeros_like(tensors[name])) * momentum + tensors[name]
            self._momenta[name] = buffer
            ahead[name] = tensors[name] + momentum * buffer
        return ahead

    def _conclude(self, base: Parameters, answer: Answer) -> PushOutcome:
        self._is_fresh = False
        if answer.status in (200, 202):
            self.is_work_paused = answer.header("X-Work") == "paused"
            return self._accepted(base, answer)
        refused = problem(_PUSH, answer)
        if answer.status == 409:
            self._is_ahead = refused.rule == "too-far-ahead"
            return Dropped(refused)
        if answer.status in (400, 413, 415, 422):
            return Rejected(refused)
        raise refused

    def _accepted(self, base: Parameters, answer: Answer) -> PushOutcome:
        if answer.header("Content-Type").startswith(SAFETENSORS):
            pulled = decode(_PUSH, answer.body)
            if self._registration.freezes:
                if self._newest is None or pulled.generation != self._newest.generation:
                    self._newest = None
                else:
                    self._keep(pulled.with_frozen_of(self._newest))
                    self._is_fresh = True
            else:
                self._keep(pulled)
                self._is_fresh = True
            version = _number(answer, "X-Version")
            outcome = answer.header("X-Outcome")
            if outcome == "applied":
                return Applied(version, _number(answer, "X-Staleness"))
            if outcome == "duplicate":
                return Duplicate("applied", version)
            raise MalformedAnswer("%s answered the unknown outcome '%s'" % (_PUSH, outcome))
        members = {"outcome": str, "version": int, "staleness": int, "awaitNext": bool}
        reply: Dict[str, Any] = message(_PUSH, answer, members)
        outcome = reply["outcome"]
        self._newest = base
        self._awaits_other = reply["awaitNext"] or outcome == "applied"
        # Without another version to wait for, the next gradient may be of the same one.
        self._is_fresh = outcome == "buffered" and not self._awaits_other
        if outcome == "applied":
            return Applied(reply["version"], reply["staleness"])
        if outcome == "buffered":
            return Buffered(reply["version"])
        if outcome == "duplicate":
            return Duplicate(str(reply.get("first", "")), reply["version"])
        raise MalformedAnswer("%s answered the unknown outcome '%s'" % (_PUSH, outcome))


def _checked(base: Parameters, gradients: Mapping[str, np.ndarray]) -> Dict[str, np.ndarray]:
    """Returns a gradient's tensors; raises ValueError if they are not those of the trainable parameters."""
    missing = sorted(set(base.trainable) - set(gradients))
    more = sorted(set(gradients) - set(base.trainable))
    if missing or more:
        raise ValueError(
            "a gradient has the %d trainable tensors of the parameters; missing: %s; not among them: %s"
            % (len(base.trainable), ", ".join(missing) or "none", ", ".join(more) or "none")
        )
    tensors: Dict[str, np.ndarray] = {}
    for name in base.trainable:
        values = np.asarray(gradients[name])
        if values.shape != base[name].shape:
            raise ValueError(
                "the gradient of '%s' has the shape %s, the parameter %s" % (name, values.shape, base[name].shape)
            )
        tensors[name] = values.astype(np.float32, copy=False)
    return tensors


def _difference(before: Parameters, now: Parameters) -> str:
    shapes, others = before.shapes(), now.shapes()
    for name in sorted({*shapes, *others}):
        if shapes.get(name) != others.get(name):
            return "'%s' had the shape %s, and has %s" % (name, shapes.get(name), others.get(name))
    return "none"


def _number(answer: Answer, header: str) -> int:
    value = answer.header(header)
    if not value.isdecimal() or len(value) > 18:
        raise MalformedAnswer("%s answered '%s' for the header %s" % (_PUSH, value[:200], header))
    return int(value)
