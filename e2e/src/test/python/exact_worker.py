"""A worker of PythonWorkerBitsTest: a linear layer after a frozen one, in whole numbers, which float32 holds exactly.

    exact_worker.py SERVER BATCH
"""

import sys

import numpy as np

from fleetgrad import Worker

with Worker(sys.argv[1], worker="python") as worker:
    for batch in worker.batches(int(sys.argv[2])):
        parameters = worker.pull()
        hidden = np.maximum(batch["values"] @ parameters["fc1.weight"].T + parameters["fc1.bias"], 0)
        error = hidden @ parameters["fc2.weight"][0] + parameters["fc2.bias"][0] - batch["targets"]
        gradients = {
            "fc2.weight": (2 * error[:, None] * hidden).mean(0, keepdims=True),
            "fc2.bias": np.array([(2 * error).mean()]),
        }
        outcome = worker.push(gradients, loss=float((error**2).mean()))
        assert outcome.counted, outcome
    print(worker.sequence)
