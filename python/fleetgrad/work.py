"""The work of a run: shards that the server assigns, and the place in each that the worker's gradients have reached."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

import numpy as np

from fleetgrad.outcomes import PushOutcome, Rejected
from fleetgrad.problems import ShardError
from fleetgrad.registration import Registration
from fleetgrad.retry import Backoff
from fleetgrad.sampling import order
from fleetgrad.shards import Shard

# Seconds; short, so that a worker learns that the work is done while the server is still there to tell it.
_LONGEST_WAIT = 0.5


@dataclass(frozen=True)
class Batch:
    """Samples of a shard, in the order in which every worker of the run would take them.

    indices: their places in the shard.
    is_last: whether they are the last of the shard: push after it.
    """

    shard: Shard
    epoch: int
    indices: np.ndarray
    is_last: bool

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, name: str) -> np.ndarray:
        """Returns the rows of a tensor of the shard: `images`, `labels`, `values`, `targets`, `weights` or `tokens`."""
        rows: np.ndarray = self.shard.tensors[name][self.indices]
        return rows

    @property
    def images(self) -> np.ndarray:
        """Images as float32 [n, channels, height, width], normalized as torchvision's ToTensor and Normalize do."""
        scaling = self.shard.description["normalization"]
        mean = np.array(scaling["mean"], dtype=np.float32).reshape(1, -1, 1, 1)
        std = np.array(scaling["std"], dtype=np.float32).reshape(1, -1, 1, 1)
        return (self["images"].astype(np.float32) / np.float32(255) - mean) / std

    @property
    def labels(self) -> np.ndarray:
        """Classes as int64 [n]."""
        return self["labels"].astype(np.int64)


@dataclass(frozen=True)
class Cursor:
    """A place in the work: the number of a shard's samples that are done in an epoch."""

    epoch: int
    shard: int
    sample: int

    def plus(self, samples: int) -> "Cursor":
        return Cursor(self.epoch, self.shard, self.sample + samples)

    def __str__(self) -> str:
        return "%d/%d/%d" % (self.epoch, self.shard, self.sample)


class WorkQueue:
    """Goes through the shards, and computes the samples of a dropped gradient again, so that each sample counts once."""

    def __init__(
        self,
        registration: Registration,
        fetch: Callable[[str], Shard],
        is_over: Callable[[], bool],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._registration = registration
        self._fetch = fetch
        self._is_over = is_over
        self._sleep = sleep
        self._reached: Optional[Cursor] = None
        self._pending = 0
        self._batches = 0
        self._outcome: Optional[PushOutcome] = None
        self._held: Optional[Tuple[int, str, Shard]] = None

    @property
    def pending(self) -> int:
        """Samples of the batches since the last push."""
        return self._pending

    @property
    def pending_batches(self) -> int:
        return self._batches

    def place(self) -> Optional[Cursor]:
        """Returns the place after the pending samples; None outside of the run's work."""
        return self._reached.plus(self._pending) if self._reached is not None and self._pending else None

    def conclude(self, outcome: PushOutcome) -> None:
        """Takes the outcome of the push of the pending samples."""
        if self._reached is not None and outcome.counted:
            self._reached = self._reached.plus(self._pending)
        self._pending = 0
        self._batches = 0
        self._outcome = outcome

    def batches(self, size: int, seed: int, has_state: Callable[[], bool]) -> Iterator[Batch]:
        """Yields batches until the work is done, or it is over."""
        backoff = Backoff(longest=_LONGEST_WAIT)
        while not self._is_over():
            reply = self._registration.next_shard()
            if reply["state"] == "done":
                break
            if reply["state"] != "shard":
                # Nobody may wait for this worker while it has nothing to push.
                self._registration.end()
                self._sleep(backoff.next())
                continue
            backoff = Backoff(longest=_LONGEST_WAIT)
            yield from self._pass(reply, size, seed, has_state)
        self._registration.end()

    def _pass(self, reply: Dict[str, Any], size: int, seed: int, has_state: Callable[[], bool]) -> Iterator[Batch]:
        shard = self._shard(reply)
        cursor = Cursor(reply["epoch"], reply["shard"], reply["sample"])
        indices = order(shard.samples, seed, cursor.epoch)
        self._reached, self._pending, self._batches = cursor, 0, 0
        at = cursor.sample
        while at < shard.samples and not self._is_over():
            count = _batch_of(shard.samples - at, size, has_state())
            self._outcome = None
            self._pending += count
            self._batches += 1
            is_last = at + count == shard.samples
            yield Batch(shard, cursor.epoch, indices[at : at + count], is_last)
            outcome = self._outcome
            at += count
            if isinstance(outcome, Rejected):
                # The same samples would make the same gradient.
                raise outcome.problem
            if outcome is not None and not outcome.counted:
                if getattr(outcome, "rule", "") == "other-cursor":
                    break
                at = self._reached.sample
            if at == shard.samples and self._pending:
                raise RuntimeError(
                    "the shard ended and its last %d samples were not pushed: push after the batch whose is_last is true"
                    % self._pending
                )
        self._reached, self._pending, self._batches = None, 0, 0

    def _shard(self, reply: Dict[str, Any]) -> Shard:
        # Shards that are added to the work have the same index in turn, so the name tells them, too.
        if self._held is not None and self._held[:2] == (reply["shard"], reply["name"]):
            return self._held[2]
        # Drop the old shard before the new one is read.
        self._held = None
        shard = self._fetch(reply["url"])
        if shard.samples != reply["samples"]:
            raise ShardError(
                "the shard '%s' has %d samples, the run's work states %d: another dataset lies there"
                % (reply["name"], shard.samples, reply["samples"])
            )
        self._held = (reply["shard"], reply["name"], shard)
        return shard


def _batch_of(left: int, size: int, has_state: bool) -> int:
    """A network with state never gets a last batch of one sample, which has no variance: the one before it has one less."""
    full = min(size, left)
    return full - 1 if has_state and left - full == 1 and full > 2 else full
