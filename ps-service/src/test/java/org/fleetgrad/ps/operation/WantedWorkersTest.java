package org.fleetgrad.ps.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The number of workers that a run asks an autoscaler for, with machines whose throughput the test decides. */
class WantedWorkersTest {

    private static final long MANY = 1_000;

    private final WantedWorkers wanted = new WantedWorkers();
    private long ms;
    private double samples;

    /** Lets so many workers train for some seconds, and looks four times a second. */
    private void train(int workers, int seconds, IntToDoubleFunction rate) {
        train(workers, seconds, rate, MANY);
    }

    private void train(int workers, int seconds, IntToDoubleFunction rate, long pieces) {
        for (int i = 0; i < 4 * seconds; i++) {
            ms += 250;
            samples += rate.applyAsDouble(workers) / 4;
            wanted.look(ms, (long) samples, workers, pieces);
        }
    }

    @Test
    void shouldWantTheFirstWorkerBeforeItMeasures() {
        wanted.look(0, 0, 0, MANY);

        assertThat(wanted.wanted()).isEqualTo(1);
        assertThat(wanted.added()).isNaN();
    }

    @Test
    void shouldGrowToWhereAWorkerAddsTooLittleAndStayThere() {
        // Four processors: the fifth worker adds nothing.
        IntToDoubleFunction machines = workers -> 100 * Math.min(workers, 4);
        int workers = 1;
        for (int minute = 0; minute < 12; minute++) {
            train(workers, 60, machines);
            workers = Math.max(1, wanted.wanted());
        }

        assertThat(workers).isEqualTo(4);
        assertThat(wanted.added()).as("what the fifth added").isCloseTo(0, within(1.0));
    }

    @Test
    void shouldSayWhatAWorkerAdds() {
        train(2, 60, workers -> 150 + 50 * workers);
        train(5, 60, workers -> 150 + 50 * workers);

        assertThat(wanted.added()).isCloseTo(50, within(1.0));
    }

    @Test
    void shouldTryAgainAfterARest() {
        train(1, 60, workers -> 100);
        train(2, 60, workers -> 100);
        train(1, 300, workers -> 100);
        assertThat(wanted.wanted()).isEqualTo(1);

        train(1, 400, workers -> 100);

        assertThat(wanted.wanted()).as("the machines may be free now").isEqualTo(2);
    }

    @Test
    void shouldWantBackAWorkerThatWasMissed() {
        train(3, 60, workers -> 100 * workers);
        train(2, 60, workers -> 100 * workers);

        assertThat(wanted.wanted()).isEqualTo(3);
    }

    @Test
    void shouldNotTakeAMomentBetweenTwoShardsForAChange() {
        for (int i = 0; i < 60; i++) {
            train(3, 9, workers -> 300);
            train(2, 1, workers -> 300);
        }

        assertThat(wanted.added()).isNaN();
        assertThat(wanted.wanted()).isEqualTo(4);
    }

    @Test
    void shouldWantNoMoreThanThereAreShards() {
        train(4, 60, workers -> 100 * workers, 3);
        assertThat(wanted.wanted()).isEqualTo(3);

        train(3, 60, workers -> 100 * workers, 0);
        assertThat(wanted.wanted()).as("nothing is left").isZero();
    }

    /** Within 10% of the actual number Kubernetes changes nothing. */
    @Test
    void shouldTryMoreThanKubernetesIgnores() {
        for (int workers = 1; workers <= 60; workers++) {
            WantedWorkers fresh = new WantedWorkers();
            for (int i = 0; i <= 16; i++) {
                fresh.look(i * 1_000L, i * 1_000L, workers, MANY);
            }
            assertThat(fresh.wanted() / (double) workers)
                    .as("%d workers", workers)
                    .isGreaterThan(1.1);
        }
    }

    @Test
    void shouldBeginAnewWhenTheServerIsBackAtAnEarlierCount() {
        train(2, 20, workers -> 100 * workers);
        samples = 0;
        train(2, 20, workers -> 100 * workers);

        assertThat(wanted.wanted()).isEqualTo(3);
        assertThat(wanted.added()).isNaN();
    }
}
