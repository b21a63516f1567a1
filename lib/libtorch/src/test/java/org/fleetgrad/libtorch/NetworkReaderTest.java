package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.libtorch.Network.NetworkCopy;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading a network beside its training, from another thread. */
@Tag("kernels")
class NetworkReaderTest {

    private static final int COUNT = 8;

    private static TestBatch batch(String name, long seed) {
        return TestBatch.random(Networks.usual(name).spec(), COUNT, seed);
    }

    /** Reads in its own thread, from {@link #start} to {@link #end}, without a pause. */
    private static final class Reading {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final CountDownLatch hasBegun = new CountDownLatch(1);
        private final Future<List<float[]>> answers;

        private Reading(NetworkReader reader, TestBatch batch) {
            answers = thread.submit(() -> {
                List<float[]> all = new ArrayList<>();
                while (!isOver.get() || all.isEmpty()) {
                    all.add(reader.logits(batch.images(), batch.count()));
                    hasBegun.countDown();
                }
                return all;
            });
        }

        static Reading start(NetworkReader reader, TestBatch batch) throws InterruptedException {
            Reading reading = new Reading(reader, batch);
            reading.hasBegun.await();
            return reading;
        }

        List<float[]> end() throws Exception {
            isOver.set(true);
            thread.shutdown();
            return answers.get();
        }
    }

    /** One step after the other, with dropout masks, BatchNorm and plain SGD; returns the gradient of each. */
    private static List<float[]> train(Network network, String name, int steps) {
        NetworkDefinition definition = Networks.usual(name);
        float[] parameters = definition.initialParameters(1);
        List<float[]> gradients = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            TestBatch batch = batch(name, step);
            TestBatch.load(network, parameters);
            network.accumulate(batch.images(), batch.labels(), COUNT, 100 + step, 0);
            float[] gradient = TestBatch.drain(network, 1);
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] -= 0.01f * gradient[i];
            }
            gradients.add(gradient);
        }
        return gradients;
    }

    /**
     * The trainer's dropout drops, its BatchNorm observes, its gradients and its random numbers are as without a reader: each
     * gradient is the same bit for bit. A reader that called PyTorch's {@code eval()} on the network would fail this.
     */
    @ParameterizedTest
    @ValueSource(strings = {"lenet5", "mnist-cnn", "resnet20"})
    void shouldChangeNothingOfTheTrainingWhileAnotherThreadReads(String name) throws Exception {
        int steps = name.equals("resnet20") ? 4 : 40;
        List<float[]> alone;
        try (Network network = TestBatch.open(name, 1)) {
            alone = train(network, name, steps);
        }
        for (boolean isLive : new boolean[] {true, false}) {
            try (Network network = TestBatch.open(name, 1);
                    NetworkReader reader = isLive ? network.live() : network.copy()) {
                Reading reading = Reading.start(reader, batch(name, 77));
                List<float[]> beside = train(network, name, steps);
                assertThat(reading.end()).isNotEmpty();

                for (int step = 0; step < steps; step++) {
                    assertThat(beside.get(step)).isEqualTo(alone.get(step));
                }
            }
        }
    }

    /** If a unit's outputs are dropped, its weights have no gradient: so the trainer's dropout is active. */
    @Test
    void shouldLeaveDropoutOnInTrainingAndOffInTheReader() throws Exception {
        TestBatch one = batch("mnist-cnn", 1).part(0, 1);
        try (Network network = TestBatch.open("mnist-cnn", 1);
                NetworkReader reader = network.live()) {
            float[] expected = network.logits(one.images(), 1);
            Reading reading = Reading.start(reader, one);
            network.accumulate(one.images(), one.labels(), 1, 3, 0);
            float[] gradient = TestBatch.drain(network, 1);
            List<float[]> answers = reading.end();

            int without = 0;
            for (int unit = 0; unit < 50; unit++) {
                without += gradient[gradient.length - 500 + unit] == 0 ? 1 : 0;
            }
            assertThat(without).isBetween(15, 49);
            assertThat(answers).allSatisfy(answer -> assertThat(answer).isEqualTo(expected));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lenet5", "mnist-cnn", "resnet20"})
    void shouldAnswerAsTheNetworkDoesInEvaluation(String name) {
        TestBatch batch = batch(name, 1);
        try (Network network = TestBatch.open(name, 1);
                NetworkReader live = network.live();
                NetworkReader copy = network.copy()) {
            float[] expected = network.logits(batch.images(), COUNT);
            assertThat(live.logits(batch.images(), COUNT)).isEqualTo(expected);
            assertThat(copy.logits(batch.images(), COUNT)).isEqualTo(expected);
            assertThat(live.spec()).isEqualTo(network.spec());
        }
    }

    @Test
    void shouldFollowTheNetworkAtOnceOrWhenRenewed() {
        TestBatch batch = batch("resnet20", 1);
        NetworkDefinition definition = Networks.usual("resnet20");
        try (Network network = TestBatch.open("resnet20", 1);
                NetworkReader live = network.live();
                NetworkCopy copy = network.copy()) {
            float[] before = network.logits(batch.images(), COUNT);
            TestBatch.load(network, definition.initialParameters(2));
            float[] after = network.logits(batch.images(), COUNT);

            assertThat(after).isNotEqualTo(before);
            assertThat(live.logits(batch.images(), COUNT)).isEqualTo(after);
            assertThat(copy.logits(batch.images(), COUNT)).isEqualTo(before);
            copy.renew();
            assertThat(copy.logits(batch.images(), COUNT)).isEqualTo(after);
        }
    }

    /** The same over one array of all tensors, as on a GPU. */
    @Test
    void shouldCopyTensorsThatAreLaidOutAsForAGpu() {
        TestBatch batch = batch("resnet20", 1);
        NetworkDefinition definition = Networks.usual("resnet20");
        try (LibtorchNetwork network = new LibtorchNetwork(definition, Libtorch.engine(), ai.djl.Device.cpu(), true)) {
            TestBatch.load(network, definition.initialParameters(1));
            try (NetworkCopy copy = network.copy()) {
                float[] before = network.logits(batch.images(), COUNT);
                assertThat(copy.logits(batch.images(), COUNT)).isEqualTo(before);
                TestBatch.load(network, definition.initialParameters(2));
                assertThat(copy.logits(batch.images(), COUNT)).isEqualTo(before);
                copy.renew();
                assertThat(copy.logits(batch.images(), COUNT)).isEqualTo(network.logits(batch.images(), COUNT));
            }
        }
    }

    @Test
    void shouldOutliveNoMoreThanItselfWhenItIsClosed() {
        TestBatch batch = batch("lenet5", 1);
        try (Network network = TestBatch.open("lenet5", 1)) {
            float[] expected = network.logits(batch.images(), COUNT);
            network.live().close();
            network.copy().close();
            assertThat(network.logits(batch.images(), COUNT)).isEqualTo(expected);
        }
    }

    @Test
    void shouldRejectFewerImagesThanCounted() {
        try (Network network = TestBatch.open("lenet5", 1);
                NetworkReader reader = network.live()) {
            assertThatThrownBy(() -> reader.logits(new float[784], 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a batch of 2 images of [1, 28, 28] takes 1568 values; there are 784");
        }
    }
}
