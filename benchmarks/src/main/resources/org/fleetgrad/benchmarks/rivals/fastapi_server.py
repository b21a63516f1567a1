"""POST /predict as people write it: FastAPI, uvicorn and PyTorch in one process, LeNet-5, JSON both ways.

Answers "start" with the address once it listens, and ends at "stop".
"""

import socket
import sys
import threading
import time

import torch
import uvicorn
from fastapi import FastAPI, Request

import networks

torch.set_num_threads(2)
network = networks.LeNet5().eval()
app = FastAPI()


@app.post("/predict")
async def predict(request: Request):
    body = await request.json()
    image = torch.tensor(body["image"], dtype=torch.float32).reshape(1, 1, 28, 28)
    with torch.inference_mode():
        probabilities = torch.softmax(network((image / 255 - 0.1307) / 0.3081), 1)[0]
    index = int(probabilities.argmax())
    return {"code": 200, "predictions": [{"label": str(index), "class": index, "probabilities": probabilities.tolist()}],
            "version": 0, "generation": "fastapi"}


# With its protocol: otherwise asyncio leaves out TCP_NODELAY, and each answer waits 40 ms for an acknowledgement.
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listener.bind(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()

for line in sys.stdin:
    if line.strip() == "stop":
        server.should_exit = True
        print("stopped")
        break
    while not server.started:
        time.sleep(0.05)
    print("http://127.0.0.1:%d" % listener.getsockname()[1])
