"""Measures the accuracy of a model.safetensors on a folder of IDX test files with PyTorch: python3 score.py MODEL IDX_DIR

Prints one JSON object: {"accuracy": ..., "correct": ..., "undecided": ..., "samples": ..., "torch": ...}. An oracle for tests,
not part of the product. The network is LeNet-5 as PyTorch users write it, in float64; the normalization is read from the model's
metadata. A sample is undecided where its two largest logits are nearer than float32 can tell apart, on one processor or another:
NEAR of the largest, which is eight times what float32's kernels are off in make_network_goldens.py.
"""
import glob
import gzip
import json
import struct
import sys

import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F


NEAR = 1e-5


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x)))))


def idx(pattern):
    path = sorted(glob.glob(pattern))[0]
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    dimensions = data[3]
    shape = struct.unpack(">%dI" % dimensions, data[4 : 4 + 4 * dimensions])
    return torch.frombuffer(bytearray(data[4 + 4 * dimensions :]), dtype=torch.uint8).reshape(shape)


def main(model_path, folder):
    with safe_open(model_path, framework="pt") as file:
        normalization = json.loads(file.metadata()["normalization"])
    network = LeNet5()
    network.load_state_dict(load_file(model_path))
    network.double().eval()
    images = idx(folder + "/t10k-images*").double().unsqueeze(1) / 255
    labels = idx(folder + "/t10k-labels*").long()
    images = (images - normalization["mean"][0]) / normalization["std"][0]
    with torch.no_grad():
        logits = torch.cat([network(some) for some in images.split(1000)])
    correct = (logits.argmax(1) == labels).sum().item()
    best = logits.topk(2).values
    undecided = (best[:, 0] - best[:, 1] < NEAR * logits.abs().amax(1)).sum().item()
    print(json.dumps({"accuracy": correct / len(labels), "correct": correct, "undecided": undecided, "samples": len(labels),
                      "torch": torch.__version__}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
