"""Hugging Face's generate, greedy, with its cache of keys and values. Arguments: network, new tokens, threads. Reads seconds, answers
tokens a second."""

import sys
import time

import torch
from networks import transformer

name, count, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(threads)
torch.manual_seed(1)
network, tokens, _ = transformer(name, 1)
model = network.language_model.eval()
prompt = tokens[:, :3]


def generate():
    return model.generate(
        prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=count, do_sample=False, pad_token_id=0
    )


assert generate().shape[1] == 3 + count
for line in sys.stdin:
    begin, done = time.perf_counter(), 0
    while True:
        generate()
        done += 1
        seconds = time.perf_counter() - begin
        if seconds >= float(line):
            break
    print(done * count / seconds)
