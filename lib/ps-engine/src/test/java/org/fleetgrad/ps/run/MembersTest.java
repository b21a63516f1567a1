package org.fleetgrad.ps.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.testing.UtcClock;
import org.junit.jupiter.api.Test;

class MembersTest {

    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger lockedReads = new AtomicInteger();
    private final Leases leases = new Leases(new WatchedClock(), Duration.ofMinutes(1), 8, () -> "drawn");
    private final Members members = new Members(leases, TrainingStore.NONE, new TrainingStatistics(), new WorkQueue());

    /** Reading the leases of a thousand workers takes long, and a thousand readers do it at each step. */
    @Test
    void shouldNotKeepTheApplierWaitingWhileAReaderLooksAtTheLeases() throws IOException {
        for (String worker : new String[] {"fast", "slow"}) {
            leases.register(Optional.of(worker), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty());
            members.admit(worker);
        }
        members.tick("fast");
        members.tick("fast");
        members.tick("slow");
        reads.set(0);

        assertThat(members.lead("fast")).isEqualTo(1);

        assertThat(reads.get()).isPositive();
        assertThat(lockedReads.get()).isZero();
    }

    private final class WatchedClock extends UtcClock {
        @Override
        public Instant instant() {
            reads.incrementAndGet();
            if (members != null && Thread.holdsLock(members)) {
                lockedReads.incrementAndGet();
            }
            return Instant.EPOCH;
        }
    }
}
