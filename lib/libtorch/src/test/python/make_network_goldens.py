"""Makes the golden files of the networks, with PyTorch and torchvision.

    python3 lib/libtorch/src/test/python/make_network_goldens.py [network ...]

With networks, only theirs are made anew in golden-networks.json, and the other two files are left as they are. A case that was
made with another PyTorch or with the kernels of a smaller processor than the others says so.

golden-layouts.json (of lib/networks): for each network as it usually is, counts, and the digest of its state_dict, a line
for each tensor: name, shape, and whether it is trainable or state.

golden-networks.json (of lib/libtorch), computed in float64, for each network at 32 by 32 pixels (the three for MNIST: 28 by
28), with values and images that a formula gives. Dropout is off (p = 0): its masks are each side's own. The formula, in
float64, cast to float32: element i of the k-th trainable tensor (k from 1, PyTorch's order)
is s = sqrt(3) (2 frac(43758.5453 sin(12.9898 i + 78.233 k)) - 1), times sqrt(2 / fan_in) in a matrix or kernel; 0.25 + 0.05 s
in any other weight, so that residuals stay smaller than what they are added to; 0.1 s in a bias; element i of the images is
0.5 + s with the k <= 0 that the file names; the loss's labels are 0, 1, 2 ... Token i of the texts is (i i + 3 i) mod
vocabulary, its label (7 i + 3) mod vocabulary, or -100, which does not count, where i mod 5 is 4. Token i of BERT's texts is 1 +
(i i + 3 i) mod (vocabulary - 1); each text is two tokens shorter than the one before, and filled up with 0. Series have the values of images. Rows of tables have numbers as
images have; in row i, the value of category c is (i i + 3 i + c) mod its values. Running statistics begin at 0 and 1.

As the formula has them: logits in training and in evaluation, the loss with label smoothing, and the norm of each running
statistic after one training forward. In evaluation the statistics are those, taken whole (momentum 1): with the default
statistics the logits of deep networks would be too large to compare.

Set apart: the loss and the norm of each gradient. A gradient jumps where a value passes the kink of a ReLU, or where another
value becomes the largest that a max-pooling sees. Of some million values a few are so close that one kernel rounds them to
this side and another to that, and a deep network makes a share of 0.01 of it: as a norm that cannot be compared. So gradients
are taken where no value is near a kink: the bias of each normalization is plus or minus (APART + its size), plus in even
channels. Then a ReLU lets a channel through whole or not at all, and residuals of one sign are added. The networks without
normalization, which the formula leaves as they are, and the max-poolings have few values near a kink: the k of the images is
the first where rounding four times as coarse as a float32's makes no gradient jump.
How a ReLU goes backward where its channel is mixed is held by LayerGradientTest.

Tolerances: see kernels.py. The floors are FLOOR of a figure, of the largest for logits, and in gradients besides FLOOR / 100
of the norm of the whole: a gradient that is zero but for rounding, as before a normalization, has rounding of that size.

golden-statistics.json: the running statistics of ResNet-20 after 50 steps of plain SGD, in float64, and the tolerance of the
distance from each, as vectors.
"""

import hashlib
import json
import pathlib
import sys

import numpy as np
import torch
from torch import nn

import kernels
import zoo

LIB = pathlib.Path(__file__).resolve().parents[4]
APART = 2.5
FLOOR = 1e-5


def noise(count, k):
    """Numbers of mean 0 and variance 1 that look random; a plain sine would make kernels that are multiples of each other,
    and with batch statistics a deep network then amplifies each rounding."""
    s = np.sin(12.9898 * np.arange(count, dtype=np.float64) + 78.233 * k) * 43758.5453
    return np.sqrt(3.0) * (2 * (s - np.floor(s)) - 1)


def formula(network):
    with torch.no_grad():
        for k, (name, value) in enumerate(zoo.trainable(network), start=1):
            s = noise(value.numel(), k)
            if value.dim() > 1:
                s *= np.sqrt(2.0 * value.shape[0] / value.numel())
            else:
                s = 0.25 + 0.05 * s if name.endswith("weight") else 0.1 * s
            value.copy_(torch.from_numpy(s.astype(np.float32)).reshape(value.shape))


def set_apart(network):
    with torch.no_grad():
        for module in network.modules():
            if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
                signs = torch.tensor([1.0, -1.0]).repeat(module.bias.numel() // 2)
                # In float32, whatever the network is in: both sides must have the same values.
                module.bias.copy_(signs * (APART + module.bias.abs()).float())


def tokens(network, count):
    """The texts and their labels."""
    i = torch.arange(count * network.config.n_positions)
    labels = torch.where(i % 5 == 4, -100, (7 * i + 3) % network.config.vocab_size)
    return ((i * i + 3 * i) % network.config.vocab_size).reshape(count, -1), labels


def padded(network, count, context):
    """Texts of BERT's, each two tokens shorter than the one before, and filled up with 0."""
    i = torch.arange(count * context)
    text = (1 + (i * i + 3 * i) % (network.config.vocab_size - 1)).reshape(count, -1)
    lengths = context - 2 * torch.arange(count)
    return torch.where(torch.arange(context) < lengths[:, None], text, 0), torch.arange(count)


def rows(network, count, k, dtype):
    """Rows of a table: numbers as images have, and values of categories."""
    i = torch.arange(count)[:, None]
    values = torch.cat([(i * i + 3 * i + c) % rows for c, rows in enumerate(network.categories)], 1)
    return torch.cat([images((count, network.numbers), k).to(dtype), values.to(dtype)], 1), torch.arange(count)


def samples(network, name, k, dtype):
    """A batch and its labels."""
    if name.startswith("tabular"):
        return rows(network, batch(name), k, dtype)
    if name.startswith("series"):
        x = images((batch(name), *network.series), k).to(dtype)
        return x, torch.arange(len(x))
    if name.startswith("bert"):
        return padded(network, batch(name), int(name.split("context=")[1].split("&")[0]))
    if name.startswith("gpt2"):
        return tokens(network, batch(name))
    x = images((batch(name), *zoo.small_input(name)), k).to(dtype)
    return x, torch.arange(len(x))


def logits_of(network, x):
    """One row for each prediction."""
    if hasattr(network, "bert"):
        return network(x, attention_mask=(x != 0).long()).logits
    out = network(x)
    return out.logits.flatten(0, 1) if hasattr(out, "logits") else out


def images(shape, k=0):
    return torch.from_numpy((0.5 + noise(int(np.prod(shape)), k)).astype(np.float32)).reshape(shape)


def set_modules(network, momentum):
    for module in network.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
            module.momentum = momentum
        if isinstance(module, (nn.Dropout, nn.Dropout2d)):
            module.p = 0.0


def state(network):
    return {
        name: value
        for name, value in network.named_buffers()
        if not name.endswith("num_batches_tracked") and name in network.state_dict()
    }


def rounded(values):
    return [float(f"{value:.7g}") for value in values]


def layout(name):
    with torch.device("meta"):
        network = zoo.usual(name)
    trainable = dict(zoo.trainable(network))
    order = list(trainable) if name.startswith(("bert", "gpt2", "vit")) else list(network.state_dict())
    lines = []
    for tensor in order:
        if not tensor.endswith("num_batches_tracked"):
            value = network.state_dict()[tensor]
            kind = "trainable" if tensor in trainable else "state"
            lines.append(f"{tensor} {list(value.shape)} {kind}")
    return {
        "parameters": sum(value.numel() for value in trainable.values()),
        "state": sum(value.numel() for value in state(network).values()),
        "sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
    }


def batch(name):
    """Two where no normalization needs more, since half as many values come near a kink."""
    return 2 if name.startswith("vgg") and not name.endswith("_bn") else 4


def gradients(name, k, dtype, draw=0, size=2.0**-23):
    """The loss, and the norm of each gradient, set apart."""
    network = zoo.small(name)
    formula(network)
    network.to(dtype)
    set_modules(network, 1.0)
    kernels.jitter(network, draw, size)
    return set_apart_gradients(network, *samples(network, name, k, dtype))


def set_apart_gradients(network, x, labels):
    set_apart(network)
    loss = nn.functional.cross_entropy(logits_of(network.train(), x), labels)
    loss.backward()
    return [loss.item()], [value.grad.double().norm().item() for _, value in zoo.trainable(network)]


def measured(name, k, dtype, draw=0):
    network = zoo.small(name)
    formula(network)
    network.to(dtype)
    set_modules(network, 1.0)
    kernels.jitter(network, draw)
    x, labels = samples(network, name, k, dtype)
    with torch.no_grad():
        logits = logits_of(network.train(), x)
        smoothed = nn.functional.cross_entropy(logits, labels, label_smoothing=0.1)
        statistics = [value.double().norm().item() for value in state(network).values()]
        evaluated = logits_of(network.eval(), x)
    loss, gradient = set_apart_gradients(network, x, labels)
    return {
        "train_logits": logits.flatten().tolist(),
        "eval_logits": evaluated.flatten().tolist(),
        "smoothed_loss": [smoothed.item()],
        "state_l2": statistics,
        "loss": loss,
        "gradient_l2": gradient,
    }


def whole(norms):
    return float(np.sqrt(np.sum(np.square(norms))))


def smooth_images(name):
    """The first images where no gradient jumps, by FLOOR of the whole, at roundings of four times the size."""
    for k in range(0, -100, -1):
        _, exact = gradients(name, k, torch.float64)
        drawn = [gradients(name, k, torch.float32, draw, 2.0**-21)[1] for draw in range(1, kernels.DRAWS + 1)]
        if max(kernels.distances(exact, drawn)) < FLOOR * whole(exact):
            return k
    raise SystemExit(f"{name}: all images have a value near a kink")


def case(name, k, exact, others):
    golden = {"count": batch(name), "images": k}
    for kind, figures in exact.items():
        largest = max(map(abs, figures), default=0.0)
        floor = lambda figure: FLOOR * abs(figure)
        if "logits" in kind:
            floor = lambda figure: FLOOR * largest
        elif kind == "gradient_l2":
            floor = lambda figure: FLOOR * figure + FLOOR / 100 * whole(figures)
        tolerances = kernels.tolerances(figures, [other[kind] for other in others], floor)
        # All logits are sums of the same size, so that one which is right by chance has the tolerance of the others.
        golden[kind] = {
            "figures": rounded(figures),
            "tolerances": [max(tolerances)] * len(figures) if "logits" in kind else tolerances,
        }
    return golden


def statistics(dtype, draw=0, name="resnet20", steps=50, rate=2e-5):
    network = zoo.small(name)
    formula(network)
    network.to(dtype).train()
    kernels.jitter(network, draw)
    for step, x in enumerate(images((steps * 8, *zoo.small_input(name))).to(dtype).split(8)):
        network.zero_grad()
        labels = (torch.arange(8) + step) % 10
        nn.functional.cross_entropy(network(x), labels).backward()
        with torch.no_grad():
            for value in network.parameters():
                value -= rate * value.grad
    values = {tensor: value.tolist() for tensor, value in state(network).items()}
    return {"network": name, "steps": steps, "batch": 8, "learning_rate": rate, "state": values}


def statistics_golden(others):
    golden = statistics(torch.float64)
    golden["tolerances"] = {}
    for tensor, values in golden["state"].items():
        away = [[float(np.linalg.norm(np.subtract(other["state"][tensor], values)))] for other in others]
        least = FLOOR / 10 * float(np.linalg.norm(values))
        golden["tolerances"][tensor] = kernels.tolerances([0.0], away, lambda _: least)[0]
        golden["state"][tensor] = rounded(values)
    return golden


def write(path, value, indented=False):
    path.write_text(json.dumps(value, indent=1) + "\n" if indented else json.dumps(value, separators=(",", ":")) + "\n")


def in_float32(request, draw):
    return {
        "networks": {name: measured(name, k, torch.float32, draw) for name, k in request.items()},
        "statistics": None if all(name in zoo.SCALED for name in request) else statistics(torch.float32, draw),
    }


def layouts():
    write(LIB / "networks/src/test/resources/golden-layouts.json", {name: layout(name) for name in zoo.NAMES}, True)


def main(only):
    path = LIB / "libtorch/src/test/resources/golden-networks.json"
    if not only:
        layouts()
    chosen = {}
    for name in only or [*zoo.IMAGES, *zoo.SCALED]:
        chosen[name] = smooth_images(name)
        print(name, "has images", chosen[name], file=sys.stderr, flush=True)
    others = kernels.with_each(__file__, chosen)
    made_with = f"PyTorch {torch.__version__}, {kernels.MADE_WITH}"
    golden = json.loads(path.read_text()) if only else {"made_with": made_with, "cases": {}}
    cases = golden["cases"]
    for name, k in chosen.items():
        cases[name] = case(name, k, measured(name, k, torch.float64), [other["networks"][name] for other in others])
        if made_with != golden["made_with"]:
            cases[name]["made_with"] = made_with
    write(path, golden)
    if not only:
        write(
            LIB / "libtorch/src/test/resources/golden-statistics.json",
            statistics_golden([other["statistics"] for other in others]),
        )


if __name__ == "__main__":
    kernel = kernels.asked()
    main(sys.argv[1:]) if kernel is None else kernels.answer(kernel, in_float32)
