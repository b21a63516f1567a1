"""Exports modules with python/fleetgrad_export.py and says what PyTorch computes with them.

    graph_oracle.py FOLDER MODULE INPUT COUNT [KEY=VALUE ...]

Writes the network and `oracle.safetensors`: an input, its logits in evaluation and in training, the loss of the labels 0, 1, 2 and so on
modulo the classes, and each gradient, all in float64 and rounded to float32; and `distance`, how far PyTorch's own float32 is from them.
Without dropout, whose masks nobody else draws.
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


def run(module, images):
    """Returns what a module computes: logits of an evaluation; then those of a training, its loss and the gradients."""
    labels = torch.arange(len(images)) % 10
    module = module.eval()
    with torch.no_grad():
        results = {"eval_logits": module(images)}
    module = module.train()
    module.zero_grad()
    logits = module(images)
    loss = F.cross_entropy(logits, labels)
    loss.backward()
    results["train_logits"] = logits.detach()
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


def write(folder, module, shape, count):
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
    exact = run(module.double(), images.double())
    module = module.float()
    with torch.no_grad():
        # Not load_state_dict, which some modules have of their own.
        for key, value in module.state_dict().items():
            value.copy_(state[key])
    near = run(module, images)
    distance = {key: (near[key].double() - exact[key]).abs().max().item() for key in exact}
    save_file(tensors, folder / "model.safetensors", {"network": name})
    results = {key: value.float().contiguous() for key, value in exact.items()}
    results["images"] = images
    save_file(results, folder / "oracle.safetensors", {"distance": json.dumps(distance)})


def main():
    folder, target, shape, count, *arguments = sys.argv[1:]
    named = {}
    for argument in arguments:
        key, _, text = argument.partition("=")
        named[key] = ast.literal_eval(text)
    torch.manual_seed(0)
    try:
        module = exporter.make(target, named)
        write(pathlib.Path(folder), module, [int(side) for side in shape.split("x")], int(count))
        print("written")
    except exporter.Refused as refused:
        print(f"refused: {refused}")


if __name__ == "__main__":
    main()
