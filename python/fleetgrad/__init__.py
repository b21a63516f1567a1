"""A worker of Fleetgrad in Python.

    from fleetgrad import Worker

    with Worker("http://localhost:29500") as worker:
        for batch in worker.batches(32):
            parameters = worker.pull()
            loss, gradients = compute(parameters, batch)
            worker.push(gradients, loss=loss)

docs/python-worker.md explains it.
"""

from fleetgrad.options import ClientOptions, Credentials
from fleetgrad.outcomes import Applied, Buffered, Dropped, Duplicate, PushOutcome, Rejected
from fleetgrad.parameters import Initial, Parameters
from fleetgrad.problems import FleetgradError, MalformedAnswer, ProblemError, ServerUnavailable, ShardError
from fleetgrad.shards import Shard
from fleetgrad.work import Batch
from fleetgrad.worker import Worker

__all__ = [
    "Applied",
    "Batch",
    "Buffered",
    "ClientOptions",
    "Credentials",
    "Dropped",
    "Duplicate",
    "FleetgradError",
    "Initial",
    "MalformedAnswer",
    "Parameters",
    "ProblemError",
    "PushOutcome",
    "Rejected",
    "ServerUnavailable",
    "Shard",
    "ShardError",
    "Worker",
]
