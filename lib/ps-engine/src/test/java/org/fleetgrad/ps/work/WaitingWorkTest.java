package org.fleetgrad.ps.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.work.WorkQueue.AddedFigures;
import org.fleetgrad.ps.work.WorkQueue.Figures;
import org.junit.jupiter.api.Test;

/** The work that an autoscaler may add workers for. */
class WaitingWorkTest {

    private static final List<PlannedShard> SHARDS =
            List.of(new PlannedShard("a", "file:a", 10), new PlannedShard("b", "file:b", 10));

    private static long waiting(long epochs, boolean isPaused, long done, int held, int added) {
        Optional<AddedFigures> further =
                added == 0 ? Optional.empty() : Optional.of(new AddedFigures(added, 0, 0, added));
        return new Figures(new WorkPlan("digits", epochs, SHARDS, isPaused), 0, done, held, false, further).waiting();
    }

    @Test
    void shouldCountWhatNobodyHolds() {
        assertThat(waiting(3, false, 0, 0, 0)).isEqualTo(6);
        assertThat(waiting(3, false, 2, 3, 0)).isEqualTo(1);
        assertThat(waiting(3, false, 6, 0, 0)).isZero();
        assertThat(waiting(3, false, 6, 1, 4)).as("added shards are work, too").isEqualTo(3);
    }

    @Test
    void shouldCountAnEpochWhereThereIsNoLast() {
        assertThat(waiting(0, false, 1_000, 2, 0)).isEqualTo(2);
    }

    @Test
    void shouldCountNothingWhileTheWorkIsPaused() {
        assertThat(waiting(3, true, 0, 0, 0)).isZero();
    }
}
