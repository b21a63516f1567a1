#!/usr/bin/env python3
"""Writes a PyTorch module as a network that Fleetgrad trains without Python.

    python3 python/fleetgrad_export.py my_module:make --input 3x32x32 --out net/
    ./fleetgrad train --network net/ --data DIR

    python3 python/fleetgrad_export.py my_module:make --input 13 --out net/
    ./fleetgrad train --network net/ --data table.csv --target y

    python3 python/fleetgrad_export.py my_module:make --input 3x128 --out net/
    ./fleetgrad train --network net/ --data arrays.npz

`my_module:make` is a class or a function that returns the module; `--with KEY=VALUE` passes arguments to it. The folder has
`network.json`, the graph of operators that `torch.export` finds, and `model.safetensors`, the values of its tensors. Both are data:
nothing of the module's code is in them. Needs torch and safetensors. docs/pytorch.md lists the operators, and what is refused.
"""

import argparse
import ast
import base64
import importlib
import json
import math
import operator
import pathlib
import re
import struct
import sys
import warnings
import zlib

import torch
from safetensors.torch import save_file
from torch.export import Dim, export

FORMAT = 1
# As org.fleetgrad.protocol.MetadataKeys has it: each worker's registration repeats the name.
MOST_NAME_CHARACTERS = 16_384
# As org.fleetgrad.networks.graph has them.
MOST_TABLE_NUMBERS = 1 << 18
MOST_BYTES = 4 << 20
# The fields of a node that name tensors, in the order in which they are read.
TENSORS = ("weight", "bias", "mean", "variance")

aten = torch.ops.aten


class Refused(Exception):
    """Says why a module cannot be a network."""


class Graph:
    """Collects the nodes of a network while it goes through those of torch.export, in the order of computation.

    A value of torch.export's becomes the index of a value here (the input is 0, a node's output its place, from 1) or the name of
    a tensor. An operator that works in place makes a new value, and all later uses of the old one mean the new one. What depends
    on neither the input nor a parameter is computed here (`fixed`): tables of positions, masks. It is a constant where it is read.
    """

    def __init__(self, program, shape):
        self.program = program
        self.shape = shape
        self.nodes = []
        self.values = {}
        self.tensors = {}
        self.statistics = {}
        self.storages = {}
        self.fixed = {}
        self.tables = []
        self.places = {}
        self.buffers = set()
        self.dead = set()
        self.noise = {}
        self.batch = None

    # -- what is a value, a size, a tensor

    def at(self, node):
        """The value of a node of torch.export's: an index, or the name of a tensor."""
        if node in self.dead:
            raise Refused(
                f"{where(node)}: the value of '{node.name}' is read after another view of the same memory was changed in place; "
                "write the module without the in-place operation"
            )
        if node in self.fixed:
            return self.constant(node)
        if self.values.get(node) is None:
            raise Refused(f"{where(node)}: '{node.name}' is no value that depends on the input in a way that is understood")
        return self.values[node]

    def size(self, value):
        """A size: a number, or 'B' or 'B*4' if it grows with the batch."""
        if isinstance(value, torch.fx.Node):
            value = value.meta["val"]
        if isinstance(value, int):
            return value
        expression = value.node.expr
        symbols = list(expression.free_symbols)
        if len(symbols) != 1:
            raise Refused(f"the size {expression} depends on more than the number of samples")
        factor = expression.subs(symbols[0], 1)
        if expression.subs(symbols[0], 7) != 7 * factor or int(factor) != factor or factor < 1:
            raise Refused(f"the size {expression} is no multiple of the number of samples")
        return "B" if factor == 1 else f"B*{int(factor)}"

    def sizes(self, tensor):
        return [self.size(side) for side in tensor.shape]

    def add(self, op, inputs, **fields):
        node = {"op": op, "in": inputs}
        node.update({key: value for key, value in fields.items() if value is not None})
        self.nodes.append(node)
        return len(self.nodes)

    def operand(self, argument):
        """The `in` of an operator with two operands, and the fields for one that is a plain number."""
        if isinstance(argument, torch.fx.Node) and isinstance(argument.meta.get("val"), torch.Tensor):
            return [self.at(argument)], {}
        if isinstance(argument, (int, float)):
            return [], {"scalar": float(argument)}
        raise Refused(f"the operand {argument} is neither a tensor nor a number")

    def name(self, argument):
        """The name of a tensor of the module; none if there is none."""
        if argument is None:
            return None
        value = self.values.get(argument)
        if not isinstance(value, str):
            raise Refused(f"{where(argument)}: a weight is computed ('{argument.name}'), and not a parameter of the module")
        return value

    # -- the walk

    def walk(self):
        signature = self.program.graph_signature
        for node in self.program.graph.nodes:
            if node.op == "placeholder":
                self.placeholder(node, signature)
            elif node.op == "call_function":
                self.call(node)
            elif node.op == "output":
                return self.output(node, signature)
            else:
                raise Refused(f"a node of the kind {node.op} is not understood")

    def placeholder(self, node, signature):
        tensor = node.meta.get("val")
        if node.name in signature.user_inputs:
            if 0 in self.values.values():
                raise Refused("the module must take one input")
            self.values[node] = 0
        elif node.name in signature.inputs_to_parameters:
            self.values[node] = signature.inputs_to_parameters[node.name]
        elif node.name in signature.inputs_to_buffers:
            name = signature.inputs_to_buffers[node.name]
            self.values[node] = name
            # Buffers that are not stored are among the constants.
            buffer = self.program.state_dict[name] if name in self.program.state_dict else self.program.constants[name]
            self.fixed[node] = buffer.detach().clone()
        elif isinstance(tensor, torch.Tensor):
            self.fixed[node] = self.program.constants[signature.inputs_to_lifted_tensor_constants[node.name]].detach().clone()
        self.storages[node] = node

    def constant(self, node):
        """A node with the values that are known here; a new one for each reader, so that a graph can be cut between them."""
        tensor = self.fixed[node]
        require(tensor.dtype != torch.bool and tensor.numel() <= MOST_TABLE_NUMBERS, node,
                f"a constant of {tensor.numel():,} values of {tensor.dtype}; constants are numbers, and at most {MOST_TABLE_NUMBERS:,}")
        require(bool(torch.isfinite(tensor).all()), node, "a constant has values that are not finite")
        self.read_fixed(node)
        return self.add("constant", [], shape=list(tensor.shape) or [1], table=self.table(tensor.flatten().tolist()))

    def read_fixed(self, node):
        """Notes that the values of a node are read here, which a buffer's are only if no training changes them."""
        if isinstance(self.values.get(node), str):
            self.buffers.add(self.values[node])

    def table(self, numbers):
        """The number of a table with these numbers; those that are the same are one."""
        key = tuple(short(number) for number in numbers)
        if key not in self.places:
            self.places[key] = len(self.tables)
            self.tables.append(list(key))
        return self.places[key]

    def fold(self, node):
        """Computes a node of which all is known; returns whether it could."""
        target = node.target
        made = MADE.get(target)
        if made is not None and all(isinstance(side, int) for side in node.meta["val"].shape):
            val = node.meta["val"]
            self.fixed[node] = torch.full(val.shape, made(node), dtype=val.dtype)
            return True
        is_drawn = target in (aten.empty.memory_format, aten.new_empty.default) or (
            torch.Tag.nondeterministic_seeded in getattr(target, "tags", ()))
        if is_drawn or any(each not in self.fixed for each in node.all_input_nodes):
            return False
        for each in node.all_input_nodes:
            self.read_fixed(each)
        if isinstance(target, torch._ops.OpOverload) and target._schema.is_mutable:
            root = self.storages[node.args[0]]
            require(not isinstance(self.values.get(root), str), node, f"it changes '{self.values.get(root)}' in place")
        known = torch.fx.node.map_arg((node.args, node.kwargs), lambda each: self.fixed[each])
        named = {key: value for key, value in known[1].items() if key not in ("device", "pin_memory")}
        self.fixed[node] = target(*known[0], **named)
        if node.args and isinstance(node.args[0], torch.fx.Node) and isinstance(self.fixed[node], torch.Tensor):
            source = self.fixed.get(node.args[0])
            if isinstance(source, torch.Tensor) and source.untyped_storage()._cdata == self.fixed[node].untyped_storage()._cdata:
                self.storages[node] = self.storages[node.args[0]]
        return True

    def call(self, node):
        val = node.meta.get("val")
        self.storages[node] = node
        if isinstance(val, (torch.SymInt, int, bool, torch.SymBool)) or val is None:
            return  # Sizes are read where they are used, from the values that have them.
        target = node.target
        if target is operator.getitem and node.args[0] not in self.fixed:
            source, index = node.args
            self.values[node] = self.values[source][index]
            self.storages[node] = self.storages[source]
            return
        if target in IN_PLACE and is_counter(node.args[0]):
            return  # BatchNorm's num_batches_tracked, which nothing reads.
        if self.fold(node):
            return
        rule = RULES.get(target)
        if rule is None:
            raise Refused(f"{where(node)}: the operator {target} is none of those that Fleetgrad has: {operators()}")
        changed = node.args[0] if target in IN_PLACE else None
        self.values[node] = rule(self, node, *node.args, **node.kwargs)
        if target in VIEWS:
            self.storages[node] = self.storages[node.args[0]]
        if changed is not None:
            self.change(node, changed)

    def change(self, node, changed):
        """Lets all later uses of a value that was changed in place mean the new one; other views of its memory must not be read.

        If it is a part of another value, that one is put together anew.
        """
        storage = self.storages[changed]
        require(changed not in self.fixed, node, "it changes a constant in place to values that are computed")
        if storage.op == "placeholder":
            raise Refused(f"{where(node)}: it changes '{self.values[storage] or storage.name}' in place")
        living = {changed}
        part = changed
        self.values[changed] = self.values[node]
        while part.target is aten.slice.Tensor and part.args[0] not in self.dead:
            whole = part.args[0]
            self.values[whole] = replaced(self, part, whole)
            living.add(whole)
            part = whole
        self.dead.update(other for other, own in self.storages.items() if own is storage and other not in living)
        self.storages[node] = storage

    def output(self, node, signature):
        outputs = [each for each in node.args[0] if each is not None]
        names = [each for each in signature.user_outputs if each is not None]
        own = [each for each in outputs if getattr(each, "name", None) in names]
        if len(own) != 1:
            raise Refused(f"the module must have one output; it has {len(own)}")
        logits = own[0].meta["val"]
        if logits.dim() != 2 or self.size(logits.shape[0]) != "B":
            raise Refused(f"the output must be [batch, outputs]; it is {self.sizes(logits)}")
        value = self.at(own[0])
        if value != len(self.nodes):
            value = self.add("reshape", [value], sizes=self.sizes(logits))
        return int(logits.shape[1])


def where(node):
    """The module and the line that made a node."""
    stack = node.meta.get("nn_module_stack") or {}
    module = ", ".join(f"{path or 'the module'} ({kind if isinstance(kind, str) else kind.__name__})"
                       for path, kind in list(stack.values())[-1:])
    lines = [line.strip() for line in (node.meta.get("stack_trace") or "").splitlines() if line.strip().startswith("File ")]
    return ", ".join(each for each in (module, lines[-1] if lines else "") if each) or "the module"


def short(number):
    """The shortest number that is the same float32."""
    if number == int(number):
        return int(number)
    for digits in range(1, 9):
        near = float(f"{number:.{digits}g}")
        if struct.pack("f", near) == struct.pack("f", number):
            return near
    return float(number)


def is_counter(node):
    tensor = node.meta.get("val")
    return node.op == "placeholder" and isinstance(tensor, torch.Tensor) and tensor.dtype == torch.int64 and tensor.dim() == 0


RULES = {}
IN_PLACE = set()
VIEWS = set()
# What makes values of a shape alone: of which number.
MADE = {
    aten.new_zeros.default: lambda node: 0,
    aten.zeros_like.default: lambda node: 0,
    aten.new_ones.default: lambda node: 1,
    aten.ones_like.default: lambda node: 1,
    aten.new_full.default: lambda node: node.args[2],
    aten.full_like.default: lambda node: node.args[1],
}


def rule(*targets, in_place=(), view=False):
    def register(function):
        for target in targets + in_place:
            RULES[target] = function
        IN_PLACE.update(in_place)
        if view:
            VIEWS.update(targets)
        return function

    return register


def operators():
    return ", ".join(sorted({str(target).removeprefix("aten.") for target in RULES}))


def numbers(value, count):
    """A size of a window: one number for each dimension."""
    values = [value] * count if isinstance(value, int) else list(value)
    return values * count if len(values) == 1 else values


def require(condition, node, text):
    if not condition:
        raise Refused(f"{where(node)}: {text}")


# -- layers with tensors


def convolution(graph, node, x, weight, bias, stride, padding, dilation, groups):
    count = weight.meta["val"].dim() - 2
    return graph.add(
        "conv", [graph.at(x)], weight=graph.name(weight), bias=graph.name(bias), stride=numbers(stride, count),
        padding=numbers(padding, count), dilation=numbers(dilation, count), groups=groups,
    )


@rule(aten.conv2d.default, aten.conv1d.default)
def _(graph, node, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return convolution(graph, node, x, weight, bias, stride, padding, dilation, groups)


@rule(aten.conv2d.padding, aten.conv1d.padding)
def _(graph, node, x, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1):
    kernel = weight.meta["val"].shape[2:]
    wide = [d * (k - 1) for d, k in zip(numbers(dilation, len(kernel)), kernel)]
    require(padding == "valid" or all(side % 2 == 0 for side in wide), node, "padding='same' of an even kernel is not symmetric")
    return convolution(
        graph, node, x, weight, bias, stride, 0 if padding == "valid" else [side // 2 for side in wide], dilation, groups)


@rule(aten.batch_norm.default)
def _(graph, node, x, weight, bias, mean, variance, training, momentum, epsilon, cudnn_enabled):
    require(mean is not None and weight is not None and bias is not None, node,
            "a BatchNorm must be affine and have running statistics")
    require(momentum is not None and 0 < momentum <= 1, node, f"the momentum of a BatchNorm must be above 0; it is {momentum}")
    for statistic in (mean, variance):
        graph.statistics[graph.name(statistic)] = momentum
    return graph.add("batch_norm", [graph.at(x)], weight=graph.name(weight), bias=graph.name(bias), mean=graph.name(mean),
                     variance=graph.name(variance), momentum=momentum, epsilon=epsilon)


@rule(aten.layer_norm.default)
def _(graph, node, x, shape, weight=None, bias=None, epsilon=1e-5, cudnn_enable=True):
    require(len(shape) == 1, node, f"a layer norm must be over the last dimension; it is over {len(shape)}")
    y = graph.add("layer_norm", [graph.at(x)], weight=graph.name(weight) if bias is not None else None, bias=graph.name(bias),
                  width=shape[0], epsilon=epsilon)
    return graph.add("mul", [y, graph.name(weight)]) if weight is not None and bias is None else y


@rule(aten.group_norm.default)
def _(graph, node, x, groups, weight=None, bias=None, epsilon=1e-5, cudnn_enabled=True):
    require(weight is not None and bias is not None, node, "a group norm must be affine")
    return graph.add("group_norm", [graph.at(x)], weight=graph.name(weight), bias=graph.name(bias), groups=groups, epsilon=epsilon)


@rule(aten.linear.default)
def _(graph, node, x, weight, bias=None):
    if isinstance(graph.values.get(weight), str):
        named = bias is None or isinstance(graph.values.get(bias), str)
        y = graph.add("linear", [graph.at(x)], weight=graph.name(weight), bias=graph.name(bias) if named else None)
    else:
        named = bias is None
        y = graph.add("matmul", [graph.at(x), graph.add("permute", [graph.at(weight)], dims=[1, 0])])
    return y if named else graph.add("add", [y, graph.at(bias)])


@rule(aten.matmul.default, aten.bmm.default, aten.mm.default)
def _(graph, node, a, b):
    return graph.add("matmul", [graph.at(a), graph.at(b)])


@rule(aten.einsum.default)
def _(graph, node, equation, operands, path=None):
    text = equation.replace(" ", "")
    require(len(operands) == 2 and text.count("->") == 1 and "." not in text, node,
            f"einsum('{equation}'): it must have two operands, an output and no dots")
    inputs, output = text.split("->")
    a, b = inputs.split(",")
    kept_a, kept_b = (set(each) & (set(output) | set(other)) for each, other in ((a, b), (b, a)))
    require(len(set(a)) == len(a) and len(set(b)) == len(b) and kept_a == set(a) and kept_b == set(b), node,
            f"einsum('{equation}'): a letter is twice in one operand, or in one operand alone and not in the output")
    # A product of matrices: [both and kept, a's own, summed] times [both and kept, summed, b's own].
    both = [each for each in output if each in a and each in b]
    rows = [each for each in output if each in a and each not in b]
    columns = [each for each in output if each in b and each not in a]
    summed = [each for each in a if each in b and each not in output]
    side = {each: size for letters, operand in ((a, operands[0]), (b, operands[1]))
            for each, size in zip(letters, operand.meta["val"].shape)}

    def matrix(value, letters, before, after):
        value = graph.add("permute", [value], dims=[letters.index(each) for each in both + before + after])
        product = [math.prod([side[each] for each in group]) for group in (before, after)]
        return graph.add("reshape", [value], sizes=[graph.size(each) for each in [side[each] for each in both] + product])

    x = graph.add("matmul", [matrix(graph.at(operands[0]), a, rows, summed), matrix(graph.at(operands[1]), b, summed, columns)])
    order = both + rows + columns
    x = graph.add("reshape", [x], sizes=[graph.size(side[each]) for each in order])
    return graph.add("permute", [x], dims=[order.index(each) for each in output])


@rule(aten.addmm.default)
def _(graph, node, added, a, b):
    return graph.add("add", [graph.add("matmul", [graph.at(a), graph.at(b)]), graph.at(added)])


@rule(aten.scaled_dot_product_attention.default)
def _(graph, node, q, k, v, mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    require(not enable_gqa, node, "attention of grouped queries (enable_gqa) is not there")
    inputs = [graph.at(each) for each in (q, k, v) + ((mask,) if mask is not None else ())]
    width = q.meta["val"].shape[-1]
    return graph.add("attention", inputs, scale=float(scale) if scale is not None else 1 / math.sqrt(width), causal=is_causal,
                     dropout=float(dropout_p))


# -- layers without tensors


def unary(op, plain, in_place=()):
    @rule(plain, in_place=in_place)
    def _(graph, node, x, *rest, **named):
        return graph.add(op, [graph.at(x)])


for op, plain, changing in [
    ("relu", aten.relu.default, aten.relu_.default),
    ("silu", aten.silu.default, aten.silu_.default),
    ("sigmoid", aten.sigmoid.default, aten.sigmoid_.default),
    ("tanh", aten.tanh.default, aten.tanh_.default),
    ("hardswish", aten.hardswish.default, aten.hardswish_.default),
    ("hardsigmoid", aten.hardsigmoid.default, aten.hardsigmoid_.default),
    ("mish", aten.mish.default, aten.mish_.default),
    ("selu", aten.selu.default, aten.selu_.default),
    ("exp", aten.exp.default, aten.exp_.default),
    ("log", aten.log.default, aten.log_.default),
    ("sqrt", aten.sqrt.default, aten.sqrt_.default),
    ("rsqrt", aten.rsqrt.default, aten.rsqrt_.default),
    ("neg", aten.neg.default, aten.neg_.default),
    ("abs", aten.abs.default, aten.abs_.default),
    ("sin", aten.sin.default, aten.sin_.default),
    ("cos", aten.cos.default, aten.cos_.default),
    ("erf", aten.erf.default, aten.erf_.default),
]:
    unary(op, plain, (changing,))


@rule(aten.relu6.default, in_place=(aten.relu6_.default,))
def _(graph, node, x):
    return graph.add("clamp", [graph.at(x)], least=0.0, most=6.0)


@rule(aten.hardtanh.default, in_place=(aten.hardtanh_.default,))
def _(graph, node, x, least=-1, most=1):
    return graph.add("clamp", [graph.at(x)], least=float(least), most=float(most))


@rule(aten.clamp.default, in_place=(aten.clamp_.default,))
def _(graph, node, x, min=None, max=None):
    return graph.add("clamp", [graph.at(x)], least=None if min is None else float(min), most=None if max is None else float(max))


@rule(aten.clamp_min.default, in_place=(aten.clamp_min_.default,))
def _(graph, node, x, least):
    return graph.add("clamp", [graph.at(x)], least=float(least))


@rule(aten.clamp_max.default, in_place=(aten.clamp_max_.default,))
def _(graph, node, x, most):
    return graph.add("clamp", [graph.at(x)], most=float(most))


@rule(aten.gelu.default)
def _(graph, node, x, approximate="none"):
    return graph.add("gelu" if approximate == "none" else "gelu_tanh", [graph.at(x)])


@rule(aten.leaky_relu.default, in_place=(aten.leaky_relu_.default,))
def _(graph, node, x, slope=0.01):
    return graph.add("leaky_relu", [graph.at(x)], scalar=float(slope))


@rule(aten.elu.default, in_place=(aten.elu_.default,))
def _(graph, node, x, alpha=1.0, scale=1.0, input_scale=1.0):
    require(scale == 1 and input_scale == 1, node, "an ELU must have the scales 1")
    return graph.add("elu", [graph.at(x)], scalar=float(alpha))


@rule(aten.softplus.default)
def _(graph, node, x, beta=1, threshold=20):
    require(beta == 1 and threshold == 20, node, "a softplus must have the beta 1 and the threshold 20")
    return graph.add("softplus", [graph.at(x)])


def along(node, x, dim):
    return dim % x.meta["val"].dim()


@rule(aten.softmax.int)
def _(graph, node, x, dim, dtype=None):
    return graph.add("softmax", [graph.at(x)], dim=along(node, x, dim))


@rule(aten.log_softmax.int)
def _(graph, node, x, dim, dtype=None):
    return graph.add("log_softmax", [graph.at(x)], dim=along(node, x, dim))


def dropout(graph, x, p, of):
    return graph.at(x) if p == 0 else graph.add("dropout", [graph.at(x)], p=float(p), of=of)


@rule(aten.dropout.default, in_place=(aten.dropout_.default,))
def _(graph, node, x, p, train):
    return dropout(graph, x, p, "values")


@rule(aten.feature_dropout.default, in_place=(aten.feature_dropout_.default,))
def _(graph, node, x, p, train):
    require(x.meta["val"].dim() == 4, node, "a dropout of channels takes images")
    return dropout(graph, x, p, "channels")


# Stochastic depth is noise of one value a sample: empty, bernoulli_(kept), div_(kept), and a product.


@rule(aten.empty.memory_format, aten.new_empty.default)
def _(graph, node, *rest, **named):
    sizes = graph.sizes(node.meta["val"])
    require(sizes[0] == "B" and all(side == 1 for side in sizes[1:]), node, f"memory of {sizes} without values is not understood")
    return ("noise", None)


@rule(in_place=(aten.bernoulli_.float,))
def _(graph, node, x, p=0.5, generator=None):
    require(isinstance(graph.values[x], tuple), node, "only the noise of stochastic depth is drawn")
    return ("noise", float(p))


# -- arithmetic


def is_noise(graph, node):
    return isinstance(node, torch.fx.Node) and isinstance(graph.values.get(node), tuple)


def arithmetic(graph, op, x, other):
    if is_noise(graph, x):
        x, other = other, x
    if is_noise(graph, other):
        kept = graph.values[other][-1]
        if op != "mul" or graph.values[other][0] != "scaled":
            raise Refused("the noise of stochastic depth must be divided by the share that is kept, and multiplied")
        return dropout(graph, x, 1 - kept, "samples")
    if not isinstance(x, torch.fx.Node):
        # A number before the operator: only the product and the sum are the same the other way round.
        if op not in ("add", "mul"):
            raise Refused(f"a number before {op} is not understood")
        x, other = other, x
    inputs, scalar = graph.operand(other)
    return graph.add(op, [graph.at(x)] + inputs, **scalar)


def scaled(graph, node, other, alpha):
    if alpha == 1:
        return other
    if isinstance(other, (int, float)):
        return other * alpha
    placed = torch.fx.Node(node.graph, f"{node.name}_scaled", "call_function", aten.mul.Tensor, (other, alpha), {})
    placed.meta["val"] = other.meta["val"]
    graph.values[placed] = graph.add("mul", [graph.at(other)], scalar=float(alpha))
    return placed


@rule(aten.add.Tensor, aten.add.Scalar, in_place=(aten.add_.Tensor, aten.add_.Scalar))
def _(graph, node, x, other, alpha=1):
    return arithmetic(graph, "add", x, scaled(graph, node, other, alpha))


@rule(aten.sub.Tensor, aten.sub.Scalar, in_place=(aten.sub_.Tensor,))
def _(graph, node, x, other, alpha=1):
    return arithmetic(graph, "sub", x, scaled(graph, node, other, alpha))


@rule(aten.rsub.Scalar, aten.rsub.Tensor)
def _(graph, node, x, other, alpha=1):
    minus = graph.add("neg", [graph.at(x)])
    inputs, scalar = graph.operand(other)
    require(alpha == 1, node, "rsub must have the alpha 1")
    return graph.add("add", [minus] + inputs, **scalar)


@rule(aten.mul.Tensor, aten.mul.Scalar, in_place=(aten.mul_.Tensor, aten.mul_.Scalar))
def _(graph, node, x, other):
    return arithmetic(graph, "mul", x, other)


@rule(aten.div.Tensor, aten.div.Scalar, in_place=(aten.div_.Tensor, aten.div_.Scalar))
def _(graph, node, x, other):
    if is_noise(graph, x):
        require(other == graph.values[x][1], node, "the noise of stochastic depth must be divided by the share that is kept")
        return ("scaled", graph.values[x][1])
    return arithmetic(graph, "div", x, other)


@rule(aten.reciprocal.default)
def _(graph, node, x):
    return graph.add("pow", [graph.at(x)], scalar=-1.0)


@rule(aten.pow.Tensor_Scalar)
def _(graph, node, x, exponent):
    return graph.add("pow", [graph.at(x)], scalar=float(exponent))


@rule(aten.maximum.default)
def _(graph, node, x, other):
    return arithmetic(graph, "maximum", x, other)


@rule(aten.minimum.default)
def _(graph, node, x, other):
    return arithmetic(graph, "minimum", x, other)


# -- pooling and sums


@rule(aten.max_pool2d.default, aten.max_pool1d.default)
def _(graph, node, x, kernel, stride=(), padding=0, dilation=1, ceil_mode=False):
    count = 2 if node.target is aten.max_pool2d.default else 1
    require(set(numbers(dilation, count)) == {1}, node, "a max-pooling must have the dilation 1")
    return graph.add("max_pool", [graph.at(x)], kernel=numbers(kernel, count),
                     stride=numbers(stride or kernel, count), padding=numbers(padding, count), ceil=ceil_mode)


@rule(aten.avg_pool2d.default, aten.avg_pool1d.default)
def _(graph, node, x, kernel, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    require(divisor_override is None, node, "an average-pooling must not have a divisor of its own")
    count = 2 if node.target is aten.avg_pool2d.default else 1
    return graph.add("avg_pool", [graph.at(x)], kernel=numbers(kernel, count), stride=numbers(stride or kernel, count),
                     padding=numbers(padding, count), ceil=ceil_mode, counts_padding=count_include_pad)


@rule(aten.adaptive_avg_pool2d.default, aten.adaptive_avg_pool1d.default)
def _(graph, node, x, size):
    return graph.add("adaptive_avg_pool", [graph.at(x)], size=list(node.meta["val"].shape[2:]))


@rule(aten.adaptive_max_pool2d.default)
def _(graph, node, x, size):
    # With the places of the values, which nobody may read.
    return [graph.add("adaptive_max_pool", [graph.at(x)], size=list(node.meta["val"][0].shape[2:])), None]


def reduction(op):
    def reduce(graph, node, x, dims=None, keepdim=False, dtype=None):
        count = x.meta["val"].dim()
        dims = range(count) if not dims else [dims] if isinstance(dims, int) else dims
        return graph.add(op, [graph.at(x)], dims=sorted(dim % count for dim in dims), keep=keepdim)

    return reduce


RULES[aten.mean.dim] = reduction("mean")
RULES[aten.sum.dim_IntList] = reduction("sum")
RULES[aten.amax.default] = reduction("amax")


@rule(aten.linalg_vector_norm.default)
def _(graph, node, x, order=2, dims=None, keepdim=False, dtype=None):
    require(order == 2 and dtype is None, node, f"a norm must have the order 2; it is {order}")
    return reduction("norm")(graph, node, x, dims, keepdim)


# -- shapes


def shaped(graph, node, x):
    return graph.add("reshape", [graph.at(x)], sizes=graph.sizes(node.meta["val"]))


@rule(aten.view.default, aten.reshape.default, aten.flatten.using_ints, aten.unflatten.int, aten.squeeze.default,
      aten.squeeze.dim, aten.squeeze.dims, aten.unsqueeze.default, aten._unsafe_view.default, aten.reshape_as.default,
      aten.view_as.default, view=True)
def _(graph, node, x, *rest, **named):
    return shaped(graph, node, x)


@rule(aten.permute.default, view=True)
def _(graph, node, x, dims):
    return graph.add("permute", [graph.at(x)], dims=[along(node, x, dim) for dim in dims])


@rule(aten.transpose.int, aten.swapaxes.default, view=True)
def _(graph, node, x, first, second):
    dims = list(range(x.meta["val"].dim()))
    dims[first], dims[second] = dims[second], dims[first]
    return graph.add("permute", [graph.at(x)], dims=dims)


@rule(aten.t.default, aten.numpy_T.default, view=True)
def _(graph, node, x):
    return graph.add("permute", [graph.at(x)], dims=list(reversed(range(x.meta["val"].dim()))))


@rule(aten.contiguous.default, aten.alias.default, aten.to.dtype, aten.to.dtype_layout, aten.type_as.default, view=True)
def _(graph, node, x, *rest, **named):
    return same(graph, node, x)


@rule(aten.clone.default, aten.lift_fresh_copy.default, aten._to_copy.default)
def _(graph, node, x, *rest, **named):
    return same(graph, node, x)


def same(graph, node, x):
    require(node.meta["val"].dtype == x.meta["val"].dtype, node,
            f"a change from {x.meta['val'].dtype} to {node.meta['val'].dtype} is not understood")
    return graph.at(x)


@rule(aten.detach.default, aten.detach_.default, view=True)
def _(graph, node, x):
    raise Refused(f"{where(node)}: detach would stop a gradient, which a graph cannot")


@rule(aten.expand.default, aten.expand_as.default, view=True)
def _(graph, node, x, *rest, **named):
    return graph.add("expand", [graph.at(x)], sizes=graph.sizes(node.meta["val"]))


@rule(aten.repeat.default)
def _(graph, node, x, repeats):
    sides = list(x.meta["val"].shape)
    sides = [1] * (len(repeats) - len(sides)) + sides
    value = graph.at(x)
    if len(sides) > x.meta["val"].dim():
        value = graph.add("reshape", [value], sizes=[graph.size(side) for side in sides])
    for dim, (side, count) in enumerate(zip(sides, repeats)):
        if side != 1 and count != 1:
            require(isinstance(count, int) and isinstance(side, int), node, "a repetition of or for each sample is not understood")
            value = graph.add("cat", [value] * count, dim=dim)
    return graph.add("expand", [value], sizes=graph.sizes(node.meta["val"]))


def cut(graph, x, dim, start, end, step=1):
    return graph.add("slice", [graph.at(x)], dim=dim, start=start, end=end, step=step)


def bounds(side, start, end):
    start = 0 if start is None else start + side if start < 0 else start
    return start, side if end is None else end + side if end < 0 else min(end, side)


@rule(aten.slice.Tensor, view=True)
def _(graph, node, x, dim=0, start=None, end=None, step=1):
    dim = along(node, x, dim)
    side = graph.size(x.meta["val"].shape[dim])
    if side == graph.size(node.meta["val"].shape[dim]) and step == 1:
        return graph.at(x)
    require(isinstance(side, int), node, "a slice of the batch is not understood")
    return cut(graph, x, dim, *bounds(side, start, end), step)


def replaced(graph, part, whole):
    """A value of which a slice has changed: what was before it, the slice's new value, and what was after it."""
    x, dim, start, end, step = (list(part.args) + [0, None, None, 1][len(part.args) - 1:])[:5]
    dim = along(part, x, dim)
    side = graph.size(whole.meta["val"].shape[dim])
    if side == graph.size(part.meta["val"].shape[dim]):
        return graph.at(part)
    require(isinstance(side, int) and step == 1, part, "it changes each so-manieth value in place")
    start, end = bounds(side, start, end)
    before = [cut(graph, whole, dim, 0, start)] if start > 0 else []
    after = [cut(graph, whole, dim, end, side)] if end < side else []
    return graph.add("cat", before + [graph.at(part)] + after, dim=dim)


@rule(in_place=(aten.zero_.default, aten.fill_.Scalar))
def _(graph, node, x, number=0):
    sizes = graph.sizes(node.meta["val"])
    one = graph.add("constant", [], shape=[1] * len(sizes), table=graph.table([number]))
    return graph.add("expand", [one], sizes=sizes)


def rows(graph, node, x, dim, indices):
    """Picks places of a dimension, which the graph has as numbers."""
    require(indices in graph.fixed and graph.fixed[indices].dtype in (torch.int64, torch.int32), node,
            "places can be looked up by integers that are always the same, and not by computed ones")
    shape = x.meta["val"].shape
    side = graph.size(shape[dim])
    require(isinstance(side, int), node, "a look-up of samples is not understood")
    places = [place % side for place in graph.fixed[indices].flatten().tolist()]
    require(len(places) <= MOST_TABLE_NUMBERS, node, f"a look-up of {len(places):,} places; the most is {MOST_TABLE_NUMBERS:,}")
    graph.read_fixed(indices)
    value = graph.at(x)
    first = [dim] + [each for each in range(len(shape)) if each != dim]
    if dim != 0:
        value = graph.add("permute", [value], dims=first)
    value = graph.add("rows", [value], table=graph.table(places))
    if dim != 0:
        value = graph.add("permute", [value], dims=[first.index(each) for each in range(len(shape))])
    return graph.add("reshape", [value], sizes=graph.sizes(node.meta["val"]))


@rule(aten.index.Tensor)
def _(graph, node, x, indices):
    given = [dim for dim, each in enumerate(indices) if each is not None]
    require(len(given) == 1, node, f"a look-up by {len(given)} lists of places at once is not understood")
    return rows(graph, node, x, given[0], indices[given[0]])


@rule(aten.index_select.default)
def _(graph, node, x, dim, indices):
    return rows(graph, node, x, along(node, x, dim), indices)


@rule(aten.embedding.default)
def _(graph, node, weight, indices, *rest):
    return rows(graph, node, weight, 0, indices)


@rule(aten.roll.default)
def _(graph, node, x, shifts, dims=()):
    require(len(shifts) == len(dims), node, "a roll of all values in a row is not understood")
    value = graph.at(x)
    for shift, dim in zip(shifts, dims):
        dim = along(node, x, dim)
        side = graph.size(x.meta["val"].shape[dim])
        require(isinstance(side, int), node, "a roll of samples is not understood")
        if shift % side != 0:
            at = side - shift % side
            parts = [graph.add("slice", [value], dim=dim, start=start, end=end, step=1) for start, end in ((at, side), (0, at))]
            value = graph.add("cat", parts, dim=dim)
    return value


@rule(aten.select.int, view=True)
def _(graph, node, x, dim, index):
    dim = along(node, x, dim)
    side = graph.size(x.meta["val"].shape[dim])
    require(isinstance(side, int), node, "one sample of the batch is not understood")
    index = index % side
    part = cut(graph, x, dim, index, index + 1)
    return graph.add("reshape", [part], sizes=graph.sizes(node.meta["val"]))


@rule(aten.chunk.default, aten.split.Tensor, aten.split_with_sizes.default, view=True)
def _(graph, node, x, parts, dim=0):
    dim = along(node, x, dim)
    require(dim != 0, node, "a split of the batch is not understood")
    cuts = []
    start = 0
    for part in node.meta["val"]:
        end = start + int(part.shape[dim])
        cuts.append(cut(graph, x, dim, start, end))
        start = end
    return cuts


@rule(aten.unbind.int, view=True)
def _(graph, node, x, dim=0):
    dim = along(node, x, dim)
    parts = []
    for index, part in enumerate(node.meta["val"]):
        parts.append(graph.add("reshape", [cut(graph, x, dim, index, index + 1)], sizes=graph.sizes(part)))
    return parts


@rule(aten.cat.default)
def _(graph, node, parts, dim=0):
    return graph.add("cat", [graph.at(part) for part in parts], dim=along(node, parts[0], dim))


@rule(aten.stack.default)
def _(graph, node, parts, dim=0):
    count = parts[0].meta["val"].dim() + 1
    dim = dim % count
    grown = []
    for part in parts:
        sizes = graph.sizes(part.meta["val"])
        grown.append(graph.add("reshape", [graph.at(part)], sizes=sizes[:dim] + [1] + sizes[dim:]))
    return graph.add("cat", grown, dim=dim)


@rule(aten.pad.default, aten.constant_pad_nd.default)
def _(graph, node, x, padding, *rest, **named):
    mode = rest[0] if node.target is aten.pad.default and rest else "constant"
    value = named.get("value") or (rest[-1] if rest and not isinstance(rest[-1], str) else 0) or 0
    require(mode == "constant" and all(side >= 0 for side in padding), node, f"padding of the kind {mode}, {padding}")
    if not any(padding):
        return graph.at(x)
    return graph.add("pad", [graph.at(x)], padding=list(padding), scalar=float(value))


def make(target, arguments):
    name, _, factory = target.partition(":")
    if not factory:
        raise Refused(f"a module is my_module:make, its file or package and what makes it; it is '{target}'")
    sys.path.insert(0, "")
    made = importlib.import_module(name.removesuffix(".py"))
    for part in factory.split("."):
        made = getattr(made, part)
    module = made if isinstance(made, torch.nn.Module) else made(**arguments)
    if not isinstance(module, torch.nn.Module):
        raise Refused(f"{target} makes a {type(module).__name__}, not a torch.nn.Module")
    return module


def network(module, shape):
    """Returns the graph of a module as data, and its tensors by name."""
    module = module.train()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = export(module, (torch.randn(3, *shape),), dynamic_shapes=({0: Dim("batch", min=2, max=4096)},), strict=False)
    graph = Graph(program, shape)
    outputs = graph.walk()
    used = {value for node in graph.nodes for value in node["in"] if isinstance(value, str)}
    used |= {node[key] for node in graph.nodes for key in TENSORS if key in node}
    tensors = {name: tensor.detach() for name, tensor in module.state_dict().items() if name in used}
    for name, parameter in module.named_parameters():
        if name in used and not parameter.requires_grad:
            print(f"'{name}' does not require a gradient: pass --freeze '{name}' to fleetgrad train", file=sys.stderr)
    missing = used - set(tensors)
    if missing:
        raise Refused(f"the tensors {sorted(missing)} are not in the module's state_dict")
    for name, tensor in tensors.items():
        if tensor.dtype != torch.float32:
            raise Refused(f"'{name}' is {tensor.dtype}; the tensors must be float32")
    trained = set(dict(module.named_parameters()))
    both = graph.buffers & set(graph.statistics)
    if both:
        raise Refused(f"the statistics {sorted(both)} are read beside their BatchNorm")
    fixed = [name for name in tensors if name not in trained and name not in graph.statistics]
    if fixed:
        raise Refused(f"the buffers {fixed} are used as weights; register them as parameters, and freeze them")
    return {
        "format": FORMAT,
        "input": list(shape),
        "outputs": outputs,
        "tensors": {name: list(tensor.shape) for name, tensor in tensors.items()},
        "tables": graph.tables,
        "nodes": graph.nodes,
    }, tensors


def packed(data):
    """The graph with relative references: blocks that are alike become the same text, and that packs well.

    A value is the number of nodes back; a tensor the number of those that were read first since it was, or 0 if it is a new one.
    """
    read = {}

    def back(name):
        if name in read:
            return str(len(read) - read[name])
        read[name] = len(read)
        return "0"

    nodes = []
    for index, node in enumerate(data["nodes"], 1):
        node = dict(node)
        for key in TENSORS:
            if key in node:
                node[key] = back(node[key])
        node["in"] = [back(value) if isinstance(value, str) else index - value for value in node["in"]]
        nodes.append(node)
    tensors = {name: data["tensors"][name] for name in read}
    return {"format": data["format"], "tensors": tensors, "tables": data["tables"], "nodes": nodes}


def name_of(data):
    """Returns the name that a network has in a run: the whole graph is in it."""
    compact = json.dumps(packed(data), separators=(",", ":")).encode()
    if len(compact) > MOST_BYTES:
        raise Refused(f"the graph has {len(compact):,} bytes of JSON; the most is {MOST_BYTES:,}")
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = base64.urlsafe_b64encode(raw.compress(compact) + raw.flush()).decode().rstrip("=")
    shape = "x".join(map(str, data["input"]))
    # Of rows and series the dataset decides what is predicted: a number, a class, labels.
    name = {
        1: f"graph?categories=none&graph={text}&numbers={shape}",
        2: f"graph?graph={text}&input={shape}",
        3: f"graph?classes={data['outputs']}&graph={text}&input={shape}",
    }[len(data["input"])]
    if len(name) > MOST_NAME_CHARACTERS:
        raise Refused(
            f"the graph of {len(data['nodes']):,} nodes and {len(data['tensors']):,} tensors has {len(name):,} characters when it "
            f"is packed; the most is {MOST_NAME_CHARACTERS:,}"
        )
    return name


def readable(data):
    """The graph as JSON, a line for each tensor, table and node."""
    lines = []
    for key, value in data.items():
        if isinstance(value, dict):
            inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in value.items())
            lines.append(f'"{key}": {{\n{inner}\n }}')
        elif key in ("tables", "nodes"):
            inner = ",\n".join(f"  {json.dumps(each)}" for each in value)
            lines.append(f'"{key}": [\n{inner}\n ]')
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", help="my_module:make, torchvision.models:resnet18")
    parser.add_argument("--input", required=True, metavar="3x32x32",
                        help="shape of a sample: channels, height and width of an image; channels and length of a series, 3x128; "
                        "columns of a table, 13")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder to write")
    parser.add_argument("--with", dest="arguments", action="append", default=[], metavar="KEY=VALUE", help="argument of make")
    options = parser.parse_args()
    try:
        if not re.fullmatch(r"[1-9]\d*(x[1-9]\d*){0,2}", options.input):
            raise Refused(f"--input is the shape of a sample, 3x32x32, 3x128 or 13; it is '{options.input}'")
        shape = [int(side) for side in options.input.split("x")]
        arguments = {}
        for argument in options.arguments:
            key, _, text = argument.partition("=")
            try:
                arguments[key] = ast.literal_eval(text)
            except (ValueError, SyntaxError):
                arguments[key] = text
        data, tensors = network(make(options.module, arguments), shape)
        name = name_of(data)
    except Refused as refused:
        sys.exit(f"{options.module}: {refused}")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "network.json").write_text(readable(data))
    save_file({key: tensor.contiguous() for key, tensor in tensors.items()}, options.out / "model.safetensors", {"network": name})
    print(
        f"{options.out}: {len(data['nodes']):,} operators, {sum(tensor.numel() for tensor in tensors.values()):,} values, "
        f"{len(name):,} characters when packed"
    )


if __name__ == "__main__":
    main()
