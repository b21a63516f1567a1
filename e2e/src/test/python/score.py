"""Measures the accuracy of a model.safetensors on a folder of IDX test files with PyTorch: python3 score.py MODEL IDX_DIR

Prints one JSON object: {"accuracy": ..., "correct": ..., "samples": ..., "torch": ...}. An oracle for tests, not part
of the product. The network is LeNet-5 as PyTorch users write it; the normalization is read from the model's metadata.
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
    network.eval()
    images = idx(folder + "/t10k-images*").float().unsqueeze(1) / 255
    labels = idx(folder + "/t10k-labels*").long()
    images = (images - normalization["mean"][0]) / normalization["std"][0]
    with torch.no_grad():
        correct = sum(
            (network(images[i : i + 1000]).argmax(1) == labels[i : i + 1000]).sum().item()
            for i in range(0, len(labels), 1000)
        )
    print(json.dumps({"accuracy": correct / len(labels), "correct": correct, "samples": len(labels),
                      "torch": torch.__version__}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
