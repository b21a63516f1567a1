"""A module that exports to each operator that Fleetgrad has, and another one whose in-place operations share memory."""

import torch
import torch.nn.functional as F
from torch import nn


class EveryOperator(nn.Module):
    def __init__(self, num_classes=10):
        super().__init__()
        self.first = nn.Conv2d(3, 16, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(16, momentum=0.3, eps=1e-3)
        self.grouped = nn.Conv2d(16, 16, 3, stride=2, padding=2, dilation=2, groups=4)
        self.group_norm = nn.GroupNorm(4, 16)
        self.scale = nn.Parameter(torch.rand(16, 1, 1))
        self.lines = nn.Conv1d(16, 12, 3, padding="same")
        self.line_norm = nn.BatchNorm1d(12)
        self.layer_norm = nn.LayerNorm(12)
        self.plain_norm = nn.LayerNorm(12, elementwise_affine=False)
        self.scaled_norm = nn.LayerNorm(12, bias=False)
        self.token = nn.Parameter(torch.randn(1, 1, 12))
        self.qkv = nn.Linear(12, 36)
        self.matrix = nn.Parameter(torch.randn(12, 12) / 4)
        self.positions = nn.Parameter(torch.randn(5, 12))
        self.register_buffer("places", (torch.arange(16).reshape(4, 4) * 3) % 5)
        self.register_buffer("angles", torch.linspace(-1, 1, 12), persistent=False)
        self.bias = nn.Parameter(torch.randn(12))
        self.head = nn.Linear(12, num_classes)

    def positioned(self, x):
        """Looks positions up, rolls, masks, and changes a part of a copy in place, as window attention does."""
        length = x.shape[1]
        found = self.positions[self.places].reshape(16, 12)[:length]
        mask = x.new_zeros((length, 12))
        mask[2:5] = 1
        mask[:, ::3] = -0.5
        mask = mask.masked_fill(mask == 1, 0.3)
        x = torch.roll(x, (2, -3), (1, 2)) * mask + found + self.angles.sin()
        low, high = self.angles.chunk(2)
        x = x + torch.cat([high, low]) * 0.1
        x = x + x.index_select(2, torch.arange(11, -1, -1)) + F.embedding(torch.arange(length) % 5, self.positions)
        bias = self.bias.clone()
        bias[4:8].zero_()
        x = F.linear(x, self.matrix, bias) + F.linear(x, self.matrix.tanh())
        x = x + F.normalize(x, dim=-1) + x.clamp(min=-1.0).clamp(max=2.0)
        # Zeros have a norm whose gradient is 0.
        x = x + torch.linalg.vector_norm(F.pad(x, (0, 3))[:, :, 9:].reshape(-1, length, 6, 1), dim=-1).repeat(1, 1, 2)
        products = torch.einsum("bid,bjd->bij", x, x) * 0.01
        return x + torch.einsum("b j d, b i j -> b i d", x, products.softmax(-1))

    def forward(self, x):
        x = F.pad(x, (1, 1, 1, 1), value=0.1)
        x = self.norm(self.first(x))
        x = x + F.silu(x) + F.hardswish(x) + F.mish(x) + F.relu6(x) + F.hardsigmoid(x)
        x = F.max_pool2d(x, 3, 2, 1, ceil_mode=True)
        x = self.group_norm(self.grouped(x)) * self.scale
        a, b = x.chunk(2, dim=1)
        x = torch.cat([F.leaky_relu(a, 0.2), F.elu(b, 0.7)], 1)
        b, c, h, w = x.shape
        x = x.view(b, 4, c // 4, h, w).transpose(1, 2).reshape(b, c, h, w)
        x = x + F.avg_pool2d(x, 3, 1, 1, count_include_pad=False) + F.softplus(x) + F.selu(x)
        gate = torch.sigmoid(F.adaptive_avg_pool2d(x, 1)) + F.adaptive_max_pool2d(x, 1).tanh()
        x = (x * gate - 0.5) / 2.0
        x = self.line_norm(self.lines(x.flatten(2)))
        x = F.avg_pool1d(x, 2)
        x = x.permute(0, 2, 1)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1)
        y = self.plain_norm(self.scaled_norm(self.layer_norm(x)))
        q, k, v = self.qkv(y).unflatten(2, (3, 3, 4)).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + F.scaled_dot_product_attention(q, k, v, scale=0.3).transpose(1, 2).flatten(2)
        weights = torch.softmax(q @ k.transpose(-2, -1) * 0.5, dim=-1)
        x = x + (weights @ v).transpose(1, 2).flatten(2)
        x = x + torch.matmul(F.gelu(x), self.matrix) + F.gelu(x, approximate="tanh")
        x = x + torch.stack([x.sin(), x.cos()], dim=-1).sum(-1) * torch.tensor(0.25)
        x = x + (1 - x.abs()) * 0.1 + torch.exp(-x.pow(2)) + torch.sqrt(x.abs() + 1) + torch.rsqrt(x.abs() + 1)
        x = x + torch.log(x.abs() + 1) + torch.erf(x) + torch.maximum(x, -x) + torch.minimum(x, x * 2)
        x = self.positioned(x)
        x = x[:, 0] + x[:, 1:].mean(1) + x.amax(1) + x[:, 1::2].mean(dim=(1,), keepdim=True).squeeze(1)
        return F.log_softmax(self.head(x.clamp(-9.0, 9.0)), dim=1)


class SharedMemory(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(12, 10)

    def forward(self, x):
        flat = x.flatten(1)
        part = flat[:, :6]
        flat.relu_()
        return self.fc(flat) + part.sum(1, keepdim=True)


class ChangedConstant(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2, 10))

    def forward(self, x):
        table = x.new_zeros(2, 10)
        table.add_(self.scale)
        return x.flatten(1).mean(1, keepdim=True) * table[0]


class Unknown(nn.Module):
    def forward(self, x):
        return torch.cumsum(x.flatten(1), 1)
