import http.client
import tracemalloc
import unittest

from fleetgrad.client import Client
from fleetgrad.options import ClientOptions
from fleetgrad.problems import MalformedAnswer, ServerUnavailable
from fleetgrad.transport import FLOOR, Pace, TooSlow, Transport
from tests.servers import Hostile, Served, reply

IMPATIENT = ClientOptions(read_timeout=0.2, retry_for=0, max_answer_bytes=1 << 20)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.safetensors\r\n"


def get(server, options=IMPATIENT):
    return Transport(server.address, options).exchange("GET", "/getParameter", {})


def dripping(start, piece):
    def act(connection, over):
        connection.sendall(start)
        while not over.wait(0.05):
            connection.sendall(piece)

    return act


class TransportTest(unittest.TestCase):
    def test_should_refuse_a_stated_length_above_the_limit_before_a_byte_of_it_is_read(self):
        with Hostile(dripping(HEAD + b"Content-Length: 900000000000\r\n\r\n", b"x")) as server:
            with self.assertRaisesRegex(MalformedAnswer, "states 900000000000 bytes, 1048576 are read at most"):
                get(server)

    def test_should_take_no_memory_for_a_length_that_is_only_stated(self):
        patient = ClientOptions(read_timeout=0.2, retry_for=0)
        with Hostile(dripping(HEAD + b"Content-Length: 2000000000\r\n\r\n", b"x")) as server:
            tracemalloc.start()
            try:
                with self.assertRaises(TooSlow):
                    get(server, patient)
                self.assertLess(tracemalloc.get_traced_memory()[1], 4 << 20)
            finally:
                tracemalloc.stop()

    def test_should_end_a_body_that_drips(self):
        with Hostile(dripping(HEAD + b"Content-Length: 1000\r\n\r\n", b"x")) as server:
            with self.assertRaisesRegex(TooSlow, "below 8192 a second"):
                get(server)

    def test_should_end_a_head_that_drips(self):
        with Hostile(dripping(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x")) as server:
            with self.assertRaises(TooSlow):
                get(server)

    def test_should_end_a_silent_answer(self):
        with Hostile(lambda connection, over: over.wait(60)) as server:
            with self.assertRaises(OSError):
                get(server)

    def test_should_refuse_headers_without_end(self):
        with Hostile(dripping(HEAD, b"X-More: 1\r\n" * 1000)) as server:
            with self.assertRaises((http.client.HTTPException, OSError)):
                get(server)

    def test_should_refuse_chunks_without_end(self):
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        with Hostile(dripping(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", chunk * 8)) as server:
            with self.assertRaisesRegex(MalformedAnswer, "more than the 1048576 bytes"):
                get(server)

    def test_should_notice_a_truncated_body(self):
        with Hostile(lambda connection, over: connection.sendall(HEAD + b"Content-Length: 9\r\n\r\nabc")) as server:
            with self.assertRaisesRegex(ConnectionError, "after 3 of 9 bytes"):
                get(server)

    def test_should_retry_a_truncated_body_until_its_time_is_up(self):
        options = ClientOptions(read_timeout=0.2, retry_for=0.3)
        with Hostile(lambda connection, over: connection.sendall(HEAD + b"Content-Length: 9\r\n\r\nabc")) as server:
            with self.assertRaisesRegex(ServerUnavailable, "failed at try [2-9].*after 3 of 9 bytes"):
                Client(server.address, options, None).pull()

    def test_should_not_follow_a_redirect(self):
        with Served(lambda *request: (302, {"Location": "http://127.0.0.1:1/"}, b"")) as server:
            self.assertEqual(get(server).status, 302)

    def test_should_open_a_connection_again_that_the_server_closed_while_idle(self):
        with Served(lambda *request: reply()) as server:
            transport = Transport(server.address, IMPATIENT)
            transport.exchange("GET", "/a", {})
            transport._connection.sock.shutdown(2)
            self.assertEqual(transport.exchange("GET", "/b", {}).status, 200)

    def test_should_send_a_long_body_whole(self):
        pieces = [bytes([i]) * 100_000 for i in range(5)]
        with Served(lambda *request: reply()) as server:
            Transport(server.address, IMPATIENT).exchange("POST", "/p", {}, pieces)
            self.assertEqual(server.requests[0][3], b"".join(pieces))

    def test_should_read_an_answer_that_comes_before_the_end_of_the_body(self):
        refusal = b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
        with Hostile(lambda connection, over: (connection.sendall(refusal), over.wait(0.5))) as server:
            answer = Transport(server.address, IMPATIENT).exchange("POST", "/p", {}, [bytes(1000)])
            self.assertEqual(answer.status, 413)

    def test_should_refuse_an_address_with_a_password_and_not_quote_it(self):
        for address in ("http://me:sesame@host", "me:sesame@host", "http://host?token=sesame"):
            with self.assertRaisesRegex(ValueError, "must be like http://host:29500") as error:
                Transport(address, IMPATIENT)
            self.assertNotIn("sesame", str(error.exception))

    def test_should_refuse_what_is_no_address(self):
        for address in ("ftp://host", "http://", "http://host?x=1", "unix:/run/x.sock"):
            with self.assertRaisesRegex(ValueError, "must be like http://host:29500"):
                Transport(address, IMPATIENT)


class PaceTest(unittest.TestCase):
    def test_should_give_a_second_for_each_8192_bytes_after_its_grace_period(self):
        now = [0.0]
        pace = Pace(60, 30, lambda: now[0])
        self.assertEqual(pace.timeout(), 30)
        now[0] = 59
        self.assertEqual(pace.timeout(), 1)
        pace.count(10 * FLOOR)
        self.assertEqual(pace.timeout(), 11)
        now[0] = 70
        with self.assertRaisesRegex(TooSlow, "only 81920 bytes came in 70 s"):
            pace.timeout()


if __name__ == "__main__":
    unittest.main()
