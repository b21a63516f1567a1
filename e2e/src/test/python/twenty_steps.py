"""Twenty steps of plain PyTorch on one batch, beside the model that Fleetgrad's servers made of the same beginning.

usage: twenty_steps.py NETWORK INITIAL OURS RECORDS SHAPE FOLDER_OF_ZOO

RECORDS has one label byte and one image for each sample. Prints one JSON object: the loss of both models on the batch, and the
largest distance of a running statistic from PyTorch's in float64, relative to its norm: ours, and that of PyTorch's own float32.
Training amplifies rounding, so this is the measure of what can be asked for.
"""

import json
import sys

import numpy as np
import torch
from safetensors.torch import load_file

name, initial, ours, records, shape, zoo_folder = sys.argv[1:]
sys.path.insert(0, zoo_folder)
import zoo  # noqa: E402

STEPS = 20
channels, height, width = (int(side) for side in shape.split("x"))
data = np.fromfile(records, dtype=np.uint8).reshape(-1, 1 + channels * height * width)
labels = torch.from_numpy(data[:, 0].astype(np.int64))
pixels = torch.from_numpy(data[:, 1:].astype(np.float64) / 255).reshape(-1, channels, height, width)
mean = pixels.mean(dim=(0, 2, 3), keepdim=True)
std = pixels.std(dim=(0, 2, 3), keepdim=True, correction=0)
images = ((pixels - mean) / std).to(torch.float32)


def network(file):
    module = zoo.small(name)
    missing, unexpected = module.load_state_dict(load_file(file), strict=False)
    assert not unexpected and all(key.endswith("num_batches_tracked") for key in missing), (missing, unexpected)
    return module.train()


def loss(module, batch):
    return torch.nn.functional.cross_entropy(module(batch), labels)


def trained(module, batch):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss(module, batch).backward()
        optimizer.step()
    return module


def statistics(module):
    return {
        key: value.double()
        for key, value in module.state_dict().items()
        if key.endswith(("running_mean", "running_var"))
    }


def distance(some, exact):
    return max(((some[key] - exact[key]).norm() / exact[key].norm()).item() for key in exact)


torch.set_num_threads(1)
exact = statistics(trained(network(initial).double(), images.double()))
plain = trained(network(initial), images)
theirs = network(ours)
result = {"distanceOfTorch": distance(statistics(plain), exact), "distanceOfOurs": distance(statistics(theirs), exact)}
with torch.no_grad():
    result["before"] = loss(network(initial), images).item()
    result["torch"] = loss(plain, images).item()
    result["ours"] = loss(theirs, images).item()
print(json.dumps(result))
