"""LeNet-5 on MNIST in plain PyTorch: what the first model of `fleetgrad train` is compared with.

usage: first_model.py FOLDER TARGET BATCH RATE MOMENTUM THREADS

FOLDER has MNIST's IDX files, plain or .gz. Prints a line when it has begun, when torch is there, after the first and the thousandth
step, and when the accuracy on the held-out images has reached TARGET, with the training samples until then.
"""

print("PROGRAMS", flush=True)

import glob
import gzip
import sys

import numpy as np
import torch
from networks import NETWORKS
from torch.nn import functional as F

print("LIBTORCH", flush=True)

EVALUATED_EVERY = 250


def read(folder, kind, offset):
    path = glob.glob(f"{folder}/*{kind}*")[0]
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return np.frombuffer(file.read(), dtype=np.uint8, offset=offset)


def dataset(folder, part):
    images = torch.from_numpy(read(folder, f"{part}-images", 16).astype(np.float32) / 255).reshape(-1, 1, 28, 28)
    return images, torch.from_numpy(read(folder, f"{part}-labels", 8).astype(np.int64))


def accuracy(network, images, labels):
    with torch.no_grad():
        right = sum((network(x).argmax(1) == y).sum().item() for x, y in zip(images.split(500), labels.split(500)))
    return right / len(labels)


def main():
    folder, target, batch, threads = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[6])
    torch.set_num_threads(threads)
    (images, labels), (held_images, held_labels) = dataset(folder, "train"), dataset(folder, "t10k")
    mean, std = images.mean(), images.std()
    images, held_images = (images - mean) / std, (held_images - mean) / std
    network = NETWORKS["lenet5"]()
    optimizer = torch.optim.SGD(network.parameters(), lr=float(sys.argv[4]), momentum=float(sys.argv[5]))
    steps = samples = 0
    while True:
        for chosen in torch.randperm(len(images)).split(batch):
            optimizer.zero_grad()
            F.cross_entropy(network(images[chosen]), labels[chosen]).backward()
            optimizer.step()
            steps += 1
            samples += len(chosen)
            if steps == 1:
                print("GRADIENT", flush=True)
            if steps == 1000:
                print("THOUSANDTH", flush=True)
            if steps % EVALUATED_EVERY == 0 and steps >= 1000 and accuracy(network, held_images, held_labels) >= target:
                print(f"TARGET {samples}", flush=True)
                return


if __name__ == "__main__":
    main()
