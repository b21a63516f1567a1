"""Exports modules of timm and trains them by plain SGD.

    timm_oracle.py FOLDER STEPS BATCHES NAME ...

Writes to a folder of each name the network and `oracle.safetensors`: images and targets of the batches, which take turns, the learning
rate, and the loss of each step. Without dropout.
"""

import json
import pathlib
import sys

import timm
import torch
import torch.nn.functional as F
from graph_oracle import exporter, without_dropout
from safetensors.torch import save_file

SIDE = 32
SIDES = {"mobilevit_xxs": 64}
COUNT = 8
# With a larger one, batch normalization over few samples lets even float32 and float64 part.
RATES = {"resnet10t": 0.001}
RATE = 0.02


def train(folder, steps, batches, name):
    torch.manual_seed(0)
    shape = [3] + 2 * [SIDES.get(name, SIDE)]
    sized = {"img_size": shape[1]} if name.endswith("_224") else {}
    module = without_dropout(timm.create_model(name, pretrained=False, num_classes=10, **sized))
    data, tensors = exporter.network(module, shape)
    folder.mkdir()
    (folder / "network.json").write_text(json.dumps(data))
    tensors = {key: value.clone().contiguous() for key, value in tensors.items()}
    save_file(tensors, folder / "model.safetensors", {"network": exporter.name_of(data)})
    targets = torch.arange(batches * COUNT) % 10
    # A class is a shade, so that there is something to learn.
    images = torch.randn(batches * COUNT, *shape) * 0.5 + (targets[:, None, None, None] - 4.5) / 3
    losses = []
    rate = RATES.get(name, RATE)
    module.train()
    for step in range(steps):
        part = slice(step % batches * COUNT, (step % batches + 1) * COUNT)
        module.zero_grad()
        loss = F.cross_entropy(module(images[part]), targets[part])
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for parameter in module.parameters():
                parameter -= rate * parameter.grad
    results = {"images": images, "targets": targets.float(), "losses": torch.tensor(losses), "rate": torch.tensor([rate])}
    save_file(results, folder / "oracle.safetensors", {})


def main():
    # Of small networks, threads wait for each other longer than they compute.
    torch.set_num_threads(1)
    folder, steps, batches, *names = sys.argv[1:]
    for name in names:
        train(pathlib.Path(folder) / name, int(steps), int(batches), name)
    print("written")


if __name__ == "__main__":
    main()
