"""Twenty steps of plain PyTorch on one batch, beside the model that Fleetgrad's servers made of the same beginning.

usage: twenty_steps.py NETWORK INITIAL OURS RECORDS SHAPE FOLDER_OF_ZOO FROZEN

RECORDS has one label byte and one image for each sample. FROZEN has patterns of names with commas between them, or is empty: these parameters
are not trained, and a normalization with one of them evaluates. Prints one JSON object: the losses on the batch before training, of
PyTorch's float64 and of ours; and two distances from PyTorch's float64, that of the loss and the largest of a running statistic,
relative to its norm: ours, and the tolerance. Training amplifies rounding, and each kernel rounds in its own way, so the tolerance
is kernels.MULTIPLE times the largest distance of PyTorch's own float32: plain, and with draws for other kernels (kernels.py).
"""

import fnmatch
import json
import sys

import numpy as np
import torch
from safetensors.torch import load_file

name, initial, ours, records, shape, zoo_folder = sys.argv[1:7]
frozen = [pattern for pattern in sys.argv[7].split(",") if pattern]
sys.path.insert(0, zoo_folder)
import kernels  # noqa: E402
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
    module.train()
    for key, parameter in module.named_parameters():
        if any(fnmatch.fnmatchcase(key, pattern) for pattern in frozen):
            parameter.requires_grad_(False)
            layer = module.get_submodule(key.rpartition(".")[0])
            if isinstance(layer, torch.nn.modules.batchnorm._BatchNorm):
                layer.eval()
    return module


def loss(module, batch):
    return torch.nn.functional.cross_entropy(module(batch), labels)


def trained(module, batch):
    optimizer = torch.optim.SGD((p for p in module.parameters() if p.requires_grad), lr=0.01, momentum=0.9, weight_decay=5e-4)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss(module, batch).backward()
        optimizer.step()
    return module


def measured(module):
    """The running statistics, and then, since one more forward changes them, the loss in float64."""
    statistics = {
        key: value.double().clone()
        for key, value in module.state_dict().items()
        if key.endswith(("running_mean", "running_var"))
    }
    with torch.no_grad():
        return statistics, loss(module.double(), images.double()).item()


def distance(value, expected):
    # A running mean that is frozen may be zero.
    return ((value - expected).norm() / (expected.norm() if expected.any() else 1)).item()


def distances(some):
    most = max(distance(some[0][key], value) for key, value in exact[0].items())
    return {"statistics": most, "loss": abs(some[1] - exact[1])}


def in_float32(draw):
    module = network(initial)
    hooks = kernels.jitter(module, draw)
    trained(module, images)
    for hook in hooks:
        hook.remove()
    return distances(measured(module))


torch.set_num_threads(1)
exact = measured(trained(network(initial).double(), images.double()))
theirs = measured(network(ours))
others = [in_float32(draw) for draw in range(kernels.DRAWS + 1)]
print(
    json.dumps(
        {
            "before": measured(network(initial))[1],
            "torch": exact[1],
            "ours": theirs[1],
            "distances": distances(theirs),
            "tolerances": {name: kernels.MULTIPLE * max(other[name] for other in others) for name in others[0]},
        }
    )
)
