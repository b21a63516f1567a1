"""The networks in plain PyTorch, for images of 32x32 and ten classes; LeNet-5 for 28x28. Transformers as their libraries have them."""

import torch
import torch.nn.functional as F
from torch import nn


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
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(torch.flatten(x, 1)))
        return self.fc3(F.relu(self.fc2(x)))


class Block(nn.Module):
    """torchvision's BasicBlock; without a projection, the padded shortcut of the CIFAR ResNets."""

    def __init__(self, before, after, stride, projects):
        super().__init__()
        self.stride, self.padding = stride, (after - before) // 2
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(after)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)
        self.downsample = None
        if projects and before != after:
            self.downsample = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x):
        out = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        if self.downsample is not None:
            x = self.downsample(x)
        elif self.padding:
            x = F.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, self.padding, self.padding))
        out += x
        return self.relu(out)


def resnet(widths, blocks, projects):
    layers = [nn.Conv2d(3, widths[0], 3, 1, 1, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU(inplace=True)]
    before = widths[0]
    for width in widths:
        for _ in range(blocks):
            layers.append(Block(before, width, 1 if before == width else 2, projects))
            before = width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 10))


def vgg11():
    layers, before = [], 3
    for width in (64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"):
        if width == "M":
            layers.append(nn.MaxPool2d(2))
        else:
            layers += [nn.Conv2d(before, width, 3, padding=1), nn.ReLU(inplace=True)]
            before = width
    head = [nn.Linear(512, 512), nn.ReLU(True), nn.Dropout(), nn.Linear(512, 512), nn.ReLU(True), nn.Dropout()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), *head, nn.Linear(512, 10))


NETWORKS = {
    "lenet5": LeNet5,
    "resnet18": lambda: resnet((64, 128, 256, 512), 2, True),
    "resnet20": lambda: resnet((16, 32, 64), 3, False),
    "vgg11": vgg11,
}


def images(name, count):
    """Random images of the shape that a network takes."""
    return torch.randn(count, *((1, 28, 28) if name == "lenet5" else (3, 32, 32)))


class Logits(nn.Module):
    """One row of logits for each token."""

    def __init__(self, language_model):
        super().__init__()
        self.language_model = language_model

    def forward(self, tokens):
        return self.language_model(tokens, use_cache=False).logits.flatten(0, 1)


def transformer(name, count):
    """The network of a complete name without dropout, and random samples with their labels."""
    base, arguments = name.split("?")
    sizes = dict(argument.split("=") for argument in arguments.split("&"))
    layers, heads, width = (int(sizes[key]) for key in ("layers", "heads", "width"))
    if base == "vit":
        from torchvision.models import VisionTransformer

        side, classes = int(sizes["input"].split("x")[1]), int(sizes["classes"])
        network = VisionTransformer(side, int(sizes["patch"]), layers, heads, width, 4 * width, num_classes=classes)
        return network, torch.randn(count, 3, side, side), torch.randint(classes, (count,))
    from transformers import GPT2Config, GPT2LMHeadModel

    context, vocabulary = int(sizes["context"]), int(sizes["vocabulary"])
    config = GPT2Config(
        n_layer=layers, n_head=heads, n_embd=width, n_positions=context, vocab_size=vocabulary, resid_pdrop=0,
        embd_pdrop=0, attn_pdrop=0, bos_token_id=None, eos_token_id=None,
    )
    tokens, labels = torch.randint(vocabulary, (2, count, context))
    return Logits(GPT2LMHeadModel(config).train()), tokens, labels.flatten()
