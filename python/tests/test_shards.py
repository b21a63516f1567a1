import io
import os
import tarfile
import tempfile
import tracemalloc
import unittest

import numpy as np
from safetensors.numpy import save

from fleetgrad import ClientOptions, ShardError
from fleetgrad.sampling import order
from fleetgrad.shard_source import fetch
from fleetgrad.shards import ShardLimits, read
from fleetgrad.work import Batch
from tests.servers import Hostile, Served
from tests.shard_files import archive, description, images, shard, zipped

QUICK = ClientOptions(read_timeout=0.2)


def refused(content, limits=ShardLimits()):
    try:
        read(io.BytesIO(content), "s.tar.gz", limits)
    except ShardError as error:
        return str(error)
    return "read"


class ShardsTest(unittest.TestCase):
    def test_should_read_images_as_torchvision_normalizes_them(self):
        read_shard = read(io.BytesIO(shard(images(3), 3)), "s")
        batch = Batch(read_shard, 0, np.array([2, 0]), False)
        self.assertEqual(batch.images.dtype, np.float32)
        expected = (np.array([[8, 9, 10, 11], [0, 1, 2, 3]], np.float32) / np.float32(255) - np.float32(0.5)) / np.float32(0.25)
        np.testing.assert_array_equal(batch.images.reshape(2, 4), expected)
        np.testing.assert_array_equal(batch.labels, [0, 0])

    def test_should_read_rows(self):
        rows = {"values": np.ones((3, 2), np.float32), "targets": np.arange(3, dtype=np.float32)}
        self.assertEqual(read(io.BytesIO(shard(rows, 3, table={})), "s").samples, 3)

    def test_should_refuse_a_text_without_labels_by_name(self):
        tokens = {"tokens": np.ones(8, np.uint16)}
        self.assertIn("a text without labels", refused(shard(tokens, 2, text={"context": 2})))

    def test_should_refuse_what_is_no_shard(self):
        data = save(images(2))
        good = ("dataset.json", description(data, 2))
        self.assertIn("BadGzipFile", refused(b"no gzip at all"))
        self.assertIn("is not a shard", refused(zipped(b"no tar at all" * 100)))
        self.assertIn("is not a shard", refused(shard(images(2), 2)[:-30]))
        self.assertIn("no entry 'data.safetensors'", refused(archive([good])))
        self.assertIn("'../evil' is none of", refused(archive([("../evil", b"x")])))
        self.assertIn("occurs twice", refused(archive([good, good])))
        self.assertIn("SHA-256", refused(archive([good, ("data.safetensors", save(images(3)))])))
        self.assertIn("dataset.json: JSONDecodeError", refused(archive([("dataset.json", b"{"), ("data.safetensors", data)])))
        self.assertIn("RecursionError", refused(archive([("dataset.json", b"[" * 100_000), ("data.safetensors", data)])))
        self.assertIn("data.safetensors: ", refused(archive([("dataset.json", description(b"x", 2)), ("data.safetensors", b"x")])))

    def test_should_refuse_links_and_devices(self):
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            entry = tarfile.TarInfo("data.safetensors")
            entry.type = kind
            self.assertIn("is not a regular file", refused(archive([(entry, b"")])))

    def test_should_refuse_tensors_that_are_not_those_of_the_description(self):
        self.assertIn("for 3 samples", refused(shard(images(2), 3)))
        self.assertIn("states the shape", refused(shard({**images(2), "images": np.zeros((2, 1, 3, 2), np.uint8)}, 2)))
        self.assertIn("images' is int32", refused(shard({**images(2), "images": np.zeros((2, 1, 2, 2), np.int32)}, 2)))
        self.assertIn("a label is 2, there are 2", refused(shard({**images(2), "labels": np.array([2, 0], np.uint8)}, 2)))
        self.assertIn("needs labels", refused(shard({**images(2), "labels": np.zeros((2, 1), np.uint8)}, 2)))
        self.assertIn("it needs images", refused(shard({"labels": np.zeros(2, np.uint8)}, 2)))

    def test_should_refuse_a_stated_size_above_the_limit(self):
        self.assertIn("states 1200 bytes, the limit is 1000", refused(archive([("data.safetensors", bytes(1200))]), ShardLimits(data=1000)))

    def test_should_end_a_bomb_within_its_allowance(self):
        bomb = zipped(bytes(200 << 20))
        tracemalloc.start()
        try:
            self.assertIn("more than 1048576 bytes there", refused(bomb))
            self.assertLess(tracemalloc.get_traced_memory()[1], 8 << 20)
        finally:
            tracemalloc.stop()


class ShardSourceTest(unittest.TestCase):
    def test_should_fetch_a_file_and_an_http_address(self):
        content = shard(images(2), 2)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a b.tar.gz")
            with open(path, "wb") as file:
                file.write(content)
            self.assertEqual(fetch(path).samples, 2)
            self.assertEqual(fetch("file://" + path.replace(" ", "%20")).samples, 2)
        with Served(lambda *request: (200, {}, content)) as store:
            self.assertEqual(fetch(store.address + "/s.tar.gz?X-Amz-Signature=abc").samples, 2)
            self.assertEqual(store.requests[0][1], "/s.tar.gz?X-Amz-Signature=abc")

    def test_should_never_show_the_query_of_an_address(self):
        with Served(lambda *request: (403, {}, b"")) as store:
            with self.assertRaises(ShardError) as error:
                fetch(store.address + "/s.tar.gz?X-Amz-Signature=secret")
        self.assertIn("the store answered 403", str(error.exception))
        self.assertNotIn("secret", str(error.exception))

    def test_should_never_show_the_password_of_an_address(self):
        for address in ("http://me:secret@127.0.0.1:1/a", "ftp://me:secret@host/a", "http://me:secret@[/a"):
            with self.assertRaises(ShardError) as error:
                fetch(address)
            self.assertNotIn("secret", str(error.exception))

    def test_should_read_no_pipe_nor_device(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            for path in (pipe, "file://" + pipe, "/dev/zero", folder):
                with self.assertRaisesRegex(ShardError, "a folder, a pipe or a device"):
                    fetch(path)

    def test_should_refuse_other_addresses_by_name(self):
        with self.assertRaisesRegex(ShardError, "only http, https and file are read, not s3"):
            fetch("s3://bucket/s.tar.gz")
        with self.assertRaisesRegex(ShardError, "has no host"):
            fetch("file://elsewhere/s.tar.gz")

    def test_should_end_a_store_that_drips_or_breaks_off(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 900000000000\r\n\r\n\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"

        def drip(connection, over):
            connection.sendall(head)
            while not over.wait(0.05):
                connection.sendall(b"\x00")

        for act in (drip, lambda connection, over: connection.sendall(head)):
            with Hostile(act) as store:
                with self.assertRaisesRegex(ShardError, "could not be read|is not a shard"):
                    fetch(store.address + "/s.tar.gz", QUICK)


class SamplingTest(unittest.TestCase):
    def test_should_have_each_sample_once_in_an_order_of_seed_and_epoch(self):
        np.testing.assert_array_equal(np.sort(order(1000, 7, 3)), np.arange(1000))
        self.assertFalse(np.array_equal(order(1000, 7, 3), order(1000, 7, 4)))
        self.assertFalse(np.array_equal(order(1000, 7, 3), order(1000, 8, 3)))
        np.testing.assert_array_equal(order(1000, 7, 3), order(1000, 7, 3))


if __name__ == "__main__":
    unittest.main()
