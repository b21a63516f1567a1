package org.fleetgrad.ps.membership;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.ps.Interleavings;
import org.fleetgrad.ps.membership.Leases.Registration;
import org.fleetgrad.testing.ManualClock;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Leases of activations, which a platform may run again: then the time since the first try is known. */
public class LeasesLincheckTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final Leases leases;

    /** The lease of the worker has expired, and nobody has removed it yet. */
    public LeasesLincheckTest() {
        ManualClock clock = new ManualClock();
        leases = new Leases(clock, LEASE, 1, () -> "drawn");
        Registration unused = register();
        clock.advance(LEASE);
    }

    @Operation
    public final Registration register() {
        return register("worker");
    }

    /** Is refused while the other one is there: there is room for one. */
    @Operation
    public Registration registerOther() {
        return register("other");
    }

    private Registration register(String id) {
        return leases.register(
                Optional.of(id), "", "cpu", Optional.empty(), Optional.of("activation of " + id), Optional.empty());
    }

    @Operation
    public boolean renew() {
        return leases.renew("worker");
    }

    @Operation
    public boolean unregister() {
        return leases.unregister("worker");
    }

    @Operation
    public List<String> expire() {
        return leases.expire().stream().map(Worker::id).sorted().toList();
    }

    @Test
    void shouldRegisterRenewAndExpireAsIfOneThreadDidAfterTheOther() {
        Interleavings.check(LeasesLincheckTest.class, 200);
    }
}
