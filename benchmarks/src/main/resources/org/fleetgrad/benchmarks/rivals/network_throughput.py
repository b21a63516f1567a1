"""PyTorch's forward and backward, eager. Arguments: network, batch size, threads. Reads seconds, answers samples a second."""

import sys
import time

import torch
import torch.nn.functional as F
from networks import NETWORKS, images, transformer

name, batch, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(threads)
torch.manual_seed(1)
if "?" in name:
    network, x, labels = transformer(name, batch)
else:
    network, x, labels = NETWORKS[name](), images(name, batch), torch.randint(10, (batch,))


def step():
    network.zero_grad()
    F.cross_entropy(network(x), labels).backward()


for _ in range(3):
    step()
for line in sys.stdin:
    begin, batches = time.perf_counter(), 0
    while True:
        step()
        batches += 1
        seconds = time.perf_counter() - begin
        if seconds >= float(line):
            break
    print(batches * batch / seconds)
