"""Trains LeNet-5 in PyTorch, as one worker of a run of Fleetgrad.

    ./fleetgrad train --data MNIST --workers 1 --mode sync --epochs 2
    python3 examples/python-worker/train.py http://localhost:29500

It needs fleetgrad (pip install ./python) and torch. The loop is PyTorch's own, but for three lines: the shards come from the run,
the parameters from the server, and the server makes the step.
"""

import argparse
import json

import torch
from torch import nn
from torch.nn import functional

from fleetgrad import Initial, ServerUnavailable, Worker


class LeNet5(nn.Module):
    """The network that `./fleetgrad train` trains by default: its tensors have the same names and shapes."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, images):
        features = functional.max_pool2d(functional.relu(self.conv1(images)), 2)
        features = functional.max_pool2d(functional.relu(self.conv2(features)), 2)
        hidden = functional.relu(self.fc1(features.flatten(1)))
        return self.fc3(functional.relu(self.fc2(hidden)))


def main():
    parser = argparse.ArgumentParser(description="Trains LeNet-5 in PyTorch, as one worker of a run of Fleetgrad.")
    parser.add_argument("server", help="address of the run's parameter server")
    parser.add_argument("--batch-size", type=int, default=32, help="that of the run's other workers (default: 32)")
    parser.add_argument("--clip-norm", type=float, help="norm to which gradients are clipped (default: not)")
    options = parser.parse_args()

    network = LeNet5()
    # Used only if this worker is the first: whoever comes later gets what the server has.
    initial = Initial({name: values.numpy() for name, values in network.state_dict().items()}, {"network": "lenet5"})
    worker = Worker(options.server, description="LeNet-5 in PyTorch", initial=lambda: initial)
    try:
        counts = train(network, worker, options)
        print(json.dumps(counts))
    except ServerUnavailable as away:
        # A run that reached its target takes its server with it.
        print("the run is over, or its server is unreachable: %s" % away)


def train(network, worker, options):
    counts = {"pushes": 0, "counted": 0, "samples": 0}
    with worker:
        for batch in worker.batches(options.batch_size):
            parameters = worker.pull()
            network.load_state_dict({name: torch.from_numpy(parameters[name]) for name in parameters})
            network.zero_grad()
            loss = functional.cross_entropy(network(torch.from_numpy(batch.images)), torch.from_numpy(batch.labels))
            loss.backward()
            if options.clip_norm:
                nn.utils.clip_grad_norm_(network.parameters(), options.clip_norm)
            gradients = {name: weight.grad.numpy() for name, weight in network.named_parameters()}
            outcome = worker.push(gradients, loss=loss.item())
            counts["pushes"] += 1
            counts["counted"] += outcome.counted
            counts["samples"] += len(batch) if outcome.counted else 0
    return counts


if __name__ == "__main__":
    main()
