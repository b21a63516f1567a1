"""Makes the TorchScript modules that org.fleetgrad.libtorch.Operator loads:

    python3 lib/libtorch/src/main/torchscript/make_operators.py

Attention takes queries, keys and values side by side, [count, tokens, 3, heads, width / heads], and returns [count,
tokens, width]. The dropped forms multiply the weights of the softmax by a mask, [count, heads, tokens, tokens], which
is drawn by the caller.
"""

import math
import pathlib
from typing import List

import torch
import torch.nn.functional as F

TARGET = pathlib.Path(__file__).resolve().parents[1] / "resources/org/fleetgrad/libtorch/operators"


class CausalAttention(torch.nn.Module):
    def forward(self, x):
        q, k, v = x.permute(2, 0, 3, 1, 4).unbind(0)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)


class FullAttention(torch.nn.Module):
    def forward(self, x):
        q, k, v = x.permute(2, 0, 3, 1, 4).unbind(0)
        return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)


class CausalAttentionDropped(torch.nn.Module):
    def forward(self, x, mask):
        q, k, v = x.permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(2, 3) / math.sqrt(q.size(3))
        later = torch.ones(q.size(2), q.size(2), dtype=torch.bool, device=q.device).triu(1)
        weights = scores.masked_fill(later, -math.inf).softmax(3)
        return (weights * mask @ v).transpose(1, 2).flatten(2)


class FullAttentionDropped(torch.nn.Module):
    def forward(self, x, mask):
        q, k, v = x.permute(2, 0, 3, 1, 4).unbind(0)
        weights = (q @ k.transpose(2, 3) / math.sqrt(q.size(3))).softmax(3)
        return (weights * mask @ v).transpose(1, 2).flatten(2)


class PaddedAttention(torch.nn.Module):
    """Attention of each token to all that are not padding; `tokens` are [count, tokens], `padding` is one number."""

    def forward(self, x, tokens, padding):
        q, k, v = x.permute(2, 0, 3, 1, 4).unbind(0)
        seen = (tokens != padding)[:, None, None]
        return F.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).flatten(2)


class PaddedAttentionDropped(torch.nn.Module):
    def forward(self, x, tokens, padding, mask):
        q, k, v = x.permute(2, 0, 3, 1, 4).unbind(0)
        padded = (tokens == padding)[:, None, None]
        scores = q @ k.transpose(2, 3) / math.sqrt(q.size(3))
        weights = scores.masked_fill(padded, -math.inf).softmax(3)
        return (weights * mask @ v).transpose(1, 2).flatten(2)


class ContinueText(torch.nn.Module):
    """Runs GPT-2 over the tokens that follow `before` cached ones; returns the logits of the last, [1, vocabulary].

    The whole network is one call, because a call from Java takes longer than most layers of a small network take for
    one token. A branch is x + W2 f(W1 norm(x)), where f is causal attention of some heads, or, with 0 heads, the tanh
    form of GELU. `tensors` are the embedding, the positions, six of each branch, the last norm's and the head's. A
    cache of each attention is [most tokens, 2 width]: the keys and values of the new tokens are written behind the
    others.
    """

    def forward(
        self,
        tokens: List[int],
        before: int,
        heads: List[int],
        epsilons: List[float],
        tensors: List[torch.Tensor],
        caches: List[torch.Tensor],
    ):
        count = len(tokens)
        end = before + count
        x = F.embedding(torch.tensor(tokens, device=tensors[0].device), tensors[0])
        x = x + tensors[1].narrow(0, before, count)
        width = x.size(1)
        at = 2
        attentions = 0
        for branch, h in enumerate(heads):
            y = F.layer_norm(x, [width], tensors[at], tensors[at + 1], epsilons[branch])
            y = torch.addmm(tensors[at + 3], y, tensors[at + 2])
            if h == 0:
                y = F.gelu(y, approximate="tanh")
            else:
                cache = caches[attentions]
                attentions += 1
                cache.narrow(0, before, count).copy_(y.narrow(1, width, 2 * width))
                d = width // h
                # A view at once, where reshape, select and transpose are four.
                if count == 1:
                    # Faster than the fused attention for one query. A beta of 0: the first argument is only a shape.
                    q = y.as_strided([h, 1, d], [d, 3 * width, 1])
                    k = cache.as_strided([h, d, end], [d, 1, 2 * width])
                    v = cache.as_strided([h, end, d], [d, 2 * width, 1], width)
                    scores = torch.baddbmm(q.narrow(2, 0, 1), q, k, beta=0.0, alpha=1 / math.sqrt(d))
                    y = torch.bmm(scores.softmax(2), v).view(1, width)
                else:
                    q = y.as_strided([1, h, count, d], [width, d, 3 * width, 1])
                    k = cache.as_strided([1, h, end, d], [width, d, 2 * width, 1])
                    v = cache.as_strided([1, h, end, d], [width, d, 2 * width, 1], width)
                    if before == 0:
                        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
                    else:
                        # The last token sees all keys; `is_causal` would let the first see the first key alone.
                        seen = torch.ones(count, end, dtype=torch.bool, device=x.device).tril(before)
                        y = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
                    y = y.transpose(1, 2).reshape(count, width)
            x = torch.addmm(tensors[at + 5], y, tensors[at + 4]).add_(x)
            at += 6
        # The logits of a vocabulary are large, and those within a prompt predict tokens that are known.
        last = F.layer_norm(x.narrow(0, count - 1, 1), [width], tensors[at], tensors[at + 1], epsilons[-1])
        return F.linear(last, tensors[at + 2])


class Attention(torch.nn.Module):
    """Of graphs: queries, keys and values, [..., tokens, width]."""

    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)


class AttentionCausal(torch.nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)


class AttentionMasked(torch.nn.Module):
    """`mask` is added to the products."""

    def forward(self, q, k, v, mask):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


class Silu(torch.nn.Module):
    def forward(self, x):
        return F.silu(x)


class Hardswish(torch.nn.Module):
    def forward(self, x):
        return F.hardswish(x)


class Hardsigmoid(torch.nn.Module):
    def forward(self, x):
        return F.hardsigmoid(x)


class Mish(torch.nn.Module):
    def forward(self, x):
        return F.mish(x)


class GeluTanh(torch.nn.Module):
    def forward(self, x):
        return F.gelu(x, approximate="tanh")


class DropoutMask(torch.nn.Module):
    """The mask that DropoutMask.java draws from Java's SplittableRandom, with the same bits, on the device of `like`.

    The generator's state after n draws is seed + n gamma, so all draws are one array. Integers wrap around at 64 bits as
    Java's do; `>>` keeps the sign, which the masks of bits take off.
    """

    def forward(self, like, shape: List[int], seed: int, limit: int, kept: float):
        count = 1
        for side in shape:
            count *= side
        # 0x9E3779B97F4A7C15, 0x62A9D9ED799705F5 and 0xCB24D0A5C88C35B3 of java.util.SplittableRandom.
        z = torch.arange(1, count + 1, dtype=torch.int64, device=like.device).mul_(-7046029254386353131).add_(seed)
        z = z.bitwise_xor_((z >> 33).bitwise_and_(0x7FFFFFFF)).mul_(7109453100751455733)
        z = z.bitwise_xor_((z >> 28).bitwise_and_(0xFFFFFFFFF)).mul_(-3808689974395783757)
        drawn = (z >> 40).bitwise_and_(0xFFFFFF)
        return (drawn >= limit).to(torch.float32).mul_(kept).view(shape)


class PinnedMemory(torch.nn.Module):
    """Page-locked memory of the processor for `count` values: a GPU reads and writes it without the processor."""

    def forward(self, count: int):
        return torch.empty([count], dtype=torch.float32, pin_memory=True)


class CopyInto(torch.nn.Module):
    """Begins to overwrite `target` with `source`; from page-locked memory to a GPU it returns before all is read."""

    def forward(self, target, source):
        return target.copy_(source, non_blocking=True)


class CopyToHost(torch.nn.Module):
    """Copies tensors one behind the other into `host`. The last copy is waited for, and with it all before it."""

    def forward(self, tensors: List[torch.Tensor], host):
        at = 0
        for i, tensor in enumerate(tensors):
            values = tensor.reshape(-1)
            host.narrow(0, at, values.numel()).copy_(values, non_blocking=i + 1 < len(tensors))
            at += values.numel()
        return host


class TokenCrossEntropy(torch.nn.Module):
    """Over [count, tokens, classes] and as many targets, of which those of -100 do not count."""

    def forward(self, logits, targets, smoothing):
        return F.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=-100, label_smoothing=float(smoothing)
        )


MODULES = {
    "attention": Attention,
    "attention-causal": AttentionCausal,
    "attention-masked": AttentionMasked,
    "causal-attention": CausalAttention,
    "causal-attention-dropped": CausalAttentionDropped,
    "continue-text": ContinueText,
    "copy-into": CopyInto,
    "copy-to-host": CopyToHost,
    "dropout-mask": DropoutMask,
    "full-attention": FullAttention,
    "full-attention-dropped": FullAttentionDropped,
    "gelu-tanh": GeluTanh,
    "hardsigmoid": Hardsigmoid,
    "hardswish": Hardswish,
    "mish": Mish,
    "padded-attention": PaddedAttention,
    "padded-attention-dropped": PaddedAttentionDropped,
    "pinned-memory": PinnedMemory,
    "silu": Silu,
    "token-cross-entropy": TokenCrossEntropy,
}

if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, module in MODULES.items():
        torch.jit.script(module()).save(str(TARGET / f"{name}.pt"))
