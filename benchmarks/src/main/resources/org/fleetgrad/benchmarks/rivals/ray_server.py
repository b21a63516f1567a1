"""A Ray actor as a parameter server, like Ray's own example: applies a push by SGD and answers with the parameters.

Reads the number of float32 values; answers the median of a push-and-pull in microseconds.
"""

import os
import statistics
import sys
import time

os.environ["RAY_DEDUP_LOGS"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import numpy
import ray

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False,
         object_store_memory=2 * 1024 ** 3)


@ray.remote
class ParameterServer:
    def __init__(self, size):
        self.parameters = numpy.zeros(size, numpy.float32)
        self.momentum = numpy.zeros(size, numpy.float32)

    def push_and_pull(self, gradient):
        self.momentum *= 0.9
        self.momentum += gradient
        self.parameters -= 0.01 * self.momentum
        return self.parameters


def microseconds(size):
    server = ParameterServer.remote(size)
    gradient = numpy.full(size, 1e-6, numpy.float32)
    times = []
    for _ in range(5):
        ray.get(server.push_and_pull.remote(gradient))
    end = time.perf_counter() + 1.0
    while time.perf_counter() < end or len(times) < 5:
        begin = time.perf_counter()
        ray.get(server.push_and_pull.remote(gradient))
        times.append((time.perf_counter() - begin) * 1e6)
    ray.kill(server)
    return statistics.median(times)


for line in sys.stdin:
    print(microseconds(int(line)))
