"""A worker's registration: its id, the sequence number of its gradients, and the server's terms."""

from __future__ import annotations

import os
import socket
import re
import time
import uuid
from typing import Any, Callable, Dict, Mapping, Optional, Union

from fleetgrad.client import Client
from fleetgrad.problems import FleetgradError, ProblemError, ServerUnavailable
from fleetgrad.retry import Backoff

_FORM = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class Registration:
    """It outlives a lease: a worker whose lease expired registers again under its id, and its numbers go on."""

    def __init__(
        self,
        client: Client,
        wanted: Optional[str],
        description: str,
        device: str,
        deadline: Optional[float],
        patience: float,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.worker = wanted or _drawn_id()
        if not _FORM.fullmatch(self.worker):
            raise ValueError("a worker's id has 1 to 128 letters, digits and . _ : -; it is '%s'" % self.worker)
        self.sequence = 0
        self.terms: Mapping[str, Any] = {}
        self._client = client
        self._description = description
        self._device = device
        self._deadline = deadline
        self._patience = patience
        self._sleep = sleep
        # If the answer to a registration is lost, the next one takes its place at once.
        self._activation = uuid.uuid4().hex
        self._is_registered = False

    def begin(self) -> None:
        """Registers. Waits while another worker has the id: one that was killed has it until its lease expires."""
        begin = time.monotonic()
        backoff = Backoff()
        while True:
            try:
                self._register()
                return
            except ProblemError as refused:
                pause = backoff.next()
                if refused.rule != "worker-exists" or time.monotonic() + pause - begin > self._patience:
                    raise
                self._sleep(pause)

    def renew(self) -> None:
        """Registers again, after the lease expired or the server lost its state."""
        self._is_registered = False
        self.begin()

    def end(self) -> None:
        """Ends the registration. If the request does not reach the server, the lease expires by itself."""
        if not self._is_registered:
            return
        self._is_registered = False
        try:
            self._client.unregister(self.worker)
        except ServerUnavailable:
            # Every push still counts; a lost request is no reason to fail.
            pass
        except ProblemError as refused:
            if refused.rule != "unknown-worker":
                raise

    def next_shard(self) -> Dict[str, Any]:
        """Asks for a shard; registers first if the worker is not registered, or no longer."""
        if not self._is_registered:
            self.begin()
        while True:
            try:
                return self._client.next_shard(self.worker)
            except ProblemError as refused:
                if refused.rule == "no-work":
                    return {"state": "wait"}
                if refused.rule != "unknown-worker":
                    raise
                self.renew()

    @property
    def freezes(self) -> str:
        """Patterns of the tensors that the run freezes; empty if none."""
        return str(self.terms.get("freeze", ""))

    @property
    def momentum(self) -> float:
        """Momentum that the worker applies to its gradients before it pushes them; 0 for none."""
        return float(self.terms.get("workerMomentum", 0.0))

    def _register(self) -> None:
        request: Dict[str, Union[str, int]] = {
            "id": self.worker,
            "description": self._description,
            "device": self._device,
            "activation": self._activation,
        }
        if self._deadline is not None:
            request["deadline"] = int(self._deadline * 1000)
        reply = self._client.register(request)
        if self.terms and str(reply.get("freeze", "")) != self.freezes:
            raise FleetgradError(
                "the server freezes '%s' now, and this worker began when it froze '%s': start the worker again"
                % (reply.get("freeze", ""), self.freezes)
            )
        if reply.get("localSteps"):
            self._client.unregister(reply["id"])
            raise FleetgradError(
                "the run makes %d local steps between two pushes, and this worker pushes gradients: start the run with"
                " --local-steps 1, or train with the workers in Java" % reply["localSteps"]["steps"]
            )
        self.worker = reply["id"]
        # A new worker continues from the number that the server stores for its id; a number being retried stays.
        self.sequence = max(self.sequence, reply["sequence"])
        self.terms = reply
        self._is_registered = True


def _drawn_id() -> str:
    host = re.sub(r"[^A-Za-z0-9._-]", "-", socket.gethostname())[:64]
    return "python-%s-%d-%s" % (host, os.getpid(), uuid.uuid4().hex[:8])
