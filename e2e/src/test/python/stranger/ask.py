"""Asks a service what schemathesis makes of its contract. Arguments: this folder, the contract, a folder of ready bodies, and
schemathesis' own."""

import os
import sys

here, contract, ready = (os.path.abspath(path) for path in sys.argv[1:4])
# What schemathesis remembers of failures it writes where it runs.
os.chdir(ready)
os.environ["STRANGER_FILES"] = ready
os.environ["SCHEMATHESIS_HOOKS"] = "bodies"
sys.dont_write_bytecode = True
sys.path.insert(0, here)

from schemathesis.cli import schemathesis  # noqa: E402 (reads the variables above)

sys.argv = [
    "schemathesis",
    "--config-file=%s/schemathesis.toml" % here,
    "run",
    contract,
    "--phases=examples,coverage,fuzzing",
    "--max-examples=8",
    "--generation-deterministic",
    "--continue-on-failure",
    "--no-color",
    *sys.argv[4:],
]
schemathesis()
