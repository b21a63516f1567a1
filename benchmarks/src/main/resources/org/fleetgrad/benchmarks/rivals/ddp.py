"""PyTorch's DistributedDataParallel over gloo: LeNet-5, batches of 32, one thread for each process.

Arguments: rank, world size, port, batches. Reads a line to begin; rank 0 answers the samples per second of all processes.
"""

import os
import sys
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

rank, world, port, batches = (int(argument) for argument in sys.argv[1:5])
BATCH, SAMPLES = 32, 10_000

torch.set_num_threads(1)
torch.manual_seed(1)
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
dist.init_process_group("gloo", rank=rank, world_size=world)

network = DistributedDataParallel(
    nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )
)
optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
loss = nn.CrossEntropyLoss()
# No loader, to PyTorch's advantage: the samples are in memory, normalized.
images = torch.randn(SAMPLES, 1, 28, 28)
labels = torch.randint(0, 10, (SAMPLES,))


def train(count):
    for i in range(count):
        begin = i * BATCH % (SAMPLES - BATCH)
        optimizer.zero_grad()
        loss(network(images[begin:begin + BATCH]), labels[begin:begin + BATCH]).backward()
        optimizer.step()


train(50)
for _ in sys.stdin:
    dist.barrier()
    begin = time.perf_counter()
    train(batches)
    dist.barrier()
    print(world * batches * BATCH / (time.perf_counter() - begin))
