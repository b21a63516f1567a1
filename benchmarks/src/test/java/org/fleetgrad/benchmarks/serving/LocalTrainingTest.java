package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;

import org.fleetgrad.benchmarks.training.HeldOut;
import org.fleetgrad.benchmarks.training.WorkerAnswers;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.junit.jupiter.api.Test;

class LocalTrainingTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");
    private static final ImageSamples DIGITS = SyntheticDigits.generate(320, 1);

    private static LocalTraining.Version trained(int steps, long seed) {
        try (LocalTraining training = new LocalTraining(LENET5, DIGITS, seed)) {
            for (int i = 0; i < steps; i++) {
                training.load();
                training.learn(2);
            }
            return training.newest();
        }
    }

    @Test
    void shouldMakeTheSameVersionsOfTheSameSeed() {
        LocalTraining.Version one = trained(3, 1);

        assertThat(one.number()).isEqualTo(3);
        assertThat(one.parameters().data()).isEqualTo(trained(3, 1).parameters().data());
        assertThat(one.parameters().data())
                .isNotEqualTo(trained(3, 2).parameters().data());
    }

    @Test
    void shouldLearn() {
        HeldOut heldOut = HeldOut.of(SyntheticDigits.generate(200, 2), Normalization.of(DIGITS), 200);
        try (LocalTraining training = new LocalTraining(LENET5, DIGITS, 1)) {
            for (int i = 0; i < 200; i++) {
                training.load();
                training.learn(1);
            }
            training.load();

            WorkerAnswers answers = new WorkerAnswers(training.network().logits(heldOut.images(), heldOut.count()), 10);

            assertThat(answers.accuracy(heldOut.labels())).isGreaterThan(0.8);
        }
    }
}
