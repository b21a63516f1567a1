package org.fleetgrad.inference.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ByAccuracy;
import org.fleetgrad.protocol.HeldOutScore.ByLoss;
import org.junit.jupiter.api.Test;

/** Runs of an hour on a clock that only evaluations and pauses move. */
class EvaluationPaceTest {

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private long now;
    private long spent;

    @Test
    void shouldTakeItsShareOfOneProcessorAndTwoSecondsMore() {
        for (double share : new double[] {0.01, 0.05, 0.2}) {
            run(pace(share, OptionalDouble.empty()), Duration.ofMillis(300), at -> 0.9);

            assertThat(spent / 1e9).as("share %s", share).isCloseTo(share * 3600 + 2, within(0.6));
        }
    }

    @Test
    void shouldEvaluateOftenAtFirst() {
        EvaluationPace pace = pace(0.05, OptionalDouble.empty());
        for (int i = 0; i < 8; i++) {
            end(pace, Duration.ofMillis(300), accuracy(0.5));
            assertThat(pace.untilDue()).as("evaluation %d", i).isEqualTo(Duration.ofMillis(900));
            now += pace.untilDue().toNanos();
        }
        end(pace, Duration.ofMillis(300), accuracy(0.5));

        assertThat(pace.untilDue()).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void shouldSaveUpNoMoreThanTwoSecondsWhileNothingIsEvaluated() {
        EvaluationPace pace = pace(0.05, OptionalDouble.empty());
        now += HOUR;

        end(pace, Duration.ofSeconds(3), accuracy(0.5));

        assertThat(pace.untilDue().toMillis() / 1e3).isCloseTo(20, within(0.001));
    }

    @Test
    void shouldTakeAQuarterNearTheTarget() {
        EvaluationPace pace = pace(0.05, OptionalDouble.of(0.98));
        for (int i = 0; i < 100; i++) {
            end(pace, Duration.ofMillis(300), accuracy(0.97));
            assertThat(pace.untilDue()).isEqualTo(Duration.ofMillis(900));
            now += pace.untilDue().toNanos();
        }
        end(pace, Duration.ofMillis(300), accuracy(0.969));

        assertThat(pace.untilDue()).isGreaterThan(Duration.ofSeconds(5));
    }

    @Test
    void shouldBeThereWhenARunComesNearItsTarget() {
        // Errors halve each two minutes: 0.03, which is near, after 8 minutes and 7 seconds.
        long[] near = {-1};
        DoubleUnaryOperator curve = seconds -> 1 - 0.5 * Math.pow(0.5, seconds / 120);

        run(pace(0.05, OptionalDouble.of(0.98)), Duration.ofSeconds(2), seconds -> {
            double share = curve.applyAsDouble(seconds);
            if (share >= 0.97 && near[0] < 0) {
                near[0] = (long) seconds;
            }
            return share;
        });

        assertThat(near[0]).isBetween(487L, 487L + 8);
    }

    @Test
    void shouldTakeALossWithinAFifthOfTheTargetForNear() {
        EvaluationPace pace = pace(0.05, OptionalDouble.of(2));
        for (double loss : new double[] {2.41, 2.41, 2.41, 2.41, 2.41}) {
            end(pace, Duration.ofSeconds(1), new ByLoss(loss));
        }
        assertThat(pace.untilDue()).isGreaterThan(Duration.ofSeconds(3));

        end(pace, Duration.ofSeconds(1), new ByLoss(2.4));

        assertThat(pace.untilDue()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void shouldNeverPauseForMoreThanADay() {
        EvaluationPace pace = pace(0.001, OptionalDouble.empty());
        end(pace, Duration.ofHours(2), accuracy(0.1));

        assertThat(pace.untilDue()).isEqualTo(Duration.ofDays(1));
    }

    private void run(EvaluationPace pace, Duration each, DoubleUnaryOperator accuracyAtSecond) {
        spent = 0;
        long begin = now;
        while (now - begin < HOUR) {
            double share = accuracyAtSecond.applyAsDouble((now - begin) / 1e9);
            end(pace, each, accuracy(share));
            spent += each.toNanos();
            now += pace.untilDue().toNanos();
        }
    }

    private void end(EvaluationPace pace, Duration took, HeldOutScore score) {
        now += took.toNanos();
        pace.ended(took, score);
    }

    private EvaluationPace pace(double share, OptionalDouble target) {
        return new EvaluationPace(INTERVAL, share, target, () -> now);
    }

    private static HeldOutScore accuracy(double share) {
        return new ByAccuracy(share, Optional.empty());
    }
}
