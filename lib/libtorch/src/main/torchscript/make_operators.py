"""Makes the TorchScript modules that org.fleetgrad.libtorch.Operator loads:

    python3 lib/libtorch/src/main/torchscript/make_operators.py

Attention takes queries, keys and values side by side, [count, tokens, 3, heads, width / heads], and returns [count, tokens, width].
The dropped forms multiply the weights of the softmax by a mask, [count, heads, tokens, tokens], which is drawn by the caller.
The cached form continues texts: it writes the keys and values of the tokens into a cache, [count, most tokens, 2, heads, width / heads],
behind the `length` ones that are there, and attends to all of them. `length` is a whole number on the processor.
"""

import math
import pathlib

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


class CachedAttention(torch.nn.Module):
    def forward(self, x, cache, length):
        before = int(length)
        tokens = x.size(1)
        cache.narrow(1, before, tokens).copy_(x.narrow(2, 1, 2))
        q = x.select(2, 0).transpose(1, 2)
        k, v = cache.narrow(1, 0, before + tokens).permute(2, 0, 3, 1, 4).unbind(0)
        if tokens == 1:
            y = F.scaled_dot_product_attention(q, k, v)
        elif before == 0:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            # The last of the tokens sees all keys; `is_causal` would let the first see the first key alone.
            seen = torch.ones(tokens, before + tokens, dtype=torch.bool, device=q.device).tril(before)
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        return y.transpose(1, 2).flatten(2)


class GeluTanh(torch.nn.Module):
    def forward(self, x):
        return F.gelu(x, approximate="tanh")


class TokenCrossEntropy(torch.nn.Module):
    """Over [count, tokens, classes] and as many targets, of which those of -100 do not count."""

    def forward(self, logits, targets, smoothing):
        return F.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=-100, label_smoothing=float(smoothing)
        )


MODULES = {
    "cached-attention": CachedAttention,
    "causal-attention": CausalAttention,
    "causal-attention-dropped": CausalAttentionDropped,
    "full-attention": FullAttention,
    "full-attention-dropped": FullAttentionDropped,
    "gelu-tanh": GeluTanh,
    "token-cross-entropy": TokenCrossEntropy,
}

if __name__ == "__main__":
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, module in MODULES.items():
        torch.jit.script(module()).save(str(TARGET / f"{name}.pt"))
