package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.SnapshotMemory;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class FailedRecoveryTest {

    @Test
    void shouldNotPassForAServerWithoutParametersUntilItEnds() {
        try (Training training = new Training(
                TrainingRun.plain(new TrainingMode.Async(1), 64),
                () -> "g",
                new PublishedParameters(Integer.MAX_VALUE, new SnapshotMemory(Long.MAX_VALUE, true)),
                new Leases(new ManualClock(), TrainingRun.LEASE, 100, () -> "drawn"),
                new RunHistory(),
                new TrainingRun.Quiet(),
                TrainingStore.NONE,
                () -> {
                    throw new IOException("the disk is gone");
                })) {
            CompletableFuture<Boolean> failed = training.recovered().handle((done, failure) -> failure != null);
            assertThat(failed.join()).isTrue();

            assertThat(training.isRecovered()).isFalse();
            assertThat(training.unreadiness())
                    .hasValueSatisfying(why -> assertThat(why).contains("the disk is gone"));
        }
    }
}
