"""Parameter sets and gradients, and their safetensors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Iterator, List, Mapping, Tuple

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load

from fleetgrad.problems import MalformedAnswer

SAFETENSORS = "application/vnd.safetensors"


@dataclass(frozen=True)
class Version:
    """A number of steps, valid within its generation."""

    generation: str
    version: int

    def etag(self, suffix: str = "") -> str:
        return '"%s-%d%s"' % (self.generation, self.version, suffix)


class Parameters(Mapping[str, np.ndarray]):
    """A parameter set: float32 tensors by name, and their version. A gradient has those in `trainable`."""

    def __init__(
        self,
        tensors: Mapping[str, np.ndarray],
        metadata: Mapping[str, str],
        trainable: Tuple[str, ...],
    ) -> None:
        self._tensors = dict(tensors)
        self.metadata = dict(metadata)
        self.trainable = trainable
        self.at = Version(self.metadata["generation"], int(self.metadata["version"]))

    @property
    def version(self) -> int:
        """Number of steps applied to the set."""
        return self.at.version

    @property
    def generation(self) -> str:
        """The history in which the version counts."""
        return self.at.generation

    @property
    def state(self) -> Tuple[str, ...]:
        """Names of the tensors that no optimizer steps, such as BatchNorm's running statistics."""
        lines = self.metadata.get("state", "").splitlines()
        named = {line.partition(" ")[2] for line in lines}
        return tuple(name for name in self.trainable if name in named)

    def shapes(self) -> Dict[str, Tuple[int, ...]]:
        return {name: values.shape for name, values in self._tensors.items()}

    def with_frozen_of(self, complete: "Parameters") -> "Parameters":
        """Returns this version, which came without frozen tensors, with those of a complete set of its generation."""
        return Parameters({**complete._tensors, **self._tensors}, self.metadata, self.trainable)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._tensors[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def __repr__(self) -> str:
        return "Parameters(version=%d, generation=%s, tensors=%d)" % (self.version, self.generation, len(self))


@dataclass(frozen=True)
class Initial:
    """The parameters with which a run begins, if the server has none yet.

    metadata: what every version states; `network` names the network for programs in Java, such as `lenet5`.
    """

    tensors: Mapping[str, np.ndarray]
    metadata: Mapping[str, str]


def decode(call: str, body: bytes) -> Parameters:
    """Reads a parameter set from an answer."""
    try:
        tensors = load(body)
        metadata = json.loads(body[8 : 8 + int.from_bytes(body[:8], "little")]).get("__metadata__", {})
    except (SafetensorError, ValueError, KeyError, RecursionError) as malformed:
        raise MalformedAnswer("%s answered a malformed parameter set: %s" % (call, malformed)) from malformed
    if not metadata.get("generation") or not metadata.get("version", "").isdecimal() or len(metadata["version"]) > 18:
        raise MalformedAnswer("%s answered a parameter set without generation and version" % call)
    if metadata.get("encoding", "f32") != "f32":
        raise MalformedAnswer("%s answered parameters as %s; f32 was asked for" % (call, metadata["encoding"]))
    for name, values in tensors.items():
        if values.dtype != np.float32:
            raise MalformedAnswer("%s answered '%s' as %s; parameters are float32" % (call, name, values.dtype))
    return Parameters(tensors, metadata, tuple(sorted(tensors)))


def encode(tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> List[memoryview]:
    """Returns a safetensors file in pieces: the header, and the values of each tensor, which are not copied."""
    header: Dict[str, object] = {"__metadata__": dict(metadata)}
    pieces: List[memoryview] = []
    end = 0
    for name in sorted(tensors):
        values = np.ascontiguousarray(tensors[name], dtype="<f4")
        begin, end = end, end + values.nbytes
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [begin, end]}
        if values.nbytes:
            pieces.append(values.reshape(-1).data.cast("B"))
    text = json.dumps(header).encode("utf-8")
    text += b" " * (-len(text) % 8)
    return [memoryview(len(text).to_bytes(8, "little") + text), *pieces]
