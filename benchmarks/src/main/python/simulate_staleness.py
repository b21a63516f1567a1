"""Simulates asynchronous SGD: workers in one process, with times of their own, train LeNet-5 on MNIST.

    python3 simulate_staleness.py --data DIR --workers 16 --rule look-ahead --clip-norm 2 --epochs 2

Prints the accuracy after each epoch. The times are simulated and the seed is fixed, so the machine's load changes nothing. Made the
table of docs/adr/0027-defaults-that-hold-with-any-number-of-workers.md.
"""

import argparse
import gzip
import heapq
import json
import math
import random
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

TRAIN = 60_000
FEWEST_SHARDS = 6
SHAPES = [(6, 1, 5, 5), (6,), (16, 6, 5, 5), (16,), (120, 400), (120,), (84, 120), (84,), (10, 84), (10,)]
SIZES = [math.prod(shape) for shape in SHAPES]
RULES = ["none", "damped", "gap-aware", "look-ahead", "look-ahead-slim"]


def read(folder, part):
    images = np.frombuffer(gzip.open(folder / f"{part}-images-idx3-ubyte.gz").read(), np.uint8, offset=16)
    labels = np.frombuffer(gzip.open(folder / f"{part}-labels-idx1-ubyte.gz").read(), np.uint8, offset=8)
    pixels = torch.from_numpy(images.reshape(-1, 1, 28, 28).astype(np.float32) / 255)
    return (pixels - 0.1307) / 0.3081, torch.from_numpy(labels.astype(np.int64))


def tensors(vector):
    return [part.view(shape) for part, shape in zip(vector.split(SIZES), SHAPES)]


def initial(seed):
    """PyTorch's: uniform in one over the root of the inputs, of the bias too."""
    generator = torch.Generator().manual_seed(seed)
    vector = torch.empty(sum(SIZES))
    for shape, tensor in zip(SHAPES, tensors(vector)):
        if len(shape) > 1:
            inputs = math.prod(shape[1:])
        tensor.copy_((torch.rand(shape, generator=generator) * 2 - 1) / math.sqrt(inputs))
    return vector


def logits(parameters, images):
    w = parameters
    x = F.max_pool2d(F.relu(F.conv2d(images, w[0], w[1], padding=2)), 2)
    x = F.max_pool2d(F.relu(F.conv2d(x, w[2], w[3])), 2).flatten(1)
    x = F.relu(F.linear(x, w[4], w[5]))
    return F.linear(F.relu(F.linear(x, w[6], w[7])), w[8], w[9])


def gradient(vector, images, labels):
    parameters = [tensor.detach().requires_grad_() for tensor in tensors(vector)]
    loss = F.cross_entropy(logits(parameters, images), labels)
    return loss.item(), torch.cat([part.flatten() for part in torch.autograd.grad(loss, parameters)])


def accuracy(vector, images, labels):
    with torch.no_grad():
        guesses = torch.cat([logits(tensors(vector), part).argmax(1) for part in images.split(1000)])
    return (guesses == labels).float().mean().item()


class Server:
    """The parameters, changed by one gradient a step."""

    def __init__(self, options):
        self.rule, self.momentum = options.rule, options.momentum
        self.parameters = initial(options.seed)
        self.buffer = torch.zeros(sum(SIZES))  # of momentum, or the sum over the workers'
        self.squares = torch.zeros(sum(SIZES))
        self.workers = {}
        self.version = 0

    def served(self, rate):
        if self.rule == "look-ahead":
            return self.parameters - rate * self.momentum * self.buffer
        return self.parameters.clone()

    def push(self, worker, base, staleness, g, rate):
        self.version += 1
        if self.rule.startswith("look-ahead"):
            own = self.workers.setdefault(worker, torch.zeros(sum(SIZES)))
            before = own.clone()
            own.mul_(self.momentum).add_(g)
            self.buffer.add_(own - before)
            step = own if self.rule == "look-ahead" else g + self.momentum * own
        else:
            if self.rule == "damped" and staleness > 1:
                g = g / staleness
            if self.rule == "gap-aware":
                self.squares = self.squares * 0.999 + 0.001 * self.buffer * self.buffer
                if staleness > 0:
                    usual = torch.sqrt(self.squares / (1 - 0.999**self.version)) + 1e-8
                    g = g / (1 + (self.parameters - base).abs() / (rate * usual))
            self.buffer.mul_(self.momentum).add_(g)
            step = self.buffer
        self.parameters = self.parameters - rate * step


def run(options):
    images, labels = read(options.data, "train")
    held_out = read(options.data, "t10k")
    shards = max(options.workers, FEWEST_SHARDS)
    length = TRAIN // shards
    queue = [(epoch, shard) for epoch in range(options.epochs) for shard in range(shards)]
    clock = random.Random(options.seed * 1000 + options.workers)
    server = Server(options)
    events, samples, next_evaluation = [], 0, length * shards
    accuracies, stalenesses = [], []
    places, bases = {}, {}

    def rate():
        rising = min(1, (samples + options.batch_size) / options.warmup) if options.warmup else 1
        return options.learning_rate * rising

    def take(worker):
        if not queue:
            return False
        epoch, shard = queue.pop(0)
        order = np.arange(shard * length, (shard + 1) * length)
        np.random.RandomState(options.seed * 7919 + epoch * 100 + shard).shuffle(order)
        places[worker] = (order, 0)
        return True

    starts = [clock.random() for _ in range(options.workers)]
    for worker in range(options.workers):
        if take(worker):
            bases[worker] = (server.version, server.served(rate()))
            heapq.heappush(events, (starts[worker] + 1, worker))
    while events:
        time, worker = heapq.heappop(events)
        order, at = places[worker]
        batch = torch.from_numpy(order[at : at + options.batch_size])
        version, base = bases[worker]
        loss, g = gradient(base, images[batch], labels[batch])
        if not math.isfinite(loss):
            break
        norm = g.norm().item()
        if options.clip_norm and norm > options.clip_norm:
            g.mul_(options.clip_norm / norm)
        stalenesses.append(server.version - version)
        server.push(worker, base, stalenesses[-1], g, rate())
        samples += len(batch)
        if samples >= next_evaluation:
            accuracies.append(accuracy(server.parameters, *held_out))
            next_evaluation += length * shards
        places[worker] = (order, at + len(batch))
        if at + len(batch) >= length and not take(worker):
            continue
        bases[worker] = (server.version, server.served(rate()))
        heapq.heappush(events, (time + math.exp(options.jitter * clock.gauss(0, 1)), worker))
    return {"accuracy": [round(each, 4) for each in accuracies], "staleness": round(float(np.mean(stalenesses)), 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of MNIST's .gz files")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rule", choices=RULES, default="none")
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--learning-rate", type=float, default=0.01)
    parser.add_argument("--warmup", type=int, default=0, help="samples")
    parser.add_argument("--clip-norm", type=float, default=0, help="0 for no limit")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jitter", type=float, default=0.4, help="sigma of the log-normal time of a batch")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(json.dumps(run(options)))


if __name__ == "__main__":
    main()
