"""PyTorch's DistributedDataParallel over gloo: batches of 32, one thread for each process.

Arguments: rank, world size, port, batches, network. Reads a line to begin; rank 0 answers the samples per second of all processes.
"""

import os
import sys
import time

import torch
import torch.distributed as dist
from networks import NETWORKS, images
from torch import nn
from torch.nn.parallel import DistributedDataParallel

rank, world, port, batches = (int(argument) for argument in sys.argv[1:5])
name = sys.argv[5]
BATCH, SAMPLES = 32, 2_000

torch.set_num_threads(1)
torch.manual_seed(1)
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
dist.init_process_group("gloo", rank=rank, world_size=world)

network = DistributedDataParallel(NETWORKS[name]())
optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
loss = nn.CrossEntropyLoss()
# No loader, to PyTorch's advantage: the samples are in memory, normalized.
samples = images(name, SAMPLES)
labels = torch.randint(0, 10, (SAMPLES,))


def train(count):
    for i in range(count):
        begin = i * BATCH % (SAMPLES - BATCH)
        optimizer.zero_grad()
        loss(network(samples[begin:begin + BATCH]), labels[begin:begin + BATCH]).backward()
        optimizer.step()


train(min(50, batches))
for _ in sys.stdin:
    dist.barrier()
    begin = time.perf_counter()
    train(batches)
    dist.barrier()
    print(world * batches * BATCH / (time.perf_counter() - begin))
