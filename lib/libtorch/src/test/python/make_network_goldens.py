"""Makes the golden files of the networks, with PyTorch and torchvision.

    python3 lib/libtorch/src/test/python/make_network_goldens.py

golden-layouts.json (of lib/networks): for each network as it usually is, counts, and the digest of its state_dict, a line
for each tensor: name, shape, and whether it is trainable or state.

golden-networks.json (of lib/libtorch), computed in float64: for each network at 32 by 32 pixels (the three for MNIST: 28 by 28), with values and
images that a formula gives: logits in evaluation and in training, the loss with and without label smoothing, the norm of
each gradient, and the norm of each running statistic after that one training forward. Dropout is off (p = 0): its masks are
each side's own. The formula, in float64, cast to float32: element i of the k-th trainable tensor (k from 1, PyTorch's order)
is s = sqrt(3) (2 frac(43758.5453 sin(12.9898 i + 78.233 k)) - 1), times sqrt(2 / fan_in) in a matrix or kernel; 0.25 + 0.05 s
in any other weight, so that residuals stay smaller than what they are added to; 0.1 s in a bias; element i of the images is
0.5 + s with k = 0; the loss's labels are 0, 1, 2 ... Running statistics begin at 0 and 1. In evaluation the
statistics are those after the training forward, taken whole (momentum 1): with the default statistics the logits of deep
networks would be too large to compare.

golden-statistics.json: the running statistics of ResNet-20 after 50 steps of plain SGD.
"""

import hashlib
import json
import pathlib

import numpy as np
import torch
from torch import nn

import zoo

LIB = pathlib.Path(__file__).resolve().parents[4]
BATCH = 4
torch.set_num_threads(2)


def noise(count, k):
    """Numbers of mean 0 and variance 1 that look random; a plain sine would make kernels that are multiples of each other,
    and with batch statistics a deep network then amplifies each rounding."""
    s = np.sin(12.9898 * np.arange(count, dtype=np.float64) + 78.233 * k) * 43758.5453
    return np.sqrt(3.0) * (2 * (s - np.floor(s)) - 1)


def formula(network):
    with torch.no_grad():
        for k, (name, value) in enumerate(network.named_parameters(), start=1):
            s = noise(value.numel(), k)
            if value.dim() > 1:
                s *= np.sqrt(2.0 * value.shape[0] / value.numel())
            else:
                s = 0.25 + 0.05 * s if name.endswith("weight") else 0.1 * s
            value.copy_(torch.from_numpy(s.astype(np.float32)).reshape(value.shape))


def images(shape):
    return torch.from_numpy((0.5 + noise(int(np.prod(shape)), 0)).astype(np.float32)).reshape(shape)


def set_modules(network, momentum):
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = momentum
        if isinstance(module, (nn.Dropout, nn.Dropout2d)):
            module.p = 0.0


def state(network):
    return {
        name: value
        for name, value in network.named_buffers()
        if not name.endswith("num_batches_tracked")
    }


def rounded(values):
    return [float(f"{value:.7g}") for value in values]


def layout(name):
    with torch.device("meta"):
        network = zoo.usual(name)
    trainable = dict(network.named_parameters())
    lines = []
    for tensor, value in network.state_dict().items():
        if not tensor.endswith("num_batches_tracked"):
            kind = "trainable" if tensor in trainable else "state"
            lines.append(f"{tensor} {list(value.shape)} {kind}")
    return {
        "parameters": sum(value.numel() for value in trainable.values()),
        "state": sum(value.numel() for value in state(network).values()),
        "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
    }


def measured(name, dtype):
    """One training forward and backward and one evaluation, of which every number counts."""
    network = zoo.small(name)
    formula(network)
    network.to(dtype)
    set_modules(network, 1.0)
    x = images((BATCH, *zoo.small_input(name))).to(dtype)
    labels = torch.arange(BATCH)
    network.train()
    logits = network(x)
    loss = nn.functional.cross_entropy(logits, labels)
    smoothed = nn.functional.cross_entropy(logits, labels, label_smoothing=0.1)
    loss.backward()
    network.eval()
    with torch.no_grad():
        evaluated = network(x)
    return {
        "eval_logits": evaluated.flatten().tolist(),
        "train_logits": logits.flatten().tolist(),
        "losses": [loss.item(), smoothed.item()],
        "gradient_l2": {
            tensor: value.grad.double().norm().item() for tensor, value in network.named_parameters()
        },
        "state_l2": {tensor: value.double().norm().item() for tensor, value in state(network).items()},
    }


def flat(values):
    return list(values.values()) if isinstance(values, dict) else values


def case(name):
    """PyTorch's numbers in float64, and how far its own float32 may be off: a deep network with ReLU and the statistics of a
    small batch amplifies rounding. The largest deviation of a kind, four times, is the tolerance where it is above 1e-4 for
    logits, losses and statistics, and above 1e-3 for gradients."""
    exact = measured(name, torch.float64)
    single = measured(name, torch.float32)
    golden = {"input_shape": [BATCH, *zoo.small_input(name)], "tolerance": {}}
    for kind, values in exact.items():
        pairs = list(zip(flat(values), flat(single[kind])))
        largest = max((abs(a) for a, _ in pairs), default=1.0)
        scaled = [abs(a - b) / (largest if "logits" in kind else abs(a) + 1e-3) for a, b in pairs]
        least = 1e-3 if kind == "gradient_l2" else 1e-4
        golden["tolerance"][kind] = float(f"{max(least, 4 * max(scaled, default=0.0)):.2g}")
        golden[kind] = dict(zip(values, rounded(values.values()))) if isinstance(values, dict) else rounded(values)
    return golden


def statistics(name="resnet20", steps=50, rate=2e-5):
    network = zoo.small(name)
    formula(network)
    network.train()
    batches = images((steps * 8, *zoo.small_input(name))).split(8)
    for step, x in enumerate(batches):
        network.zero_grad()
        labels = (torch.arange(8) + step) % 10
        nn.functional.cross_entropy(network(x), labels).backward()
        with torch.no_grad():
            for value in network.parameters():
                value -= rate * value.grad
    return {
        "network": name,
        "steps": steps,
        "batch": 8,
        "learning_rate": rate,
        "state": {tensor: rounded(value.tolist()) for tensor, value in state(network).items()},
    }


def write(path, value, indented=False):
    path.write_text(json.dumps(value, indent=1) + "\n" if indented else json.dumps(value, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    write(LIB / "networks/src/test/resources/golden-layouts.json", {name: layout(name) for name in zoo.NAMES}, True)
    write(
        LIB / "libtorch/src/test/resources/golden-networks.json",
        {"made_with": f"PyTorch {torch.__version__}", "cases": {name: case(name) for name in zoo.NAMES}},
    )
    write(LIB / "libtorch/src/test/resources/golden-statistics.json", statistics())
