import json
import unittest

from fleetgrad import ClientOptions, Credentials, Initial, MalformedAnswer, ProblemError, ServerUnavailable
from fleetgrad.client import Client
from tests.servers import Served, problem, reply

QUICK = ClientOptions(read_timeout=5, retry_for=2)
TERMS = {"id": "w", "leaseMs": 1000, "generation": "g", "version": 0, "sequence": 0, "synchronous": False}


def client(server, credentials=None, options=QUICK, pauses=None):
    return Client(server.address, options, credentials, sleep=(pauses if pauses is not None else []).append)


class ClientTest(unittest.TestCase):
    def test_should_send_the_same_bytes_again_when_an_answer_is_lost(self):
        answers = [None, reply(503), reply(200, outcome="applied")]
        with Served(lambda *request: answers.pop(0)) as server:
            client(server).push([b"tensors"])
            self.assertEqual([each[3] for each in server.requests], [b"tensors"] * 3)

    def test_should_pause_as_long_as_the_server_asks_within_bounds(self):
        busy = [(503, {"Retry-After": after}, b"") for after in ("0", "1", "9999", "x")]
        answers = busy + [reply(200)]
        pauses = []
        with Served(lambda *request: answers.pop(0)) as server:
            client(server, pauses=pauses, options=ClientOptions(retry_for=60)).push([b""])
        self.assertEqual(pauses[:3], [0.05, 1.0, 2.0])
        self.assertTrue(0.2 <= pauses[3] <= 0.4, pauses)

    def test_should_say_for_how_long_it_tried(self):
        with Served(lambda *request: reply(503)) as server:
            with self.assertRaisesRegex(ServerUnavailable, r"putGradient\?pull=true failed at try 1, .*answers 503"):
                client(server, options=ClientOptions(retry_for=0)).push([b""])

    def test_should_tell_a_problem_with_its_title_detail_and_numbers(self):
        with Served(lambda *request: problem(409, "unknown-worker", leaseMs=300)) as server:
            with self.assertRaises(ProblemError) as refused:
                client(server).next_shard("w")
        self.assertEqual(refused.exception.rule, "unknown-worker")
        self.assertEqual(refused.exception.title, "unknown-worker title")
        self.assertEqual(refused.exception.detail, "it is 7")
        self.assertEqual(refused.exception.numbers, {"leaseMs": 300})

    def test_should_show_the_error_page_of_a_proxy(self):
        with Served(lambda *request: (502, {}, b"<h1>bad gateway</h1>" + b"x" * 5000)) as server:
            with self.assertRaisesRegex(ProblemError, "502.*bad gateway.{1,200}…"):
                client(server).next_shard("w")

    def test_should_refuse_json_that_breaks_the_contract(self):
        for body in (b"[]", b"null", b"{", b"[" * 100_000, b'{"state": 7}', b'{"state":"shard","epoch":true}'):
            with Served(lambda *request: (200, {}, body)) as server:
                with self.assertRaisesRegex(MalformedAnswer, "POST /nextShard answered"):
                    client(server).next_shard("w")

    def test_should_refuse_tensors_that_break_the_contract(self):
        hostile = (
            b"",
            b"\xff" * 16,
            (1 << 60).to_bytes(8, "little") + b"{}",
            (2).to_bytes(8, "little") + b"{}",
            _file({"w": ("F32", [1 << 40], 4)}, {"generation": "g", "version": "1"}),
            _file({"w": ("F32", [2], 4)}, {"generation": "g", "version": "1"}),
            _file({"w": ("F32", [1], 4)}, {"generation": "g", "version": "9" * 5000}),
            _file({"w": ("F32", [1], 4)}, {"generation": "g", "version": "1", "encoding": "f16"}),
            _file({"w": ("F16", [2], 4)}, {"generation": "g", "version": "1"}),
        )
        for body in hostile:
            with Served(lambda *request: (200, {}, body)) as server:
                with self.assertRaisesRegex(MalformedAnswer, "GET /getParameter answered"):
                    client(server).pull()

    def test_should_take_the_token_of_its_registration(self):
        def answer(method, path, headers, body):
            return reply(**TERMS, token="t1", tokenExpiresMs=60_000) if path == "/registerWorker" else reply(state="done")

        with Served(answer) as server:
            worker = client(server, Credentials("a", "s"))
            worker.register({"id": "w"})
            worker.next_shard("w")
            registration, call = server.requests
        self.assertEqual(json.loads(registration[3]), {"id": "w", "accessKey": "a", "secretKey": "s"})
        self.assertEqual((call[2]["Authorization"], call[2]["X-Worker"]), ("Bearer t1", "w"))

    def test_should_renew_a_refused_token_once_and_send_the_same_again(self):
        def answer(method, path, headers, body):
            if path == "/registerWorker":
                return reply(**TERMS, token="t1", tokenExpiresMs=60_000)
            if path == "/issueToken":
                return reply(token="t2", role="worker", expiresMs=60_000)
            return reply(200, outcome="applied") if headers["Authorization"] == "Bearer t2" else problem(401, "unauthenticated")

        with Served(answer) as server:
            worker = client(server, Credentials("a", "s"))
            worker.register({"id": "w"})
            self.assertEqual(worker.push([b"tensors"]).status, 200)
            issue = server.requests[2]
            self.assertEqual(json.loads(issue[3])["worker"], "w")
            self.assertEqual(issue[2]["Authorization"], "Bearer t1")
            self.assertEqual(server.requests[1][3], server.requests[3][3])

    def test_should_fail_at_once_when_its_keys_are_refused(self):
        with Served(lambda *request: problem(401, "unauthenticated")) as server:
            with self.assertRaises(ProblemError):
                client(server, Credentials("a", "s")).push([b""])
            self.assertEqual(len(server.requests), 1)

    def test_should_not_show_keys(self):
        self.assertNotIn("secret", repr(Credentials("access", "secret")))

    def test_should_put_initial_parameters_only_where_there_are_none(self):
        with Served(lambda *request: problem(412, "precondition-failed")) as server:
            client(server).put_initial(Initial({}, {}))
            self.assertEqual(server.requests[0][2]["If-None-Match"], "*")


class CredentialsTest(unittest.TestCase):
    def test_should_read_none_one_and_two_keys(self):
        self.assertIsNone(Credentials.of_environment({}))
        with self.assertRaisesRegex(ValueError, "FLEETGRAD_ACCESS_KEY is set and FLEETGRAD_SECRET_KEY is not"):
            Credentials.of_environment({"FLEETGRAD_ACCESS_KEY": "a"})
        both = {"FLEETGRAD_ACCESS_KEY": "a", "FLEETGRAD_SECRET_KEY": "s"}
        self.assertEqual(Credentials.of_environment(both), Credentials("a", "s"))
        with self.assertRaisesRegex(ValueError, "both set"):
            Credentials.of_environment({**both, "FLEETGRAD_SECRET_KEY_FILE": "/x"})


def _file(tensors, metadata):
    header = {"__metadata__": metadata}
    data = b""
    for name, (kind, shape, size) in tensors.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + size]}
        data += bytes(size)
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


if __name__ == "__main__":
    unittest.main()
