package org.fleetgrad.runs.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.reports.RunTarget.HeldOut;
import org.fleetgrad.runs.ExampleStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunProgressTest {

    @Test
    void shouldKeepTheFirstTimeAtTheTarget() {
        RunProgress progress = new RunProgress(new RunTarget.Accuracy(0.98));

        assertThat(progress.add(1, status(100, null))).isFalse();
        assertThat(progress.add(2, status(200, 0.9799))).isFalse();
        assertThat(progress.secondsToTarget()).isEmpty();
        assertThat(progress.add(3, status(300, 0.98))).isTrue();
        assertThat(progress.add(4, status(400, 0.97))).isFalse();
        assertThat(progress.add(5, status(500, 0.99))).isTrue();

        assertThat(progress.secondsToTarget()).hasValue(3);
        assertThat(progress.points()).hasSize(5);
    }

    @Test
    void shouldReachALossFromAbove() {
        RunTarget target = new RunTarget.Loss(1.88);

        assertThat(target.isReached(new HeldOut(0.99, null, 0.99, null))).isFalse();
        assertThat(target.isReached(new HeldOut(null, 1.8801, null, null))).isFalse();
        assertThat(target.isReached(new HeldOut(null, 1.88, null, null))).isTrue();
        assertThat(target.isReached(new HeldOut(null, Double.NaN, null, null))).isFalse();
        assertThat(new RunTarget.None().isReached(new HeldOut(1.0, 0.0, 1.0, null)))
                .isFalse();
    }

    @Test
    void shouldReachACoefficientOfDetermination() {
        RunTarget target = new RunTarget.R2(0.9);

        assertThat(target.isReached(new HeldOut(0.99, 0.0, null, null))).isFalse();
        assertThat(target.isReached(new HeldOut(null, 0.1, 0.8999, null))).isFalse();
        assertThat(target.isReached(new HeldOut(null, 0.1, Double.NaN, null))).isFalse();
        assertThat(target.isReached(new HeldOut(null, 0.1, 0.9, null))).isTrue();
    }

    @Test
    void shouldTakeTheThroughputOverTheLastSeconds() {
        RunProgress progress = new RunProgress(new RunTarget.None());
        assertThat(progress.samplesPerSecond()).isZero();

        progress.add(0, status(0, null));
        progress.add(10, status(100_000, null));
        progress.add(11, status(102_000, null));
        progress.add(12, status(104_000, null));

        assertThat(progress.samplesPerSecond()).isCloseTo(2000, within(1e-9));
    }

    static StatusReply status(long samples, @Nullable Double accuracy) {
        return new ExampleStatus("g", samples / 32, samples, null, accuracy, null, null, null, null).reply();
    }
}
