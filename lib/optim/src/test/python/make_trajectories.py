"""Writes ../resources/trajectories.json: the steps of torch.optim with random gradients.

    python3 make_trajectories.py

The seed is fixed: the same PyTorch writes the same file.
"""

import json
from itertools import product
from pathlib import Path

import numpy as np
import torch
from torch.optim.lr_scheduler import ChainedScheduler, CosineAnnealingLR, LinearLR, MultiStepLR, StepLR

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


def trajectory(optimizer, hyper, initial, gradients):
    parameter = torch.nn.Parameter(initial.clone())
    rule = optimizer([parameter], lr=LEARNING_RATES[0], **hyper)
    after = []
    for rate, gradient in zip(LEARNING_RATES, gradients):
        rule.param_groups[0]["lr"] = rate
        parameter.grad = gradient.clone()
        rule.step()
        after.append(decimals(parameter))
    state = {
        name: decimals(value)
        for name, value in rule.state[parameter].items()
        if torch.is_tensor(value) and value.numel() == SIZE
    }
    return {"optimizer": optimizer.__name__, "hyper": hyper, "parameters": after, "state": state}


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


def main():
    torch.manual_seed(20)
    initial = torch.randn(SIZE)
    # From tiny to large, and one value whose gradient is always zero.
    scales = torch.tensor([1e-6, 1e-3, 0.1, 0.5, 1.0, 1.0, 3.0, 30.0, 0.0])
    gradients = [torch.randn(SIZE) * scales for _ in range(STEPS)]
    cases = [
        trajectory(optimizer, hyper, initial, gradients)
        for optimizer, hyper in [*sgd_cases(), *adam_cases()]
    ]
    document = {
        "torch": torch.__version__,
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


if __name__ == "__main__":
    main()
