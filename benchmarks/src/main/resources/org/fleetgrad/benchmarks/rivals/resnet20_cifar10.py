"""The recipe resnet20-cifar10 in plain PyTorch, on one machine: what docs/training.md compares Fleetgrad's runs with.

usage: resnet20_cifar10.py FOLDER EPOCHS SEED...

FOLDER has CIFAR-10's binary records, as files *train*.bin.gz and *test*.bin.gz. Prints a line for each seed.
"""

import glob
import gzip
import math
import sys
import time

import numpy as np
import torch
from networks import NETWORKS
from torch import nn
from torch.nn import functional as F

BATCH, RATE, MOMENTUM, DECAY, CLIP = 128, 0.1, 0.9, 1e-4, 2.0
WARMUP_EPOCHS, WARMUP_FROM = 1, 0.01


def resnet20():
    network = NETWORKS["resnet20"]()
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    return network


def read(pattern):
    with gzip.open(glob.glob(pattern)[0]) as file:
        records = np.frombuffer(file.read(), dtype=np.uint8).reshape(-1, 3073)
    images = torch.from_numpy(records[:, 1:].astype(np.float32) / 255).reshape(-1, 3, 32, 32)
    return images, torch.from_numpy(records[:, 0].astype(np.int64))


def augmented(images):
    padded = F.pad(images, (4, 4, 4, 4), mode="reflect")
    changed = torch.empty_like(images)
    for i in range(len(images)):
        top, left = torch.randint(0, 9, (2,)).tolist()
        crop = padded[i, :, top : top + 32, left : left + 32]
        changed[i] = crop.flip(2) if torch.rand(()) < 0.5 else crop
    return changed


def factor(samples, all_samples, epoch_samples):
    cosine = (1 + math.cos(math.pi * samples / all_samples)) / 2
    rise = min(1.0, samples / (WARMUP_EPOCHS * epoch_samples))
    return cosine * (WARMUP_FROM + (1 - WARMUP_FROM) * rise)


def run(train, test, epochs, seed):
    torch.manual_seed(seed)
    (images, labels), (held_images, held_labels) = train, test
    network = resnet20()
    matrices = [p for p in network.parameters() if p.ndim > 1]
    others = [p for p in network.parameters() if p.ndim <= 1]
    optimizer = torch.optim.SGD(
        [{"params": matrices, "weight_decay": DECAY}, {"params": others, "weight_decay": 0}],
        lr=RATE,
        momentum=MOMENTUM,
    )
    seen, begin = 0, time.monotonic()
    for _ in range(epochs):
        network.train()
        for batch in torch.randperm(len(images)).split(BATCH):
            for group in optimizer.param_groups:
                group["lr"] = RATE * factor(seen, epochs * len(images), len(images))
            optimizer.zero_grad()
            F.cross_entropy(network(augmented(images[batch])), labels[batch]).backward()
            nn.utils.clip_grad_norm_(network.parameters(), CLIP)
            optimizer.step()
            seen += len(batch)
    seconds = time.monotonic() - begin
    network.eval()
    with torch.no_grad():
        right = sum((network(x).argmax(1) == y).sum().item() for x, y in zip(held_images.split(500), held_labels.split(500)))
    print(f"seed {seed}: accuracy {right / len(held_labels):.4f}, {seen / seconds:.0f} samples/s", flush=True)
    return right / len(held_labels)


def main():
    folder, epochs, seeds = sys.argv[1], int(sys.argv[2]), [int(seed) for seed in sys.argv[3:]]
    torch.set_num_threads(2)
    train, test = read(folder + "/*train*.bin.gz"), read(folder + "/*test*.bin.gz")
    mean = train[0].mean(dim=(0, 2, 3), keepdim=True)
    std = train[0].std(dim=(0, 2, 3), keepdim=True)
    train, test = [((images - mean) / std, labels) for images, labels in (train, test)]
    results = [run(train, test, epochs, seed) for seed in seeds]
    print(f"mean {np.mean(results):.4f}, from {min(results):.4f} to {max(results):.4f}")


if __name__ == "__main__":
    main()
