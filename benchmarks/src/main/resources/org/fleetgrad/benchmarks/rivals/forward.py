"""PyTorch's forward in evaluation mode. Arguments: network, batch size, threads. Reads seconds, answers images a second."""

import sys
import time

import torch
from networks import NETWORKS, images

name, batch, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(threads)
torch.manual_seed(1)
network = NETWORKS[name]().eval()
x = images(name, batch)

with torch.inference_mode():
    for _ in range(3):
        network(x)
    for line in sys.stdin:
        begin, batches = time.perf_counter(), 0
        while True:
            network(x)
            batches += 1
            seconds = time.perf_counter() - begin
            if seconds >= float(line):
                break
        print(batches * batch / seconds)
