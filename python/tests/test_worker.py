import json
import os
import tempfile
import time
import unittest

import numpy as np

from fleetgrad import (
    Applied,
    ClientOptions,
    Dropped,
    Duplicate,
    FleetgradError,
    Initial,
    MalformedAnswer,
    ProblemError,
    Rejected,
    Worker,
)
from fleetgrad.sampling import order
from tests.servers import TENSORS, Served, Training, problem, reply
from tests.shard_files import images, shard

QUICK = ClientOptions(read_timeout=5, retry_for=5)
ONES = {"w": np.ones((2, 3), np.float32), "b": np.ones(2, np.float32)}


def lose(*unused):
    return "lost"


def usual(*unused):
    return "usual"


class WorkerTest(unittest.TestCase):
    def setUp(self):
        self.training = Training()
        self.served = Served(self.training)
        self.addCleanup(self.served.__exit__)

    def worker(self, **more):
        return Worker(self.served.address, worker="w", options=QUICK, **more)

    def push(self, worker, gradients=ONES):
        worker.pull()
        return worker.push(gradients, loss=1.5, samples=4)

    def test_should_count_a_gradient_once_when_its_answers_are_lost(self):
        with self.worker() as worker:
            worker.pull()
            self.training.faults = [lose, lose, lambda *request: problem(503, "busy")]
            outcome = worker.push(ONES, loss=1.5, samples=4)
            self.assertEqual(outcome, Duplicate("applied", 1))
            self.assertEqual(self.push(worker), Applied(2, 0))
        self.assertEqual(len(self.training.gradients), 2)
        stated = self.training.gradients[0][0]
        self.assertEqual((stated["sequence"], stated["samples"], stated["loss"]), ("1", "4", "1.5"))
        np.testing.assert_array_equal(self.training.parameters["b"], [-2, -2])

    def test_should_register_again_and_keep_the_number_when_its_lease_expired(self):
        with self.worker() as worker:
            worker.pull()
            self.training.registered.clear()
            self.assertEqual(worker.push(ONES, loss=0, samples=1), Applied(1, 0))
            self.assertEqual(worker.sequence, 1)
        self.assertEqual(self.training.registrations, 2)
        self.assertEqual(self.training.registered, set())

    def test_should_continue_its_numbers_when_it_is_started_again(self):
        with self.worker() as worker:
            self.push(worker)
        with self.worker() as again:
            self.push(again)
            self.assertEqual(again.sequence, 2)

    def test_should_register_when_the_answer_to_its_registration_is_lost(self):
        self.training.faults = [lose]
        with self.worker() as worker:
            self.assertEqual(self.push(worker), Applied(1, 0))
        activations = {each[3] for each in self.served.requests if each[1] == "/registerWorker"}
        self.assertEqual(len(activations), 1, "the same activation takes its own place")

    def test_should_wait_while_another_worker_has_its_id(self):
        self.training.faults = [lambda *request: problem(409, "worker-exists")] * 2
        with self.worker() as worker:
            self.assertEqual(self.push(worker), Applied(1, 0))

    def test_should_pull_again_only_what_it_does_not_have(self):
        with self.worker() as worker:
            first = worker.pull()
            self.assertIs(worker.pull(), first)
            worker.push(ONES, loss=1, samples=1)
            before = len(self.served.requests)
            self.assertEqual(worker.pull().version, 1)
            self.assertEqual(len(self.served.requests), before, "the answer to the push had the parameters")

    def test_should_pull_and_go_on_when_its_gradient_is_of_another_history(self):
        with self.worker() as worker:
            worker.pull()
            self.training.generation = "g9"
            outcome = worker.push(ONES, loss=1, samples=1)
            self.assertIsInstance(outcome, Dropped)
            self.assertEqual((outcome.rule, outcome.counted), ("other-generation", False))
            self.assertEqual(worker.pull().generation, "g9")

    def test_should_put_back_its_parameters_when_the_server_lost_them(self):
        with self.worker() as worker:
            self.push(worker)
            self.training.parameters = None
            self.training.faults = [lambda *request: problem(409, "no-parameters")]
            self.assertEqual(worker.push(ONES, loss=1, samples=1).rule, "no-parameters")
            np.testing.assert_array_equal(worker.pull()["b"], [-1, -1])
        put = [each for each in self.served.requests if each[1] == "/putParameter"][0]
        self.assertNotIn(b"generation", put[3])

    def test_should_put_the_initial_parameters_where_there_are_none(self):
        self.training.parameters = None
        begin = Initial({"w": np.full((2, 3), 2, np.float32)}, {"network": "mine"})
        with self.worker(initial=lambda: begin) as worker:
            np.testing.assert_array_equal(worker.pull()["w"], begin.tensors["w"])

    def test_should_say_that_nobody_begins_the_run(self):
        self.training.parameters = None
        impatient = ClientOptions(retry_for=0.01)
        with Worker(self.served.address, options=impatient) as worker:
            with self.assertRaisesRegex(FleetgradError, "has no parameters after 1 s.*state initial="):
                worker.pull()

    def test_should_tell_a_wrong_gradient_as_a_value_and_a_wrong_shape_as_a_bug(self):
        with self.worker() as worker:
            worker.pull()
            self.training.faults = [lambda *request: problem(422, "not-finite", tensor="w")]
            outcome = worker.push({**ONES, "b": np.array([np.nan, 0])}, loss=1, samples=1)
            self.assertIsInstance(outcome, Rejected)
            self.assertEqual((outcome.reason, outcome.problem.numbers), ("it is 7", {"tensor": "w"}))
            sent = len(self.served.requests)
            with self.assertRaisesRegex(ValueError, r"'w' has the shape \(3, 2\), the parameter \(2, 3\)"):
                worker.push({**ONES, "w": np.ones((3, 2))}, loss=1, samples=1)
            with self.assertRaisesRegex(ValueError, "missing: b; not among them: c"):
                worker.push({"w": ONES["w"], "c": ONES["b"]}, loss=1, samples=1)
            with self.assertRaisesRegex(ValueError, "the loss is nan"):
                worker.push(ONES, loss=float("nan"), samples=1)
            self.assertEqual(len(self.served.requests), sent)

    def test_should_refuse_parameters_of_another_shape_than_before(self):
        with self.worker() as worker:
            self.push(worker)
            self.training.parameters = {"w": np.zeros((9, 9), np.float32), "b": np.zeros(2, np.float32)}
            self.training.version = 7
            with self.assertRaisesRegex(MalformedAnswer, r"'w' had the shape \(2, 3\), and has \(9, 9\)"):
                worker.pull(), worker.pull()

    def test_should_refuse_one_of_several_servers(self):
        self.training.metadata = {"partition": "0/2"}
        with self.worker() as worker:
            with self.assertRaisesRegex(FleetgradError, "partition 0/2.*train with one server"):
                worker.pull()

    def test_should_leave_a_run_of_local_steps(self):
        self.training.terms = {"localSteps": {"steps": 8, "optimizer": "adamw", "learningRate": 0.001}}
        with self.assertRaisesRegex(FleetgradError, "8 local steps.*--local-steps 1"):
            with self.worker() as worker:
                worker.pull()
        self.assertEqual(self.training.gradients, [])

    def test_should_apply_the_momentum_that_the_server_leaves_to_it_once_for_each_gradient(self):
        self.training.terms = {"workerMomentum": 0.5}
        with self.worker() as worker:
            worker.pull()
            self.training.faults = [lose, usual, usual]
            worker.push(ONES, loss=1, samples=1)
            self.push(worker)
        sent = [gradient["b"][0] for _, gradient in self.training.gradients]
        # v = 0.5 v + g, and g + 0.5 v: 1 + 0.5, and 1 + 0.5 * 1.5.
        self.assertEqual(sent, [1.5, 1.75])

    def test_should_wait_for_the_next_version_after_a_gradient_that_waits_for_its_step(self):
        with self.worker() as worker:
            worker.pull()
            self.training.faults = [
                lambda *request: reply(202, outcome="buffered", version=0, staleness=0, awaitNext=True),
                lambda method, path, body: self.check_poll(path),
            ]
            worker.push(ONES, loss=1, samples=1)
            self.training.version = 1
            self.assertEqual(worker.pull().version, 1)

    def test_should_try_again_where_no_newer_version_came_after_it_was_too_far_ahead(self):
        with self.worker() as worker:
            worker.pull()
            self.training.faults = [
                lambda *request: problem(409, "too-far-ahead"),
                lambda method, path, body: self.check_poll(path),
            ]
            self.assertIsInstance(worker.push(ONES, loss=1, samples=1), Dropped)
            # The slowest worker may have left: then nobody makes a newer version.
            self.assertEqual(worker.pull().version, 0)

    def test_should_end_after_its_batch_while_the_work_is_paused(self):
        with self.worker() as worker:
            worker.pull()
            self.training.faults = [
                lambda *request: (
                    202,
                    {"Content-Type": "application/json", "X-Work": "paused"},
                    json.dumps(
                        {"code": 202, "outcome": "buffered", "version": 0, "staleness": 0, "awaitNext": True}
                    ).encode(),
                ),
            ]
            self.assertFalse(worker.is_over())
            worker.push(ONES, loss=1, samples=1)
            self.assertTrue(worker.is_over())
            self.assertEqual(worker.pull().version, 0)

    def check_poll(self, path):
        self.assertEqual(path, "/getParameter?after=0&waitMs=500")
        return (304, {}, b"")

    def test_should_send_the_statistics_of_a_network_with_state(self):
        self.training.metadata = {"state": "0.1 b"}
        with self.worker() as worker:
            self.assertEqual(worker.pull().state, ("b",))
            worker.push(ONES, loss=1, samples=4, batches=2, weight=3.5)
        stated = self.training.gradients[0][0]
        self.assertEqual((stated["batches"], stated["lossWeight"]), ("2", "3.5"))


class FrozenTest(unittest.TestCase):
    def test_should_push_only_the_trainable_tensors(self):
        training = Training(freeze="w")

        def answer(method, path, headers, body):
            made = training(method, path, {k: v for k, v in headers.items() if k != "If-None-Match"}, body)
            if "frozen=omit" in path and made[1].get("Content-Type") == TENSORS:
                whole, training.parameters = training.parameters, {"b": training.parameters["b"]}
                made = training._set(**{key: value for key, value in made[1].items() if key.startswith("X-")})
                training.parameters = whole
            return made

        with Served(answer) as server, Worker(server.address, options=QUICK) as worker:
            parameters = worker.pull()
            self.assertEqual((sorted(parameters), parameters.trainable), (["b", "w"], ("b",)))
            self.assertEqual(worker.push({"b": ONES["b"]}, loss=1, samples=1), Applied(1, 0))
            after = worker.pull()
            self.assertEqual((sorted(after), after.trainable, after["b"][0]), (["b", "w"], ("b",), -1))
            with self.assertRaisesRegex(ValueError, "not among them: w"):
                worker.push(ONES, loss=1, samples=1)


class BatchesTest(unittest.TestCase):
    COUNT = 10

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "s.tar.gz")
        with open(self.path, "wb") as file:
            file.write(shard(images(self.COUNT), self.COUNT))
        self.training = Training([(self.path, self.COUNT)])
        self.served = Served(self.training)
        self.addCleanup(self.served.__exit__)

    def worker(self, **more):
        return Worker(self.served.address, worker="w", options=QUICK, **more)

    def test_should_go_through_a_shard_in_the_order_of_the_run_and_state_its_place(self):
        seen = []
        with self.worker() as worker:
            for batch in worker.batches(4):
                worker.pull()
                seen += batch.indices.tolist()
                self.assertEqual(worker.push(ONES, loss=1).counted, True)
                self.assertEqual(batch.is_last, len(seen) == self.COUNT)
        self.assertEqual(seen, order(self.COUNT, 5, 0).tolist(), "the parameters state the seed 5")
        self.assertEqual([each[0]["cursor"] for each in self.training.gradients], ["0/0/4", "0/0/8", "0/0/10"])
        self.assertEqual([each[0]["samples"] for each in self.training.gradients], ["4", "4", "2"])

    def test_should_take_the_samples_of_a_dropped_gradient_again(self):
        seen = []
        with self.worker() as worker:
            for batch in worker.batches(5):
                worker.pull()
                seen.append(batch.indices.tolist())
                if len(seen) == 1:
                    self.training.faults = [lambda *request: problem(409, "stale-gradient")]
                worker.push(ONES, loss=1)
        self.assertEqual(len(seen), 3)
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(len(self.training.gradients), 2)

    def test_should_continue_where_the_server_says_when_its_samples_do_not_come_next(self):
        seen = []
        with self.worker() as worker:
            for batch in worker.batches(5):
                worker.pull()
                seen.append(batch.indices.tolist())
                if len(seen) == 1:
                    self.training.place = 5
                    self.training.faults = [lambda *request: problem(409, "other-cursor")]
                worker.push(ONES, loss=1)
        self.assertEqual(seen[1], order(self.COUNT, 5, 0).tolist()[5:])

    def test_should_fetch_another_shard_of_the_same_index(self):
        other = self.path + ".other"
        with open(other, "wb") as file:
            file.write(shard(images(4), 4))
        self.training.shards.append((other, 4))
        with self.worker() as worker:
            for _ in worker.batches(5):
                worker.pull()
                worker.push(ONES, loss=1)
        self.assertEqual([each[0]["samples"] for each in self.training.gradients], ["5", "5", "4"])

    def test_should_push_the_mean_over_several_batches(self):
        with self.worker(seed=1) as worker:
            for number, batch in enumerate(worker.batches(3)):
                worker.pull()
                if number % 2 == 1 or batch.is_last:
                    worker.push(ONES, loss=1)
        self.assertEqual([each[0]["samples"] for each in self.training.gradients], ["6", "4"])

    def test_should_say_that_the_last_samples_of_a_shard_were_not_pushed(self):
        with self.worker() as worker:
            with self.assertRaisesRegex(RuntimeError, "its last 10 samples were not pushed"):
                for _ in worker.batches(5):
                    pass

    def test_should_end_with_the_problem_of_a_gradient_that_is_wrong(self):
        with self.worker() as worker:
            with self.assertRaisesRegex(ProblemError, "422"):
                for _ in worker.batches(5):
                    worker.pull()
                    self.training.faults = [lambda *request: problem(422, "gradient-norm")]
                    worker.push(ONES, loss=1)

    def test_should_not_stay_registered_while_others_have_all_shards(self):
        states = []

        def wait(method, path, body):
            states.append(path)
            return reply(state="wait")

        with self.worker() as worker:
            worker.pull()
            self.training.faults = [usual, wait]
            for _ in worker.batches(5):
                worker.pull()
                worker.push(ONES, loss=1)
        self.assertEqual(states, ["/nextShard"])
        paths = [each[1].partition("?")[0] for each in self.served.requests]
        at = paths.index("/nextShard")
        self.assertEqual(paths[at : at + 4], ["/nextShard", "/unregisterWorker", "/registerWorker", "/nextShard"])

    def test_should_wait_for_work_that_is_not_stated_yet(self):
        self.training.faults = [usual, usual, lambda *request: problem(409, "no-work")]
        with self.worker() as worker:
            for _ in worker.batches(self.COUNT):
                worker.pull()
                worker.push(ONES, loss=1)
        self.assertEqual(len(self.training.gradients), 1)

    def test_should_stop_at_its_deadline(self):
        with self.worker(deadline=time.time() - 1) as worker:
            self.assertEqual(list(worker.batches(5)), [])

    def test_should_refuse_another_dataset_in_the_place_of_the_shard(self):
        self.training.shards = [(self.path, 11)]
        with self.worker() as worker:
            with self.assertRaisesRegex(FleetgradError, "has 10 samples, the run's work states 11"):
                list(worker.batches(5))

    def test_should_never_end_a_shard_of_a_network_with_state_with_one_sample(self):
        self.training.metadata = {"state": "0.1 b", "seed": "5"}
        sizes = []
        with self.worker() as worker:
            for batch in worker.batches(3):
                worker.pull()
                sizes.append(len(batch))
                worker.push(ONES, loss=1)
        self.assertEqual(sizes, [3, 3, 2, 2])


if __name__ == "__main__":
    unittest.main()
