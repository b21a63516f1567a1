package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class UploadLeaseTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private final ManualClock clock = new ManualClock();
    private final Leases leases = new Leases(clock, LEASE, 10, () -> "drawn");

    @Test
    void shouldKeepTheLeaseOfAnUploadThatTakesLongerThanIt() {
        PutGradient.UploadLease lease = lease();
        for (int i = 0; i < 100; i++) {
            clock.advance(LEASE.dividedBy(2));
            lease.received(PutGradient.UploadLease.RENEWAL_BYTES / 2);
            lease.received(PutGradient.UploadLease.RENEWAL_BYTES / 2);
        }

        assertThat(leases.isLive("w")).isTrue();
    }

    @Test
    void shouldNotKeepTheLeaseOfAWorkerThatDrips() {
        PutGradient.UploadLease lease = lease();
        for (int i = 0; i < 30; i++) {
            clock.advance(Duration.ofSeconds(1));
            lease.received(1);
        }

        assertThat(leases.isLive("w")).isFalse();
    }

    private PutGradient.UploadLease lease() {
        leases.register(Optional.of("w"), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty());
        return new PutGradient.UploadLease(leases, "w");
    }
}
