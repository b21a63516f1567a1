"""Shards for the tests."""

import gzip
import hashlib
import io
import json
import tarfile

import numpy as np
from safetensors.numpy import save

IMAGES = {
    "classes": ["no", "yes"],
    "shape": [1, 2, 2],
    "normalization": {"mean": [0.5], "std": [0.25]},
}


def images(count):
    return {
        "images": np.arange(count * 4, dtype=np.uint8).reshape(count, 1, 2, 2),
        "labels": (np.arange(count) % 2).astype(np.uint8),
    }


def description(data, count, **kind):
    place = {"first": 0, "count": count, "total": count}
    digest = hashlib.sha256(data).hexdigest()
    return json.dumps({"name": "d", "split": "train", **(kind or IMAGES), "range": place, "sha256": digest}).encode()


def archive(entries):
    """Returns the bytes of a tar.gz; each entry is a name and its content, or a TarInfo and its content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in entries:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return out.getvalue()


def shard(tensors, count, **kind):
    data = save(tensors)
    return archive([("dataset.json", description(data, count, **kind)), ("data.safetensors", data)])


def zipped(raw):
    return gzip.compress(raw)
