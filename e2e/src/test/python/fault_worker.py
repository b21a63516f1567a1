"""A worker of PythonFaultsIT: pushes the gradients of a file, and writes what it was answered.

    fault_worker.py SERVER ID GRADIENTS SAMPLES LOG STOP

GRADIENTS has float32 values, those of one gradient after the other, and SAMPLES an int32 for each. LOG gets a line before each push,
and one with its answer, so that nothing that was answered is forgotten when this program is killed. It ends once STOP exists.
"""

import os
import sys

import numpy as np

from fleetgrad import Applied, ClientOptions, Duplicate, Worker

server, worker_id, gradients_path, samples_path, log_path, stop_path = sys.argv[1:]
samples = np.fromfile(samples_path, "<i4")
gradients = np.fromfile(gradients_path, "<f4").reshape(len(samples), -1)
# So short that a stopped server makes it repeat a request that is still on its way.
options = ClientOptions(connect_timeout=1, read_timeout=1, retry_for=120)


def answered(path):
    """Returns the numbers of the gradients whose answers an earlier process has written."""
    if not os.path.exists(path):
        return set()
    with open(path) as log:
        lines = [line.split() for line in log if line.endswith("\n")]
    return {int(line[1]) for line in lines if line and line[0] != "push" and line[-1] == "."}


def cut(values, parameters):
    tensors, at = {}, 0
    for name in sorted(parameters):
        size = parameters[name].size
        tensors[name] = values[at : at + size].reshape(parameters[name].shape)
        at += size
    return tensors


known = answered(log_path)
with open(log_path, "a", buffering=1) as log, Worker(server, worker=worker_id, options=options) as worker:
    if os.path.getsize(log_path):
        # The last line may be torn.
        log.write("\n")
    registration = worker._registration
    # What the server has, and an earlier process was killed before it had written: the same again is answered `duplicate`.
    unwritten = [number for number in range(1, registration.sequence + 1) if number not in known]
    newest = registration.sequence
    while not os.path.exists(stop_path):
        parameters = worker.pull()
        number = unwritten.pop(0) if unwritten else newest + 1
        registration.sequence = number - 1
        log.write("push %d %d\n" % (number, parameters.version))
        outcome = worker.push(cut(gradients[number - 1], parameters), loss=1.0, samples=int(samples[number - 1]))
        newest = max(newest, number)
        if outcome.counted:
            applied = isinstance(outcome, Applied) or isinstance(outcome, Duplicate) and outcome.first == "applied"
            log.write("ack %d %d %d %s .\n" % (number, applied, outcome.version, type(outcome).__name__))
        elif outcome.rule == "stale-gradient":
            log.write("dropped %d .\n" % number)
        else:
            raise outcome.problem
