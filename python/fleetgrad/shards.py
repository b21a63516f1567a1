"""Shards: tar.gz files of `dataset.json` and `data.safetensors`, read in memory within limits.

Nothing is extracted, and no name in an archive becomes a path.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import zlib
from dataclasses import dataclass
from typing import Any, BinaryIO, Dict, Mapping, Tuple, cast

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load

from fleetgrad.problems import ShardError

DESCRIPTION = "dataset.json"
DATA = "data.safetensors"
TOKENIZER = "tokenizer.json"

# Bytes that tar may add around an entry, with what is read ahead.
_OVERHEAD = 1 << 20
_LABELS = (np.uint8, np.int64)


@dataclass(frozen=True)
class ShardLimits:
    """The largest entries, in bytes after decompression."""

    description: int = 4 << 20
    data: int = 512 << 20
    tokenizer: int = 48 << 20

    def of(self, name: str) -> int:
        """Returns the limit of an entry; 0 for one that a shard does not have."""
        return {DESCRIPTION: self.description, DATA: self.data, TOKENIZER: self.tokenizer}.get(name, 0)


@dataclass(frozen=True)
class Shard:
    """The samples of a shard.

    description: its `dataset.json`.
    tensors: those of `data.safetensors`; each has a row for each sample.
    """

    description: Mapping[str, Any]
    tensors: Mapping[str, np.ndarray]

    @property
    def samples(self) -> int:
        return int(self.description["range"]["count"])


class _Allowance(io.RawIOBase):
    """Passes on as many decompressed bytes as it was allowed: a small file may decompress to a very large one."""

    def __init__(self, inner: BinaryIO, source: str) -> None:
        self._inner = inner
        self._source = source
        self._allowed = 0
        self._left = 0

    def allow(self, count: int) -> None:
        self._allowed += count
        self._left += count

    def read(self, size: int = -1) -> bytes:
        piece = self._inner.read(min(size, 1 << 16) if size >= 0 else 1 << 16)
        self._left -= len(piece)
        if self._left < 0:
            raise ShardError("%s is not a shard: it has more than %d bytes there" % (self._source, self._allowed))
        return piece


def read(stream: BinaryIO, source: str, limits: ShardLimits = ShardLimits()) -> Shard:
    """Reads a shard to its end.

    source: its name, for messages.
    """
    entries = _entries(stream, source, limits)
    for name in (DESCRIPTION, DATA):
        if name not in entries:
            raise _broken(source, "there is no entry '%s'; the entries are %s" % (name, sorted(entries)))
    description = _description(entries[DESCRIPTION], source)
    digest = hashlib.sha256(entries[DATA]).hexdigest()
    if digest != description["sha256"]:
        raise _broken(
            source,
            "the %d bytes of %s have the SHA-256 %s, %s states %s"
            % (len(entries[DATA]), DATA, digest, DESCRIPTION, description["sha256"]),
        )
    try:
        tensors = load(entries[DATA])
    except (SafetensorError, ValueError, KeyError, TypeError) as malformed:
        raise _broken(source, "%s: %s" % (DATA, malformed)) from malformed
    _check_tensors(description, tensors, source)
    return Shard(description, tensors)


def _entries(stream: BinaryIO, source: str, limits: ShardLimits) -> Dict[str, bytes]:
    entries: Dict[str, bytes] = {}
    try:
        with gzip.GzipFile(fileobj=stream) as unzipped:
            bounded = _Allowance(cast(BinaryIO, unzipped), source)
            bounded.allow(_OVERHEAD)
            with tarfile.open(fileobj=bounded, mode="r|") as archive:
                for entry in archive:
                    if not entry.isreg() or entry.issparse():
                        raise _broken(source, "entry '%s' is not a regular file" % entry.name)
                    if limits.of(entry.name) == 0:
                        raise _broken(source, "entry '%s' is none of %s, %s, %s" % (entry.name, DESCRIPTION, DATA, TOKENIZER))
                    if entry.name in entries:
                        raise _broken(source, "entry '%s' occurs twice" % entry.name)
                    if entry.size > limits.of(entry.name):
                        raise _broken(
                            source,
                            "entry '%s' states %d bytes, the limit is %d" % (entry.name, entry.size, limits.of(entry.name)),
                        )
                    bounded.allow(entry.size + _OVERHEAD)
                    content = archive.extractfile(entry).read()  # type: ignore[union-attr]
                    if len(content) < entry.size:
                        raise _broken(source, "entry '%s' ends after %d of %d bytes" % (entry.name, len(content), entry.size))
                    entries[entry.name] = content
            # To the end, where gzip compares its checksum.
            while True:
                rest = bounded.read()
                if not rest:
                    break
                if rest.strip(b"\0"):
                    raise _broken(source, "the archive has bytes after its end")
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error) as malformed:
        raise _broken(source, "%s: %s" % (type(malformed).__name__, malformed)) from malformed
    return entries


def _description(content: bytes, source: str) -> Dict[str, Any]:
    try:
        read_json = json.loads(content)
        place = read_json["range"]
        numbers = [place[key] for key in ("first", "count", "total")]
        if not all(isinstance(number, int) and 0 <= number <= 10**9 for number in numbers) or place["count"] < 1:
            raise ValueError("a range has first, count and total, from 0; it is %s" % place)
        if not isinstance(read_json["sha256"], str) or not isinstance(read_json["name"], str):
            raise ValueError("name and sha256 are texts")
        return dict(read_json)
    except (ValueError, KeyError, TypeError, RecursionError) as malformed:
        raise _broken(source, "%s: %s %s" % (DESCRIPTION, type(malformed).__name__, malformed)) from malformed


def _check_tensors(description: Mapping[str, Any], tensors: Mapping[str, np.ndarray], source: str) -> None:
    """Checks that each tensor has the samples that the description states, and the shape of its kind."""
    count = description["range"]["count"]
    if "text" in description and "classes" not in description:
        raise _broken(source, "it is of a text without labels, which workers in Python do not read; train it in Java")
    inputs = "values" if "table" in description or "series" in description else "tokens" if "text" in description else "images"
    if inputs not in tensors or len(tensors) < 2:
        raise _broken(source, "%s has the tensors %s; it needs %s and what is predicted" % (DATA, sorted(tensors), inputs))
    for name, values in tensors.items():
        if values.ndim < 1 or values.shape[0] != count:
            raise _broken(source, "tensor '%s' has the shape %s, for %d samples" % (name, values.shape, count))
    if inputs == "images":
        _check_images(description, tensors, source)
    if inputs != "values":
        _check_labels(description, tensors, source)


def _check_images(description: Mapping[str, Any], tensors: Mapping[str, np.ndarray], source: str) -> None:
    images = tensors["images"]
    try:
        shape: Tuple[int, ...] = tuple(description["shape"])
        scaling = description["normalization"]
        channels = (len(scaling["mean"]), len(scaling["std"]))
        whole = all(np.isfinite(scaling["mean"])) and all(np.isfinite(scaling["std"])) and min(scaling["std"]) > 0
    except (KeyError, TypeError, ValueError) as malformed:
        raise _broken(source, "%s: %s %s" % (DESCRIPTION, type(malformed).__name__, malformed)) from malformed
    if images.dtype != np.uint8 or images.shape[1:] != shape or len(shape) != 3 or channels != (shape[0], shape[0]) or not whole:
        raise _broken(
            source,
            "tensor 'images' is %s %s, %s states the shape %s and a normalization of %s channels"
            % (images.dtype, images.shape, DESCRIPTION, shape, channels),
        )


def _check_labels(description: Mapping[str, Any], tensors: Mapping[str, np.ndarray], source: str) -> None:
    labels = tensors.get("labels")
    classes = len(description.get("classes", ()))
    if labels is None or labels.dtype not in _LABELS or labels.ndim != 1:
        raise _broken(source, "%s needs labels, U8 or I64, one for each sample" % DATA)
    if labels.min() < 0 or labels.max() >= classes:
        raise _broken(source, "a label is %d, there are %d classes" % (labels.max(), classes))


def _broken(source: str, detail: str) -> ShardError:
    return ShardError("%s is not a shard: %s" % (source, detail))
