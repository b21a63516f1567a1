"""A worker of a run."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Callable, Iterator, Mapping, Optional, Type

import numpy as np

from fleetgrad.client import Client
from fleetgrad.exchange import ParameterExchange
from fleetgrad.options import ClientOptions, Credentials
from fleetgrad.outcomes import PushOutcome
from fleetgrad.parameters import Initial, Parameters
from fleetgrad.registration import Registration
from fleetgrad.shard_source import fetch
from fleetgrad.work import Batch, WorkQueue


class Worker:
    """Joins a run as one of its workers, and leaves it at the end of a `with` block. Not thread-safe.

    server: address of the parameter server, such as `http://localhost:29500`.
    credentials: its keys, if it has any; if absent, those of FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY.
    worker: the id to register under; drawn if absent. A worker that is started again under its id continues its numbers.
    description, device: what it is, for people.
    seed: of the order of the samples; it must be that of the run's other workers. If absent, the one that the parameters
        state, which is that of `./fleetgrad train --seed`.
    initial: makes the parameters to begin with, if the run has none. Without it, the worker waits for another one's.
    deadline: when the worker stops, in seconds since the epoch: `batches` yields nothing more, and the lease ends.
    """

    def __init__(
        self,
        server: str,
        *,
        credentials: Optional[Credentials] = None,
        worker: Optional[str] = None,
        description: str = "a worker in Python",
        device: str = "cpu",
        seed: Optional[int] = None,
        initial: Optional[Callable[[], Initial]] = None,
        deadline: Optional[float] = None,
        options: ClientOptions = ClientOptions(),
    ) -> None:
        self._client = Client(server, options, credentials or Credentials.of_environment())
        self._options = options
        self._seed = seed
        self._deadline = deadline
        patience = max(options.retry_for, 1.0)
        self._registration = Registration(self._client, worker, description, device, deadline, patience)
        self._exchange = ParameterExchange(self._client, self._registration, initial, self.is_over, patience)
        self._work = WorkQueue(self._registration, lambda address: fetch(address, options), self.is_over)
        self._base: Optional[Parameters] = None

    def __enter__(self) -> "Worker":
        self._registration.begin()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        # Others continue its shard at once, and do not wait until its lease expires.
        self._registration.end()
        self._client.close()

    @property
    def id(self) -> str:
        """The id under which the server knows the worker."""
        return self._registration.worker

    @property
    def sequence(self) -> int:
        """The number of the newest gradient."""
        return self._registration.sequence

    def is_over(self) -> bool:
        """Returns whether the deadline has passed, or the run's work is paused."""
        is_late = self._deadline is not None and time.time() >= self._deadline
        return is_late or self._exchange.is_work_paused

    def pull(self) -> Parameters:
        """Returns the parameters to compute the next gradient on.

        Waits for the next version if the server takes no other gradient of this worker before it, as in a synchronous run.
        """
        self._base = self._exchange.pull()
        return self._base

    def batches(self, size: int) -> Iterator[Batch]:
        """Yields the batches of the shards that the server assigns, until the run's work is done or paused, or the deadline passes.

        A batch whose gradient was dropped comes again. Push after each batch, or after several: the gradient is then the
        mean over the samples of all of them.
        """
        if size < 1:
            raise ValueError("a batch has 1 sample or more; its size is %d" % size)
        first = self._exchange.peek()
        seed = self._seed if self._seed is not None else _seed_of(first)
        return self._work.batches(size, seed, lambda: bool(first.state))

    def push(
        self,
        gradients: Mapping[str, np.ndarray],
        *,
        loss: float,
        samples: Optional[int] = None,
        weight: Optional[float] = None,
        batches: Optional[int] = None,
    ) -> PushOutcome:
        """Pushes a gradient until it is answered; it counts once, however often it is sent.

        gradients: the mean gradient of each trainable tensor, on the parameters of the last `pull`. In place of the state, such
            as BatchNorm's running statistics, come the mean statistics of its batches.
        loss: mean loss over its samples.
        samples: how many there are; those of the batches since the last push if absent.
        weight: sum of the factors of their losses, if they do not count alike.
        batches: how many batches there were, for a network with state; if absent, those since the last push.
        """
        base = self._base
        if base is None:
            raise RuntimeError("pull before the first push: a gradient is computed on parameters")
        pending = self._work.pending
        if samples is None:
            samples = pending
        if pending and samples != pending:
            raise ValueError("the batches since the last push have %d samples, the gradient %d" % (pending, samples))
        if samples < 1:
            raise ValueError("a gradient is the mean over 1 sample or more; state samples=")
        if not np.isfinite(loss):
            raise ValueError("the loss is %s: training has diverged; try a smaller learning rate" % loss)
        stated = {"samples": str(samples), "loss": repr(float(loss))}
        place = self._work.place()
        if place is not None:
            stated["cursor"] = str(place)
        if base.state:
            stated["batches"] = str(batches or self._work.pending_batches or 1)
        if weight is not None:
            stated["lossWeight"] = repr(float(weight))
        outcome = self._exchange.push(base, gradients, stated)
        self._work.conclude(outcome)
        return outcome


def _seed_of(parameters: Parameters) -> int:
    text = parameters.metadata.get("seed", "0")
    return int(text) if text.isdecimal() and len(text) <= 10 else 0
