"""Exports modules with python/fleetgrad_export.py and says what PyTorch computes with them.

    graph_oracle.py FOLDER MODULE INPUT COUNT QUESTION [KEY=VALUE ...]

QUESTION is `classes`, `number` or `labels`. Writes the network and `oracle.safetensors`: samples and targets, their outputs in evaluation
and in training, the loss, and each gradient, all in float64 and rounded to float32; and `distance`, how far PyTorch's own float32 is from
them. Without dropout, whose masks nobody else draws.
"""

import ast
import importlib.util
import json
import pathlib
import sys
import warnings

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

warnings.simplefilter("ignore")
root = pathlib.Path(__file__).resolve().parents[5] if "__file__" in globals() else pathlib.Path(sys.argv.pop(1))
spec = importlib.util.spec_from_file_location("fleetgrad_export", root / "python/fleetgrad_export.py")
exporter = importlib.util.module_from_spec(spec)
spec.loader.exec_module(exporter)


def targets_of(question, outputs):
    count, width = outputs.shape
    if question == "classes":
        return torch.arange(count) % width
    if question == "number":
        return torch.sin(torch.arange(count))
    return (torch.arange(count)[:, None] + torch.arange(width)) % 3 % 2


def loss_of(question, outputs, targets):
    if question == "classes":
        return F.cross_entropy(outputs, targets)
    if question == "number":
        return F.mse_loss(outputs[:, 0], targets.to(outputs.dtype))
    return F.binary_cross_entropy_with_logits(outputs, targets.to(outputs.dtype))


def run(module, images, question):
    """Returns what a module computes: outputs of an evaluation; then those of a training, its loss and the gradients."""
    module = module.eval()
    with torch.no_grad():
        results = {"eval_logits": module(images)}
    module = module.train()
    module.zero_grad()
    logits = module(images)
    targets = targets_of(question, logits)
    loss = loss_of(question, logits, targets)
    loss.backward()
    results["train_logits"] = logits.detach()
    results["targets"] = targets
    results["loss"] = loss.detach().reshape(1)
    for name, parameter in module.named_parameters():
        if parameter.grad is not None:
            results["gradient." + name] = parameter.grad.detach().clone()
    return results


def without_dropout(module):
    for layer in module.modules():
        for name in ("p", "dropout", "attention_dropout", "drop_prob", "drop_rate"):
            if isinstance(getattr(layer, name, None), float):
                setattr(layer, name, 0.0)
    return module


def write(folder, module, shape, count, question="classes"):
    torch.manual_seed(1)
    module = without_dropout(module)
    for name, parameter in module.named_parameters():
        # Scales that are initialized with 0, or nearly, hide what is behind them.
        if parameter.abs().max() < 1e-3:
            torch.nn.init.normal_(parameter, 0.0, 0.1)
    data, tensors = exporter.network(module, shape)
    name = exporter.name_of(data)
    tensors = {key: value.clone().contiguous() for key, value in tensors.items()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "network.json").write_text(json.dumps(data))
    images = torch.randn(count, *shape)
    state = {key: value.clone() for key, value in module.state_dict().items()}
    exact = run(module.double(), images.double(), question)
    module = module.float()
    with torch.no_grad():
        # Not load_state_dict, which some modules have of their own.
        for key, value in module.state_dict().items():
            value.copy_(state[key])
    near = run(module, images, question)
    distance = {key: (near[key].double() - exact[key]).abs().max().item() for key in exact}
    save_file(tensors, folder / "model.safetensors", {"network": name})
    results = {key: value.float().contiguous() for key, value in exact.items()}
    results["images"] = images
    save_file(results, folder / "oracle.safetensors", {"distance": json.dumps(distance)})


def main():
    folder, target, shape, count, question, *arguments = sys.argv[1:]
    named = {}
    for argument in arguments:
        key, _, text = argument.partition("=")
        named[key] = ast.literal_eval(text)
    torch.manual_seed(0)
    try:
        module = exporter.make(target, named)
        write(pathlib.Path(folder), module, [int(side) for side in shape.split("x")], int(count), question)
        print("written")
    except exporter.Refused as refused:
        print(f"refused: {refused}")


if __name__ == "__main__":
    main()
