"""Trains a GPT-2 of transformers as a run did, with the windows that its shard and seed give, and prints both losses.

    twenty_steps_of_text.py INITIAL OURS SHARD SEED STEPS NETWORK
"""

import json
import sys
import tarfile
import urllib.parse

import torch
from safetensors.torch import load, load_file
from transformers import GPT2Config, GPT2LMHeadModel

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def bits(seed, epoch, sample):
    """64 random bits: SplitMix64 (Steele, Lea, Flood 2014), as lib/datasets has it."""
    first = mix(mix(seed & MASK) + GAMMA * (epoch + 1) & MASK)
    return mix(first + GAMMA * (sample + 1) & MASK)


def network(name):
    sizes = dict(urllib.parse.parse_qsl(name.split("?")[1]))
    return GPT2LMHeadModel(
        GPT2Config(
            n_layer=int(sizes["layers"]),
            n_head=int(sizes["heads"]),
            n_embd=int(sizes["width"]),
            n_positions=int(sizes["context"]),
            vocab_size=int(sizes["vocabulary"]),
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=None,
            eos_token_id=None,
        )
    )


def load_into(model, path):
    missing, unexpected = model.load_state_dict(load_file(path), strict=False)
    assert missing == ["lm_head.weight"] and not unexpected, (missing, unexpected)
    model.tie_weights()


def batch(rows, seed, epoch):
    context = rows.shape[1] // 2
    starts = [(bits(seed, epoch, i) >> 1) * 2 * context >> 64 for i in range(len(rows))]
    windows = [row[start : start + context + 1] for row, start in zip(rows, starts)]
    return torch.stack(windows)


def loss(model, windows):
    logits = model(windows[:, :-1]).logits
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())


def main(initial, ours, shard, seed, steps, name):
    with tarfile.open(shard) as archive:
        data = archive.extractfile("data.safetensors").read()
    context = int(dict(urllib.parse.parse_qsl(name.split("?")[1]))["context"])
    rows = load(data)["tokens"].to(torch.int64).reshape(-1, 2 * context)
    model = network(name)
    load_into(model, initial)
    before = loss(model, batch(rows, seed, 0)).item()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003, betas=(0.9, 0.99), weight_decay=0.1)
    for epoch in range(steps):
        optimizer.zero_grad()
        loss(model, batch(rows, seed, epoch)).backward()
        optimizer.step()
    last = batch(rows, seed, steps - 1)
    torch_loss = loss(model, last).item()
    load_into(model, ours)
    print(json.dumps({"before": before, "torch": torch_loss, "ours": loss(model, last).item()}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
