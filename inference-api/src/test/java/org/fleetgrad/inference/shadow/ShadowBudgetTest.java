package org.fleetgrad.inference.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShadowBudgetTest {

    private static final long MS = 1_000_000;

    /**
     * The guarantee, at every moment of a simulated day: at most the share, and the last computation. Batches are of any size, and the
     * newest version takes from one to ten times what the served one does; at times the machine stops for a second.
     */
    @ParameterizedTest
    @CsvSource({"0.05, 1", "0.5, 2", "0.01, 3", "1, 4", "0, 5"})
    void shouldNeverTakeMoreThanItsShareAndOneComputation(double share, long seed) {
        Random random = new Random(seed);
        ShadowBudget budget = new ShadowBudget(share);
        long longest = 0;
        double slowness = 1;
        for (int batch = 0; batch < 100_000; batch++) {
            int samples = 1 + random.nextInt(32);
            budget.served(samples, samples * (MS / 2 + random.nextInt((int) MS)));
            slowness = random.nextInt(1_000) == 0 ? Math.pow(10, random.nextDouble()) : slowness;
            if (budget.begin(samples)) {
                long took = (long) (samples * MS * slowness) + (random.nextInt(1_000) == 0 ? 1_000 * MS : 0);
                longest = Math.max(longest, took);
                budget.end(samples, took);
            }
            assertThat((double) budget.spentNanos())
                    .isLessThanOrEqualTo(share * (double) budget.servedNanos() + (double) longest);
        }
        // It also uses what it was given, but for what is saved up, and what no request is small enough for.
        assertThat((double) budget.spentNanos())
                .isGreaterThanOrEqualTo(0.9 * share * (double) budget.servedNanos() - ShadowBudget.CREDIT);
    }

    @Test
    void shouldWaitUntilTheExpectedTimeIsEarned() {
        ShadowBudget budget = new ShadowBudget(0.1);
        assertThat(budget.begin(1)).isFalse();

        // 10 samples took 100 ms, so one is expected to take 10 ms, which is what a tenth of them is.
        budget.served(10, 100 * MS);
        assertThat(budget.begin(2)).isFalse();
        assertThat(budget.begin(1)).isTrue();
        budget.end(1, 30 * MS);

        // 20 ms of debt, and 30 ms for the next: 500 ms of served batches.
        budget.served(10, 490 * MS);
        assertThat(budget.begin(1)).isFalse();
        budget.served(10, 20 * MS);
        assertThat(budget.begin(1)).isTrue();
    }

    @Test
    void shouldSaveUpNoMoreThanASecond() {
        ShadowBudget budget = new ShadowBudget(1);
        for (int i = 0; i < 100; i++) {
            budget.served(1, 1_000 * MS);
        }

        assertThat(budget.begin(1)).isTrue();
        budget.end(1, 1_000 * MS);
        assertThat(budget.begin(1)).isFalse();
    }

    /** A pause of the machine must not end the shadow for ever. */
    @Test
    void shouldGoOnAfterAComputationThatTookVeryLong() {
        ShadowBudget budget = new ShadowBudget(0.5);
        budget.served(1, 1_000 * MS);
        budget.served(1, 1_000 * MS);
        assertThat(budget.begin(1)).isTrue();
        budget.end(1, 60_000 * MS);

        int batches = 0;
        while (!budget.begin(1)) {
            budget.served(1, 1_000 * MS);
            batches++;
        }
        // 59 s of debt and the second that is saved up at most, at half a second for each.
        assertThat(batches).isBetween(118, 122);
    }
}
