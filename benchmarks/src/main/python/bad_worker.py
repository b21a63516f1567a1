"""A worker that pushes noise: how much does a run suffer from it?

    python3 bad_worker.py http://127.0.0.1:29500 [--norm 10] [--until VERSION]

It registers as "bad", and for each version pushes a gradient of random direction and the given norm, until the server
is gone. It needs numpy and safetensors. docs/modes.md has what was measured with it.
"""

import argparse
import http.client
import json
import time
import urllib.error
import urllib.request

import numpy
from safetensors.numpy import load, save


def call(url, body=None, kind="application/json"):
    headers = {"Content-Type": kind, "X-Worker": "bad"} if body is not None else {"X-Worker": "bad"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
        return answer.status, answer.headers, answer.read()


def main():
    parser = argparse.ArgumentParser(description="A worker that pushes noise.")
    parser.add_argument("server", help="address of the parameter server")
    parser.add_argument("--norm", type=float, default=10.0, help="norm of each gradient (default: 10)")
    parser.add_argument("--until", type=int, help="end at this version, so that it does not go on alone after a run")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = numpy.random.default_rng(options.seed)
    pushed = refused = sequence = 0
    version = -1
    registered = False
    patience = time.monotonic() + 300
    while True:
        try:
            if not registered:
                call(options.server + "/registerWorker", json.dumps({"id": "bad"}).encode())
                registered = True
            query = "" if version < 0 else "?after=%d&waitMs=5000" % version
            status, headers, body = call(options.server + "/getParameter" + query)
            if status != 200:
                continue
            parameters = load(body)
            size = int.from_bytes(body[:8], "little")
            metadata = json.loads(body[8 : 8 + size])["__metadata__"]
            version = int(metadata["version"])
            if options.until is not None and version >= options.until:
                call(options.server + "/unregisterWorker", json.dumps({"id": "bad"}).encode())
                break
            noise = {name: random.standard_normal(values.shape).astype("f4") for name, values in parameters.items()}
            length = sum(float((values.astype("f8") ** 2).sum()) for values in noise.values()) ** 0.5
            noise = {name: (values * (options.norm / length)).astype("f4") for name, values in noise.items()}
            sequence += 1
            stated = {
                "worker": "bad",
                "sequence": str(sequence),
                "generation": metadata["generation"],
                "baseVersion": str(version),
                "samples": "32",
                "loss": "1",
            }
            call(options.server + "/putGradient", save(noise, stated), "application/vnd.safetensors")
            pushed += 1
        except urllib.error.HTTPError as answer:
            rule = json.loads(answer.read() or b"{}").get("type", "")
            if answer.code == 304:
                continue
            refused += 1
            if rule.endswith("unknown-worker"):
                registered = False
            time.sleep(0.02)
        except (urllib.error.URLError, ConnectionError, http.client.HTTPException):
            if pushed + refused > 0 or time.monotonic() > patience:
                break
            time.sleep(0.2)
    print("bad worker: %d gradients taken, %d refused" % (pushed, refused))


if __name__ == "__main__":
    main()
