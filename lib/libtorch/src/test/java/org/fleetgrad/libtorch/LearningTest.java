package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("whole")
class LearningTest {

    @Test
    void shouldLearnSixteenSamplesByHeartWithPlainSgd() {
        NetworkDefinition definition = Networks.usual("lenet5");
        TestBatch batch = TestBatch.random(definition.spec(), 16, 11);
        float[] parameters = definition.initialParameters(1);
        try (Network network = TestBatch.open("lenet5", 1)) {
            float first = loss(network, batch);

            for (int step = 0; step < 400 && loss(network, batch) > 0.01f; step++) {
                float[] gradient = batch.gradient(network);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= 0.05f * gradient[i];
                }
                TestBatch.load(network, parameters);
            }

            // The loss of an untrained network on ten classes is ln 10.
            assertThat(first).isBetween(2.1f, 2.6f);
            assertThat(loss(network, batch)).isLessThan(0.01f);
            assertThat(predictions(network, batch)).isEqualTo(batch.labels());
        }
    }

    private static float loss(Network network, TestBatch batch) {
        float loss = network.accumulate(batch.images(), batch.labels(), batch.count());
        network.discardGradient();
        return loss;
    }

    private static float[] predictions(Network network, TestBatch batch) {
        float[] logits = network.logits(batch.images(), batch.count());
        float[] predictions = new float[batch.count()];
        for (int i = 0; i < logits.length; i++) {
            int sample = i / 10;
            if (logits[i] > logits[sample * 10 + (int) predictions[sample]]) {
                predictions[sample] = i % 10;
            }
        }
        return predictions;
    }
}
