package org.fleetgrad.simulation.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.fleetgrad.optim.TrainingMode;
import org.junit.jupiter.api.Test;

/** What arithmetic says of a fleet, the simulation says, too. */
class FleetTest {

    private static final ServerCosts FREE = new ServerCosts(0, 0, 0, 1);
    private static final TrainingMode ASYNC = new TrainingMode.Async(1);
    private static final TrainingMode SYNC = new TrainingMode.Sync(0);
    private static final long PARAMETERS = 1_000_000;
    private static final double GIGABIT = 1e9;

    private static FleetPlan plan(int workers, int servers, TrainingMode mode, double spread, ServerCosts costs) {
        return new FleetPlan(
                workers,
                servers,
                mode,
                "f32",
                PARAMETERS,
                Duration.ofMillis(100),
                spread,
                Duration.ZERO,
                GIGABIT,
                Duration.ZERO,
                costs);
    }

    private static double rate(FleetPlan plan) {
        return Fleet.run(plan).batchesASecond();
    }

    @Test
    void shouldTakeTheTimeOfTheStepAndBothTransfersWithOneWorker() {
        assertThat(1 / rate(plan(1, 1, ASYNC, 0, FREE))).isCloseTo(0.164, within(0.004));
    }

    /** Workers in step send at one time and compute at one time; a little difference of their steps ends that. */
    @Test
    void shouldBeLimitedByTheServersLinkWithManyWorkers() {
        FleetSpeed inStep = Fleet.run(plan(16, 1, ASYNC, 0, FREE));
        FleetSpeed spread = Fleet.run(plan(16, 1, ASYNC, 0.3, FREE));

        assertThat(16 / inStep.batchesASecond()).isCloseTo(16 * 0.032 + 16 * 0.032 + 0.1, within(0.01));
        assertThat(spread.batchesASecond()).isBetween(0.7 / 0.032, 1 / 0.032);
        assertThat(spread.limit()).isEqualTo(Limit.LINK);
    }

    @Test
    void shouldDivideTheTransfersAmongTheServers() {
        double one = rate(plan(16, 1, ASYNC, 0.3, FREE));

        assertThat(rate(plan(16, 2, ASYNC, 0.3, FREE))).isGreaterThan(1.3 * one);
    }

    /** 50 ms a gradient. */
    @Test
    void shouldBeLimitedByTheApplierWhereItIsSlow() {
        FleetSpeed slow = Fleet.run(plan(8, 1, ASYNC, 0, new ServerCosts(0, 0, 50, 1)));

        assertThat(slow.batchesASecond()).isCloseTo(20, within(1.0));
        assertThat(slow.limit()).isEqualTo(Limit.APPLIER);
    }

    @Test
    void shouldWaitForEveryWorkerInSyncMode() {
        double steps = rate(plan(4, 1, SYNC, 0, FREE)) / 4;

        assertThat(1 / steps).isCloseTo(4 * 0.032 + 0.1 + 4 * 0.032, within(0.01));
    }
}
