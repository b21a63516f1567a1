"""PyTorch's optimizers on one tensor. Arguments: its size, threads. Reads sgd, adam or adamw; answers milliseconds for each step."""

import statistics
import sys
import time

import torch

size, threads = int(sys.argv[1]), int(sys.argv[2])
torch.set_num_threads(threads)

KINDS = {
    "sgd": lambda p, fused: torch.optim.SGD(p, lr=0.01, momentum=0.9, fused=fused),
    "adam": lambda p, fused: torch.optim.Adam(p, lr=0.01, fused=fused),
    "adamw": lambda p, fused: torch.optim.AdamW(p, lr=0.01, weight_decay=0.01, fused=fused),
}


def milliseconds(kind, fused):
    parameter = torch.nn.Parameter(torch.ones(size))
    parameter.grad = torch.full((size,), 1e-3)
    optimizer = KINDS[kind]([parameter], fused)
    for _ in range(3):
        optimizer.step()
    times = []
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end:
        begin = time.perf_counter()
        optimizer.step()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


for line in sys.stdin:
    best = milliseconds(line.strip(), False)
    try:
        best = min(best, milliseconds(line.strip(), True))
    except (RuntimeError, TypeError):
        pass  # an older torch has no fused optimizer for processors
    print(best)
