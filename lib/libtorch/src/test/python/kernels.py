"""How far float32 is from float64 on any processor, and so how far a test may be off.

libtorch and oneDNN choose their kernels by the processor and the number of threads. Each adds in another order, so each has
other last digits. A tolerance that is measured with one of them is a guess for the others. So a figure is computed in
float64, which is what a test compares with, and in float32 with each of KERNELS, each in a process of its own, since the
choice is made once, at the start. To them come DRAWS with one set of kernels, where each layer's output is moved by up to
its float32 epsilon, which is more than a kernel's rounding (Monte Carlo arithmetic: Parker, 1997): for the kernels that are
not here, such as those of another version or of another maker of processors.

The tolerance of a figure is MULTIPLE times the largest distance of all these from float64. 8, because with 13 distances that
look normal the largest is at about 1.7 standard deviations, so this is at thirteen: room for kernels that round worse by a
half, in thousands of figures. It holds only where figures depend on the values without jumps: see make_network_goldens.py.
A floor, where a figure came out right by chance in all, is the caller's.
"""

import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

MULTIPLE = 8
DRAWS = 4
FLAGS = {"default": "sse4_1", "avx2": "avx2", "avx512": "avx512f"}
ISAS = {"default": "SSE41", "avx2": "AVX2", "avx512": "AVX512_CORE"}


def levels():
    """Those that this processor has; what is made with fewer says so."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return list(ISAS)
    return [level for level in ISAS if FLAGS[level] in flags]


LEVELS = levels()


class Kernel(NamedTuple):
    level: str
    threads: int
    is_onednn: bool
    draw: int = 0


KERNELS = [Kernel(level, *how) for level in LEVELS for how in ((1, True), (2, True), (1, False))]
KERNELS += [Kernel(LEVELS[-1], 1, True, draw) for draw in range(1, DRAWS + 1)]
MADE_WITH = f"{', '.join(LEVELS)}; 1 and 2 threads; 1 without oneDNN; {DRAWS} draws"


def with_each(script, request, sets=tuple(KERNELS)):
    """What the script answers to the request with each set of kernels: see answer()."""

    def ask(kernel):
        environment = {
            **os.environ,
            "ATEN_CPU_CAPABILITY": kernel.level,
            "ONEDNN_MAX_CPU_ISA": ISAS[kernel.level],
            "GOMP_SPINCOUNT": "0",
            "FLEETGRAD_KERNEL": json.dumps(kernel),
        }
        print("float32 with", kernel, file=sys.stderr, flush=True)
        done = subprocess.run(
            [sys.executable, script], input=json.dumps(request), stdout=subprocess.PIPE, text=True, check=True, env=environment
        )
        return json.loads(done.stdout)

    with ThreadPoolExecutor(os.cpu_count()) as processes:
        return list(processes.map(ask, sets))


def asked():
    """The set of kernels that this process is to answer with, or None in the process that asks."""
    return Kernel(*json.loads(os.environ["FLEETGRAD_KERNEL"])) if "FLEETGRAD_KERNEL" in os.environ else None


def answer(kernel, measure):
    """Prints what `measure` makes of the request that is on the standard input and of the draw."""
    import torch

    if torch.backends.cpu.get_cpu_capability().lower() != kernel.level:
        raise SystemExit(f"this processor has no {kernel.level}: make the golden files on one that has")
    torch.set_num_threads(kernel.threads)
    torch.backends.mkldnn.enabled = kernel.is_onednn
    json.dump(measure(json.load(sys.stdin), kernel.draw), sys.stdout)


def distances(exact, others):
    """The largest distance of each figure from the exact one."""
    return [max(abs(other[i] - figure) for other in others) for i, figure in enumerate(exact)]


def tolerances(exact, others, floor):
    """MULTIPLE times the distances, with `floor` of each figure as the least, rounded up to a decimal."""
    return [upwards(max(floor(figure), MULTIPLE * d)) for figure, d in zip(exact, distances(exact, others))]


def upwards(value):
    rounded = float(f"{value:.1g}")
    return rounded if rounded >= value else float(f"{1.5 * value:.1g}")


def jitter(network, draw, size=2.0**-23):
    """Moves each layer's output by up to `size` of each value, by the draw; draw 0 moves nothing. Returns what ends it."""
    import torch

    if draw == 0:
        return []
    generator = torch.Generator().manual_seed(draw)

    def moved(module, inputs, output):
        if isinstance(output, tuple):
            return tuple(moved(module, inputs, part) for part in output)
        return output * (1 + size * (2 * torch.rand(output.shape, generator=generator) - 1)).to(output.dtype)

    return [module.register_forward_hook(moved) for module in network.modules() if not any(module.children())]
