"""The networks of the zoo in PyTorch: torchvision's where it has them, else as their papers or examples have them."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

try:
    import torchvision
except RuntimeError:
    # A wheel built for another PyTorch looks for its own operators, which these networks do not use.
    _library = torch.library.Library("torchvision", "DEF")
    _library.define("nms(Tensor dets, Tensor scores, float threshold) -> Tensor")
    import torchvision


class LeNet5(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(torch.flatten(x, 1)))
        return self.fc3(F.relu(self.fc2(x)))


class MnistCnn(nn.Module):
    """PyTorch's early MNIST example."""

    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 10, 5)
        self.conv2 = nn.Conv2d(10, 20, 5)
        self.conv2_drop = nn.Dropout2d()
        self.fc1 = nn.Linear(320, 50)
        self.fc2 = nn.Linear(50, classes)
        self.dropout = nn.Dropout()

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = F.relu(F.max_pool2d(self.conv2_drop(self.conv2(x)), 2))
        x = F.relu(self.fc1(x.view(-1, 320)))
        return self.fc2(self.dropout(x))


class Mlp(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.fc1 = nn.Linear(784, 256)
        self.fc2 = nn.Linear(256, classes)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(torch.flatten(x, 1))))


class Rows(nn.Module):
    """The numbers of a row, and the embeddings of its categories, whose width is fast.ai's."""

    def __init__(self, numbers, categories):
        super().__init__()
        self.numbers, self.categories = numbers, categories
        if categories:
            self.embeddings = nn.ModuleList([nn.Embedding(rows, min(600, round(1.6 * rows**0.56))) for rows in categories])
        self.features = numbers + sum(table.embedding_dim for table in self.embeddings) if categories else numbers

    def joined(self, x):
        if not self.categories:
            return x
        values = x[:, self.numbers :].long()
        return torch.cat([x[:, : self.numbers], *(table(values[:, i]) for i, table in enumerate(self.embeddings))], 1)


class Tabular(Rows):
    def __init__(self, numbers=10, categories=(), hidden=(128, 64), outputs=2):
        super().__init__(numbers, categories)
        sizes = [self.features, *hidden, outputs]
        self.layers = len(sizes) - 1
        for i in range(self.layers):
            setattr(self, f"fc{i + 1}", nn.Linear(sizes[i], sizes[i + 1]))

    def forward(self, x):
        x = self.joined(x)
        for i in range(1, self.layers):
            x = F.relu(getattr(self, f"fc{i}")(x))
        return getattr(self, f"fc{self.layers}")(x)


class TabularBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.fc1 = nn.Linear(width, 2 * width)
        self.fc2 = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.fc2(F.relu(self.fc1(self.norm(x))))


class TabularResNet(Rows):
    """Y. Gorishniy et al. 2021."""

    def __init__(self, numbers=10, categories=(), width=128, layers=2, outputs=2):
        super().__init__(numbers, categories)
        self.first = nn.Linear(self.features, width)
        self.blocks = nn.Sequential(*(TabularBlock(width) for _ in range(layers)))
        self.norm = nn.BatchNorm1d(width)
        self.head = nn.Linear(width, outputs)

    def forward(self, x):
        return self.head(F.relu(self.norm(self.blocks(self.first(self.joined(x))))))


class SeriesConv(nn.Module):
    """Z. Wang et al. 2017, with a max-pooling between two convolutions."""

    def __init__(self, channels=1, length=128, hidden=64, layers=2, outputs=2):
        super().__init__()
        self.layers = layers
        self.series = (channels, length)
        for i in range(1, layers + 1):
            setattr(self, f"conv{i}", nn.Conv1d(channels if i == 1 else hidden, hidden, 7, padding=3, bias=False))
            setattr(self, f"norm{i}", nn.BatchNorm1d(hidden))
        self.head = nn.Linear(hidden, outputs)

    def forward(self, x):
        for i in range(1, self.layers + 1):
            x = F.relu(getattr(self, f"norm{i}")(getattr(self, f"conv{i}")(x)))
            if i < self.layers and x.shape[2] > 1:
                x = F.max_pool1d(x, 2)
        return self.head(x.mean(2))


class SeriesLstm(nn.Module):
    def __init__(self, channels=1, length=128, hidden=64, layers=2, outputs=2):
        super().__init__()
        self.series = (channels, length)
        self.lstm = nn.LSTM(channels, hidden, layers, batch_first=True)
        self.head = nn.Linear(hidden, outputs)

    def forward(self, x):
        _, (state, _) = self.lstm(x.transpose(1, 2))
        return self.head(state[-1])


class CifarBlock(nn.Module):
    """Option A of He et al. 2016: a shortcut without parameters."""

    def __init__(self, before, after):
        super().__init__()
        self.stride = 1 if before == after else 2
        self.padding = (after - before) // 2
        self.conv1 = nn.Conv2d(before, after, 3, self.stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)

    def forward(self, x):
        out = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)), inplace=True)))
        if self.padding:
            x = F.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, self.padding, self.padding))
        out += x
        return F.relu(out, inplace=True)


class CifarResNet(nn.Module):
    def __init__(self, depth, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        before = 16
        for stage, width in enumerate((16, 32, 64), start=1):
            blocks = []
            for _ in range((depth - 2) // 6):
                blocks.append(CifarBlock(before, width))
                before = width
            setattr(self, f"layer{stage}", nn.Sequential(*blocks))
        self.fc = nn.Linear(64, classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)), inplace=True)
        x = self.layer3(self.layer2(self.layer1(x)))
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class WideBlock(nn.Module):
    """Zagoruyko, Komodakis 2016, figure 1d without dropout: normalization and ReLU first."""

    def __init__(self, before, after, stride):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(before)
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.convShortcut = None if before == after else nn.Conv2d(before, after, 1, stride, bias=False)

    def forward(self, x):
        activated = F.relu(self.bn1(x))
        out = self.conv2(F.relu(self.bn2(self.conv1(activated))))
        return out + (x if self.convShortcut is None else self.convShortcut(activated))


class WideResNet(nn.Module):
    def __init__(self, depth, widening, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        before = 16
        for stage, width in enumerate((16, 32, 64), start=1):
            blocks = []
            for i in range((depth - 4) // 6):
                blocks.append(WideBlock(before, width * widening, 2 if i == 0 and stage > 1 else 1))
                before = width * widening
            setattr(self, f"block{stage}", nn.Sequential())
            getattr(self, f"block{stage}").layer = nn.Sequential(*blocks)
        self.bn1 = nn.BatchNorm2d(before)
        self.fc = nn.Linear(before, classes)

    def forward(self, x):
        x = self.block3(self.block2(self.block1(self.conv1(x))))
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(F.relu(self.bn1(x)), 1), 1))


def gpt2(layers, heads, width, context=1024, vocabulary=50257, tied=True):
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(
        GPT2Config(
            n_layer=layers,
            n_head=heads,
            n_embd=width,
            n_positions=context,
            vocab_size=vocabulary,
            tie_word_embeddings=tied,
            attn_implementation="eager",
            use_cache=False,
            bos_token_id=None,
            eos_token_id=None,
        )
    )


def bert(layers, heads, width, positions=512, vocabulary=30522, classes=2):
    from transformers import BertConfig, BertForSequenceClassification

    return BertForSequenceClassification(
        BertConfig(
            num_hidden_layers=layers,
            num_attention_heads=heads,
            hidden_size=width,
            intermediate_size=4 * width,
            max_position_embeddings=positions,
            vocab_size=vocabulary,
            num_labels=classes,
            attention_probs_dropout_prob=0.0,
            hidden_dropout_prob=0.0,
            attn_implementation="eager",
        )
    )


def vit(image=32, patch=4, layers=6, heads=4, width=128, classes=10):
    return torchvision.models.VisionTransformer(image, patch, layers, heads, width, 4 * width, num_classes=classes)


def trainable(network):
    """The trainable tensors, in the order of computation: torchvision's class token comes before the patches' convolution."""
    named = dict(network.named_parameters())
    token = named.pop("class_token", None)
    for name, value in named.items():
        yield name, value
        if name == "conv_proj.bias" and token is not None:
            yield "class_token", token


def load(network, tensors):
    """Loads the tensors of a file, which has the weight of tied logits only once."""
    if is_tied(network):
        tensors = {**tensors, "lm_head.weight": tensors["transformer.wte.weight"]}
    return network.load_state_dict(tensors, strict=True)


def saved(network):
    """The tensors of a file."""
    return {name: value for name, value in network.state_dict().items() if name != "lm_head.weight" or not is_tied(network)}


def is_tied(network):
    return hasattr(network, "lm_head") and network.config.tie_word_embeddings


def with_cifar_stem(network):
    network.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
    network.maxpool = nn.Identity()
    return network


def with_cifar_head(network, classes):
    network.avgpool = nn.AdaptiveAvgPool2d(1)
    network.classifier[0] = nn.Linear(512, 512)
    network.classifier[3] = nn.Linear(512, 512)
    network.classifier[6] = nn.Linear(512, classes)
    return network


SMALL = {"lenet5": LeNet5, "mnist-cnn": MnistCnn, "mlp": Mlp}
CIFAR = {f"resnet{depth}": functools.partial(CifarResNet, depth) for depth in (20, 32, 44, 56, 110)}
RESNETS = [f"resnet{depth}" for depth in (18, 34, 50, 101, 152)]
VGGS = [f"vgg{depth}{norm}" for depth in (11, 13, 16, 19) for norm in ("", "_bn")]
WIDE = {f"wrn-{depth}-{widening}": functools.partial(WideResNet, depth, widening) for depth, widening in ((16, 4), (28, 10))}
GPT2 = {"gpt2": (12, 12, 768), "gpt2-medium": (24, 16, 1024)}
BERT = {"bert": (2, 2, 128), "bert-base": (12, 12, 768)}
TABULAR = {"tabular": Tabular, "tabular-resnet": TabularResNet}
SERIES = {"series": SeriesConv}
VITS = [f"vit_{size}_{patch}" for size in "bl" for patch in (16, 32)]
SCALED = {
    "bert?classes=4&context=12&dropout=0&heads=4&layers=2&padding=0&positions=16&vocabulary=40&width=32": functools.partial(
        bert, 2, 4, 32, 16, 40, 4
    ),
    "gpt2?context=16&dropout=0&heads=4&layers=2&tied=yes&vocabulary=40&width=32": functools.partial(gpt2, 2, 4, 32, 16, 40),
    "gpt2?context=16&dropout=0&heads=2&layers=3&tied=no&vocabulary=30&width=24": functools.partial(gpt2, 3, 2, 24, 16, 30, False),
    "series?classes=4&hidden=8&input=3x21&kind=conv&layers=3": functools.partial(SeriesConv, 3, 21, 8, 3, 4),
    "series?classes=4&hidden=6&input=3x21&kind=lstm&layers=1": functools.partial(SeriesLstm, 3, 21, 6, 1, 4),
    "series?classes=5&hidden=16&input=1x40&kind=lstm&layers=2": functools.partial(SeriesLstm, 1, 40, 16, 2, 5),
    "tabular?categories=5,30&classes=4&dropout=0&hidden=16,8&numbers=6": functools.partial(Tabular, 6, (5, 30), (16, 8), 4),
    "tabular-resnet?categories=5,30&classes=4&dropout=0&layers=2&numbers=6&width=16": functools.partial(
        TabularResNet, 6, (5, 30), 16, 2, 4
    ),
    "vit?classes=10&dropout=0&heads=4&input=3x32x32&layers=2&patch=8&width=64": functools.partial(vit, 32, 8, 2, 4, 64),
}
IMAGES = sorted([*SMALL, *CIFAR, *RESNETS, *VGGS, *WIDE])
NAMES = sorted([*IMAGES, *BERT, *GPT2, *SERIES, *TABULAR, *VITS, "vit"])


def usual(name):
    """The network for the images that it is usually trained on: torchvision's as torchvision has it."""
    if name in SMALL:
        return SMALL[name]()
    if name in CIFAR:
        return CIFAR[name]()
    if name in WIDE:
        return WIDE[name]()
    if name in GPT2:
        return gpt2(*GPT2[name])
    if name in BERT:
        return bert(*BERT[name])
    if name in SERIES:
        return SERIES[name]()
    if name in TABULAR:
        return TABULAR[name]()
    if name == "vit":
        return vit()
    return getattr(torchvision.models, name)()


def small(name, classes=10):
    """The network for 32 by 32 pixels in colour; the three for MNIST, for its 28 by 28."""
    if name in SMALL:
        return SMALL[name](classes)
    if name in CIFAR:
        return CIFAR[name](classes=classes)
    if name in WIDE:
        return WIDE[name](classes=classes)
    if name in SCALED:
        return SCALED[name]()
    network = getattr(torchvision.models, name)(num_classes=classes) if name in RESNETS else None
    if network is not None:
        return with_cifar_stem(network)
    # Without torchvision's head, which would draw 120 million values for nothing.
    with torch.device("meta"):
        network = getattr(torchvision.models, name)(num_classes=classes, init_weights=False)
    network = with_cifar_head(network, classes)
    return network.to_empty(device="cpu").apply(reset)


def reset(module):
    if hasattr(module, "reset_parameters"):
        module.reset_parameters()


def small_input(name):
    return (1, 28, 28) if name in SMALL else (3, 32, 32)
