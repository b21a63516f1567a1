"""Servers for the tests: one that answers as a script says, and one that holds the contract for one worker."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from safetensors.numpy import load, save

TENSORS = "application/vnd.safetensors"


def problem(status, rule, **numbers):
    body = {"type": "urn:fleetgrad:problem:" + rule, "title": rule + " title", "status": status, "code": status}
    return status, {"Content-Type": "application/problem+json"}, json.dumps({**body, "detail": "it is 7", **numbers}).encode()


def reply(status=200, **members):
    return status, {"Content-Type": "application/json"}, json.dumps({"code": status, **members}).encode()


class Served:
    """Serves the answers that `answer(method, path, headers, body)` makes; None closes the connection without one."""

    def __init__(self, answer):
        self.requests = []
        served = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                served.requests.append((self.command, self.path, dict(self.headers), body))
                made = answer(self.command, self.path, dict(self.headers), body)
                if made is None:
                    self.close_connection = True
                    return
                status, headers, content = made
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = serve

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.address = "http://127.0.0.1:%d" % self.server.server_port

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.server.shutdown()
        self.server.server_close()


class Hostile:
    """Accepts connections, and does with each what `act(connection, over)` does; `over` is set at the end of the test."""

    def __init__(self, act):
        self.over = threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self._accept, args=(act,), daemon=True).start()

    def _accept(self, act):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(act, connection), daemon=True).start()

    def _serve(self, act, connection):
        with connection:
            try:
                connection.recv(1 << 16)
                act(connection, self.over)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.over.set()
        self.socket.close()


class Training:
    """A parameter server of one worker: plain gradient descent with the learning rate 1, asynchronous."""

    def __init__(self, shards=(), **terms):
        self.parameters = {"w": np.zeros((2, 3), np.float32), "b": np.zeros(2, np.float32)}
        self.metadata = {"seed": "5"}
        self.generation, self.version = "g1", 0
        self.terms = terms
        self.registered = set()
        self.registrations = 0
        self.answers = {}
        self.gradients = []
        self.shards = list(shards)
        self.place = 0
        # Taken before the usual answer: functions of (method, path, body) that return an answer, or "lost".
        self.faults = []

    def __call__(self, method, path, headers, body):
        fault = self.faults.pop(0)(method, path, body) if self.faults else "usual"
        if fault not in ("usual", "lost"):
            return fault
        made = self._answer(method, path.partition("?")[0], path, headers, body)
        return None if fault == "lost" else made

    def _answer(self, method, route, path, headers, body):
        if route == "/registerWorker":
            return self._register(json.loads(body))
        if route == "/unregisterWorker":
            request = json.loads(body)
            if list(request) != ["id"]:
                return problem(400, "malformed")
            self.registered.discard(request["id"])
            return reply()
        if route == "/getParameter":
            tag = '"%s-%d"' % (self.generation, self.version)
            if self.parameters is None:
                return problem(404, "no-parameters")
            return (304, {}, b"") if headers.get("If-None-Match") == tag else self._set()
        if route == "/putParameter":
            if self.parameters is None:
                self.parameters, self.generation = dict(load(body)), "g2"
            return reply(201, generation=self.generation, version=self.version)
        if route == "/nextShard":
            assert list(json.loads(body)) == ["worker"]
            return self._next()
        return self._push(body)

    def _register(self, request):
        self.registrations += 1
        self.registered.add(request["id"])
        usual = {"id": request["id"], "leaseMs": 1000, "generation": self.generation, "version": self.version}
        known = max((number for worker, number in self.answers if worker == request["id"]), default=0)
        return reply(**{**usual, "sequence": known, "workerMomentum": 0, "synchronous": False, **self.terms})

    def _set(self, **headers):
        metadata = {**self.metadata, "generation": self.generation, "version": str(self.version)}
        return 200, {"Content-Type": TENSORS, **headers}, save(self.parameters, metadata)

    def _next(self):
        while self.shards and self.place >= self.shards[0][1]:
            self.shards.pop(0)
            self.place = 0
        if not self.shards:
            return reply(state="done")
        url, samples = self.shards[0]
        return reply(state="shard", epoch=0, shard=0, sample=self.place, samples=samples, name=str(url), url=url)

    def _push(self, body):
        length = int.from_bytes(body[:8], "little")
        stated = json.loads(body[8 : 8 + length])["__metadata__"]
        worker, number = stated["worker"], int(stated["sequence"])
        if worker not in self.registered:
            return problem(409, "unknown-worker")
        if (worker, number) in self.answers:
            return self._set(**{"X-Outcome": "duplicate", "X-Version": str(self.answers[worker, number])})
        if stated["generation"] != self.generation:
            return problem(409, "other-generation")
        gradient = load(body)
        staleness = self.version - int(stated["baseVersion"])
        self.version += 1
        self.answers[worker, number] = self.version
        self.gradients.append((stated, gradient))
        for name, values in gradient.items():
            self.parameters[name] = self.parameters[name] - values
        if "cursor" in stated:
            self.place = int(stated["cursor"].split("/")[2])
        return self._set(**{"X-Outcome": "applied", "X-Version": str(self.version), "X-Staleness": str(staleness)})
