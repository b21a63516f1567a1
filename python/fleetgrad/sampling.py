"""The order of a shard's samples in an epoch: the one that the workers in Java use."""

from __future__ import annotations

import numpy as np

_MASK = (1 << 64) - 1
_GOLDEN_GAMMA = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _bits(state: int, count: int) -> np.ndarray:
    """Returns the next `count` numbers of SplitMix64 after a state (Steele, Lea and Flood, 2014)."""
    with np.errstate(over="ignore"):
        z = np.uint64(state) + np.uint64(_GOLDEN_GAMMA) * np.arange(1, count + 1, dtype=np.uint64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def order(count: int, seed: int, epoch: int) -> np.ndarray:
    """Returns the indices of `count` samples as they are trained on in an epoch.

    It depends on seed and epoch alone, so that a worker continues a shard where another one stopped.
    """
    state = _mix((_mix(seed & _MASK) + _GOLDEN_GAMMA * (epoch + 1)) & _MASK)
    bounds = np.arange(1, count + 1, dtype=np.uint64)
    draws = ((_bits(state, count) >> np.uint64(32)) * bounds) >> np.uint64(32)
    permutation = list(range(count))
    for i, j in enumerate(draws.tolist()):
        permutation[i] = permutation[j]
        permutation[j] = i
    return np.array(permutation, dtype=np.int64)
