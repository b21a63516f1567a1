package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.engine.Engine;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tensors of a GPU, on the processor: the results are the same as with those of the processor. {@link GpuTest} has a GPU. */
@Tag("kernels")
class DeviceTensorsTest {

    @ParameterizedTest
    @ValueSource(strings = {"lenet5", "mnist-cnn", "resnet20"})
    void shouldComputeTheSameBitsAsTensorsOfTheProcessor(String name) {
        NetworkDefinition definition = Networks.usual(name);
        TestBatch batch = TestBatch.random(definition.spec(), 4, 1);
        TestBatch other = TestBatch.random(definition.spec(), 4, 2);
        Engine engine = Libtorch.engine();
        try (Network ours = Libtorch.open(definition, Device.CPU);
                Network asOnGpu = new LibtorchNetwork(definition, engine, ai.djl.Device.cpu(), true)) {
            for (long seed = 1; seed < 3; seed++) {
                TestBatch.load(ours, definition.initialParameters(seed));
                TestBatch.load(asOnGpu, definition.initialParameters(seed));

                assertThat(asOnGpu.logits(batch.images(), 4)).isEqualTo(ours.logits(batch.images(), 4));
                ours.accumulate(other.images(), other.labels(), 4);
                asOnGpu.accumulate(other.images(), other.labels(), 4);
                assertThat(batch.gradient(asOnGpu)).isEqualTo(batch.gradient(ours));
                // Once more: a new interval starts from zero.
                assertThat(other.gradient(asOnGpu)).isEqualTo(other.gradient(ours));
            }
        }
    }
}
