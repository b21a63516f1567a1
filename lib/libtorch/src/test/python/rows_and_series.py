"""Modules for rows of a table and for series."""

import torch
from torch import nn


class Rows(nn.Module):
    """A residual perceptron; one column is an angle."""

    def __init__(self, columns=13, outputs=1):
        super().__init__()
        self.first = nn.Linear(columns + 1, 32)
        self.norm = nn.BatchNorm1d(32)
        self.body = nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 64), nn.GELU(), nn.Dropout(0.2), nn.Linear(64, 32))
        self.head = nn.Linear(32, outputs)

    def forward(self, x):
        x = torch.cat([x, x[:, 2:3].sin()], dim=1)
        x = torch.relu(self.norm(self.first(x)))
        return self.head(x + self.body(x))


class Series(nn.Module):
    """Convolutions, attention between places, and the mean."""

    def __init__(self, channels=3, outputs=4):
        super().__init__()
        self.conv = nn.Conv1d(channels, 16, 5, stride=2, padding=2)
        self.norm = nn.BatchNorm1d(16)
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.head = nn.Linear(16, outputs)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x))).transpose(1, 2)
        x = x + self.attention(x, x, x, need_weights=False)[0]
        return self.head(x.mean(1))
