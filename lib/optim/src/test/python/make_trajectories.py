"""Writes ../resources/trajectories.json: the steps of torch.optim with random gradients.

    python3 lib/optim/src/test/python/make_trajectories.py

The seed is fixed: the same PyTorch writes the same file. The steps are in float64. The tolerance of each value is measured in
float32: see kernels.py of lib/libtorch. Optimizers add nothing up and Fleetgrad's do what PyTorch's do in the same order, so
there are no draws, no threads and no oneDNN: kernels differ only in where they fuse a multiplication and an addition.
The floor is FLOOR of the largest that the value was: four epsilons, since a step is about four operations, and where a value
comes to almost nothing its rounding is of the size of what it was.
"""

import json
import sys
from itertools import product
from pathlib import Path

import numpy as np
import torch
from torch.optim.lr_scheduler import ChainedScheduler, CosineAnnealingLR, LinearLR, MultiStepLR, StepLR

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "libtorch/src/test/python"))
import kernels  # noqa: E402

FLOOR = 4 * 2.0**-23
SIZE = 9
STEPS = 8
# A learning rate for each step: an optimizer must not use an older one.
LEARNING_RATES = [0.1, 0.1, 0.05, 0.02, 0.0, 0.3, 0.001, 0.01]


def decimals(tensor):
    """The shortest decimals of these float32 values."""
    return [float(str(value)) for value in tensor.detach().numpy().astype(np.float32)]


def sgd_cases():
    for momentum, dampening, nesterov, decay in product([0.0, 0.5, 0.9], [0.0, 0.3], [False, True], [0.0, 0.05]):
        if nesterov and (momentum == 0 or dampening != 0):
            continue
        yield torch.optim.SGD, dict(momentum=momentum, dampening=dampening, nesterov=nesterov, weight_decay=decay)


def adam_cases():
    betas = [(0.9, 0.999), (0.5, 0.25), (0.0, 0.9), (0.8, 0.0)]
    for optimizer, pair, eps, decay, amsgrad in product(
        [torch.optim.Adam, torch.optim.AdamW], betas, [1e-8, 1e-3], [0.0, 0.05], [False, True]
    ):
        yield optimizer, dict(betas=pair, eps=eps, weight_decay=decay, amsgrad=amsgrad)


def trajectory(optimizer, hyper, dtype):
    """The parameters after each step, and the optimizer's state after the last."""
    initial, gradients = beginning()
    parameter = torch.nn.Parameter(initial.to(dtype))
    rule = optimizer([parameter], lr=LEARNING_RATES[0], **hyper)
    after = []
    for rate, gradient in zip(LEARNING_RATES, gradients):
        rule.param_groups[0]["lr"] = rate
        parameter.grad = gradient.to(dtype)
        rule.step()
        after.append(parameter.tolist())
    state = {
        name: value.tolist()
        for name, value in rule.state[parameter].items()
        if torch.is_tensor(value) and value.numel() == SIZE
    }
    return {"parameters": after, "state": state}


def case(optimizer, hyper, others):
    exact = trajectory(optimizer, hyper, torch.float64)
    largest = [max(map(abs, values)) for values in zip(*exact["parameters"])]
    steps = [
        kernels.tolerances(values, [other["parameters"][i] for other in others], lambda _: 0.0)
        for i, values in enumerate(exact["parameters"])
    ]
    tolerances = {"parameters": [max(FLOOR * size, *some) for size, *some in zip(largest, *steps)]}
    for name, values in exact["state"].items():
        floor = lambda value: FLOOR * max(abs(value), 1e-3 * max(map(abs, values)))
        tolerances[name] = kernels.tolerances(values, [other["state"][name] for other in others], floor)
    return {
        "optimizer": optimizer.__name__,
        "hyper": hyper,
        "parameters": [digits(values) for values in exact["parameters"]],
        "state": {name: digits(values) for name, values in exact["state"].items()},
        "tolerances": {name: [kernels.upwards(value) for value in values] for name, values in tolerances.items()},
    }


def digits(values):
    return [float(f"{value:.9g}") for value in values]


def in_float32(*_):
    return [trajectory(optimizer, hyper, torch.float32) for optimizer, hyper in ALL]


def rates(base, scheduler, steps):
    rule = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=base)
    schedule = scheduler(rule)
    made = []
    for _ in range(steps):
        made.append(rule.param_groups[0]["lr"])
        rule.step()
        schedule.step()
    return made


def warm_up(rule, steps, then):
    rise = LinearLR(rule, start_factor=0.01, total_iters=steps)
    return ChainedScheduler([rise, then(rule)])


def schedules():
    def milestones(rule):
        return MultiStepLR(rule, milestones=[4, 5, 17], gamma=0.7)

    def step_decay(rule):
        return StepLR(rule, step_size=3, gamma=0.7)

    def cosine(rule):
        return CosineAnnealingLR(rule, T_max=20, eta_min=0.001)

    # Chained, PyTorch's cosine is a factor only if it falls to 0.
    def cosine_to_zero(rule):
        return CosineAnnealingLR(rule, T_max=20)

    return {
        "step_decay": {"stepSize": 3, "gamma": 0.7, "base": 0.1, "rates": rates(0.1, step_decay, 30)},
        "milestones": {"milestones": [4, 5, 17], "gamma": 0.7, "base": 0.1, "rates": rates(0.1, milestones, 30)},
        # Up to T_max only: from there PyTorch's rises again.
        "cosine": {"totalSteps": 20, "minimum": 0.001, "base": 0.1, "rates": rates(0.1, cosine, 21)},
        "warm_up_step_decay": {
            "steps": 5,
            "stepSize": 3,
            "gamma": 0.7,
            "base": 0.1,
            "rates": rates(0.1, lambda rule: warm_up(rule, 5, step_decay), 30),
        },
        "warm_up_cosine": {
            "steps": 5,
            "totalSteps": 20,
            "minimum": 0,
            "base": 0.1,
            "rates": rates(0.1, lambda rule: warm_up(rule, 5, cosine_to_zero), 21),
        },
    }


def beginning():
    """The initial parameters and a gradient for each step."""
    torch.manual_seed(20)
    initial = torch.randn(SIZE)
    # From tiny to large, and one value whose gradient is always zero.
    scales = torch.tensor([1e-6, 1e-3, 0.1, 0.5, 1.0, 1.0, 3.0, 30.0, 0.0])
    return initial, [torch.randn(SIZE) * scales for _ in range(STEPS)]


def main():
    initial, gradients = beginning()
    sets = [kernels.Kernel(level, 1, True) for level in kernels.LEVELS]
    others = kernels.with_each(__file__, None, sets)
    cases = [case(*one, [other[i] for other in others]) for i, one in enumerate(ALL)]
    document = {
        "torch": f"{torch.__version__}, {', '.join(kernels.LEVELS)}",
        "learningRates": LEARNING_RATES,
        "initial": decimals(initial),
        "gradients": [decimals(gradient) for gradient in gradients],
        "schedules": schedules(),
        "cases": cases,
    }
    lines = json.dumps({**document, "cases": []}, separators=(",", ":"))[:-2]
    rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    target = Path(__file__).parent.parent / "resources" / "trajectories.json"
    target.write_text(f"{lines}\n{rows}\n]}}\n")


ALL = [*sgd_cases(), *adam_cases()]

if __name__ == "__main__":
    kernel = kernels.asked()
    main() if kernel is None else kernels.answer(kernel, in_float32)
