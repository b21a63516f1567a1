"""Bodies that schemathesis cannot make from a schema: safetensors files, PNG and JPEG files.

Loaded by schemathesis through SCHEMATHESIS_HOOKS. SAFETENSORS names the folder of files that lie ready.
"""

import json
import os
import struct
import zlib

import schemathesis
from hypothesis import strategies as st

# Each is a parameter set or a gradient of the run's own layout, so that a request can also succeed.
READY = [
    open(entry.path, "rb").read()
    for entry in sorted(os.scandir(os.environ["STRANGER_FILES"]), key=lambda entry: entry.name)
    if entry.name.endswith(".safetensors")
]

# The year 2100, in epoch milliseconds.
LATER = 4102444800000

TYPES = {"F32": 4, "F16": 2, "BF16": 2, "I8": 1, "U8": 1, "I32": 4, "F64": 8, "I64": 8, "BOOL": 1}


def safetensors(tensors, metadata):
    """Serializes (name, type, shape, bytes) as safetensors: the header's length, the header, the values."""
    header = {"__metadata__": metadata} if metadata else {}
    values = b""
    for name, kind, shape, data in tensors:
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(values), len(values) + len(data)]}
        values += data
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + values


@st.composite
def small_tensors(draw):
    """Any valid file of a few small tensors."""
    tensors = []
    for name in draw(st.lists(st.text(min_size=1, max_size=12), max_size=3, unique=True)):
        if name == "__metadata__":
            continue
        kind = draw(st.sampled_from(sorted(TYPES)))
        shape = draw(st.lists(st.integers(0, 4), max_size=3))
        size = TYPES[kind]
        for dimension in shape:
            size *= dimension
        tensors.append((name, kind, shape, draw(st.binary(min_size=size, max_size=size))))
    keys = ["worker", "sequence", "generation", "baseVersion", "samples", "loss", "encoding", "cursor", "network", "state"]
    numbers = st.integers(-1, 2**63).map(str)
    metadata = draw(st.dictionaries(st.sampled_from(keys) | st.text(max_size=8), numbers | st.text(max_size=12), max_size=9))
    return safetensors(tensors, metadata)


@st.composite
def torn(draw, whole):
    """A file with some bytes changed, or cut off."""
    data = bytearray(draw(whole))
    for _ in range(draw(st.integers(0, 3))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(0, len(data)))])


def png(width, height, rows):
    """Serializes grey rows as PNG."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@st.composite
def pngs(draw):
    width, height = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    return png(width, height, (b"\0" + draw(st.binary(min_size=width, max_size=width))) * height)


whole_tensors = st.sampled_from(READY) | small_tensors() if READY else small_tensors()
schemathesis.openapi.media_type(
    "application/vnd.safetensors", whole_tensors | torn(whole_tensors), aliases=["tensor/safetensors"]
)
schemathesis.openapi.media_type("image/png", pngs() | torn(pngs()))
schemathesis.openapi.media_type("image/jpeg", st.binary(max_size=200))
schemathesis.openapi.media_type("application/octet-stream", st.binary(max_size=200))


schemathesis.openapi.format(
    "http-address", st.builds("{}://{}:{}".format, st.sampled_from(["http", "https"]), st.ip_addresses(v=4), st.integers(1, 65535))
)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Mends what makes a request wrong, or slow, by a rule that no schema can state."""
    query = case.query
    if query and query.get("waitMs") is not None and str(query["waitMs"]).isdigit() and int(query["waitMs"]) <= 60000:
        # Otherwise each long poll takes up to a minute.
        query["waitMs"] = min(int(query["waitMs"]), 20)
    body = case.body
    if not isinstance(body, dict):
        return
    deadline = body.get("deadline")
    if isinstance(deadline, int) and not isinstance(deadline, bool) and -(2**63) <= deadline < LATER:
        body["deadline"] = LATER
    shards = body.get("shards")
    if isinstance(shards, list) and all(isinstance(shard, dict) and shard.get("name") for shard in shards):
        # The names of shards differ.
        for index, shard in enumerate(shards):
            if isinstance(shard["name"], str) and len(shard["name"]) <= 2000:
                shard["name"] = "%s-%d" % (shard["name"], index)
