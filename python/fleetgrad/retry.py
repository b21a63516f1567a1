"""Pauses between attempts."""

from __future__ import annotations

import random


class Backoff:
    """Pauses that double from `first` to `longest` seconds.

    Each is drawn from its upper half, so that workers that were refused together do not retry together.
    """

    def __init__(self, first: float = 0.05, longest: float = 2.0) -> None:
        self._longest = longest
        self._next = first

    def next(self) -> float:
        pause = self._next
        self._next = min(2 * pause, self._longest)
        return pause / 2 + random.random() * pause / 2
