"""Exports every classifier of torchvision, and writes the table of docs/torchvision.md of what came of it.

    python3 lib/libtorch/src/test/python/torchvision_table.py export DIR [NAME ...]
    FLEETGRAD_EXPORTED=DIR ./mvnw -q test -Pwhole -pl lib/libtorch -am -Dtest=ExportedFoldersTest -Dsurefire.failIfNoSpecifiedTests=false
    python3 lib/libtorch/src/test/python/torchvision_table.py table DIR docs/torchvision.md

The first command takes some 15 minutes of a processor and 10 GB in DIR. A folder that is there already is left as it is. Networks of at
most 45 million parameters are exported with what PyTorch computes with them: logits, loss and each gradient, which the second command
compares. Of larger ones only the graph is exported and its shapes are checked.
"""

import json
import pathlib
import sys

import torch
from graph_oracle import exporter, write
from torchvision.models import get_model, list_models

COMPARED = 45_000_000
CLASSES = 10
FAMILIES = [
    ("AlexNet", "alexnet"), ("VGG", "vgg"), ("ResNet", "resnet"), ("Wide ResNet", "wide_resnet"), ("ResNeXt", "resnext"),
    ("DenseNet", "densenet"), ("GoogLeNet", "googlenet"), ("Inception", "inception"), ("SqueezeNet", "squeezenet"),
    ("MobileNet", "mobilenet"), ("MNASNet", "mnasnet"), ("ShuffleNet V2", "shufflenet"), ("EfficientNet V2", "efficientnet_v2"),
    ("EfficientNet", "efficientnet_b"), ("RegNet", "regnet"), ("ConvNeXt", "convnext"), ("Vision transformer", "vit"),
    ("Swin V2", "swin_v2"), ("Swin", "swin"), ("MaxViT", "maxvit"),
]
# Too large to initialize, and nobody reads their values.
UNSET = ("regnet_y_128gf", "vit_h_14", "vit_l_16", "vit_l_32")
SIDES = {"inception_v3": 80, "maxvit_t": 224, "vit_h_14": 56}


def make(name):
    arguments = {"weights": None, "num_classes": CLASSES}
    if name.startswith("vit"):
        arguments["image_size"] = SIDES.get(name, 64)
    if name in ("googlenet", "inception_v3"):
        # With them, a training has three outputs.
        arguments.update(aux_logits=False, init_weights=False)
    if name in UNSET:
        for each in ("kaiming_uniform_", "kaiming_normal_", "xavier_uniform_", "uniform_", "normal_", "trunc_normal_"):
            setattr(torch.nn.init, each, lambda tensor, *rest, **named: tensor)
    module = get_model(name, **arguments)
    return module, sum(parameter.numel() for parameter in module.parameters())


def export(folder, name):
    side = SIDES.get(name, 64)
    torch.manual_seed(0)
    module, count = make(name)
    row = {"name": name, "parameters": count, "side": side}
    try:
        if count <= COMPARED:
            write(folder, module, [3, side, side], 2)
            data = json.loads((folder / "network.json").read_text())
        else:
            data, _ = exporter.network(module, [3, side, side])
        packed = exporter.name_of(data)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "name.txt").write_text(packed)
        row.update(nodes=len(data["nodes"]), characters=len(packed))
    except exporter.Refused as refused:
        row["refused"] = str(refused).split(" is none of those")[0]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "row.json").write_text(json.dumps(row))
    print(json.dumps(row), flush=True)


def rows(folder):
    for title, prefix in FAMILIES:
        for path in sorted(folder.glob("*/row.json")):
            row = json.loads(path.read_text())
            first = next(own for own, each in FAMILIES if row["name"].startswith(each))
            if first == title:
                said = path.parent / "java.txt"
                row.setdefault("refused", None)
                row["java"] = said.read_text().strip() if said.exists() else "not checked"
                yield title, row


def result(row):
    if row["refused"]:
        return "refused: " + row["refused"]
    return {"same": "runs, as PyTorch", "shapes": "exported; shapes checked"}.get(row["java"], row["java"])


def table(folder, page):
    all_rows = list(rows(folder))
    running = [row for _, row in all_rows if row["java"] in ("same", "shapes") and not row["refused"]]
    compared = [row for row in running if row["java"] == "same"]
    lines = [
        f"Of {len(all_rows)} classifiers, {len(running)} are exported and fit a run. {len(compared)} of these were compared with PyTorch: logits in evaluation and in "
        "training, the loss, and each value",
        "of each gradient. Of the others, the graph was exported and its shapes were checked.",
        "",
        "| family | network | parameters | image | operators | characters | result |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for title, row in all_rows:
        size = f"{row['nodes']:,} | {row['characters']:,}" if not row["refused"] else " | "
        lines.append(
            f"| {title} | `{row['name']}` | {row['parameters'] / 1e6:,.1f} M | {row['side']} | {size} | {result(row)} |")
    begin, end = "<!-- table: begin -->", "<!-- table: end -->"
    text = page.read_text()
    before, after = text.split(begin)[0], text.split(end)[1]
    page.write_text(before + begin + "\n" + "\n".join(lines) + "\n" + end + after)


def main():
    command, folder, *rest = sys.argv[1:]
    folder = pathlib.Path(folder)
    if command == "export":
        import torchvision

        # The unset ones last: nothing is initialized after them.
        for name in sorted(rest or list_models(module=torchvision.models), key=lambda each: each in UNSET):
            if not (folder / name / "row.json").exists():
                export(folder / name, name)
    elif command == "table":
        table(folder, pathlib.Path(rest[0]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
