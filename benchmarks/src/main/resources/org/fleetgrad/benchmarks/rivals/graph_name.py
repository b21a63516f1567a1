"""Exports a network as a graph. Arguments: python/fleetgrad_export.py, network. Reads a line, answers the graph as a network's name."""

import importlib.util
import sys

from networks import NETWORKS, transformer

spec = importlib.util.spec_from_file_location("fleetgrad_export", sys.argv[1])
exporter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(exporter)
name = sys.argv[2]
if "?" in name:
    module, samples, _ = transformer(name, 1)
    shape = list(samples.shape[1:])
else:
    module, shape = NETWORKS[name](), [3, 32, 32]
data, _ = exporter.network(module, shape)
for line in sys.stdin:
    print(exporter.name_of(data))
