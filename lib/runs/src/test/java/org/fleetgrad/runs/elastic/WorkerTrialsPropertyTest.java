package org.fleetgrad.runs.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.runs.elastic.WorkerTrials.Decision;

class WorkerTrialsPropertyTest {

    /** Amdahl's law: the serial share bounds the throughput of many workers. */
    private static double amdahl(int workers, double serial) {
        return 1000 / (serial + (1 - serial) / workers);
    }

    @Property(tries = 200)
    void shouldComeToTheLastWorkerThatPays(
            @ForAll @DoubleRange(min = 0.02, max = 0.98) double serial,
            @ForAll @DoubleRange(min = 0.2, max = 0.8) double share,
            @ForAll @IntRange(min = 1, max = 12) int most) {
        int best = 1;
        while (best < most && amdahl(best + 1, serial) - amdahl(best, serial) >= share * amdahl(best, serial) / best) {
            best++;
        }
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(most, share));
        for (int i = 0; i < 4 * most; i++) {
            Optional<Decision> unused = workers.measured(amdahl(workers.size(), serial));
        }
        int[] seen = new int[most + 1];
        for (int i = 0; i < 200; i++) {
            seen[workers.size()]++;
            Optional<Decision> unused = workers.measured(amdahl(workers.size(), serial));
        }

        // A try now and then aside, which is of a neighbour.
        assertThat(seen[best]).isGreaterThanOrEqualTo(160);
        for (int size = 1; size <= most; size++) {
            if (Math.abs(size - best) > 1) {
                assertThat(seen[size]).isZero();
            }
        }
    }

    @Property(tries = 100)
    void shouldStayNearItWhereMeasuresAreNoisy(@ForAll long seed) {
        RandomGenerator random = new Random(seed);
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(8, 0.5));
        int far = 0;
        for (int i = 0; i < 300; i++) {
            double noise = 1 + 0.05 * random.nextGaussian();
            Optional<Decision> unused = workers.measured(1000.0 * Math.min(workers.size(), 4) * noise);
            far += i >= 60 && Math.abs(workers.size() - 4) > 1 ? 1 : 0;
        }
        assertThat(far).as("measures away from 4 workers").isLessThan(60);
    }
}
