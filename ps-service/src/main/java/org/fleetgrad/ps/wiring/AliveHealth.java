package org.fleetgrad.ps.wiring;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Reports whether the server can still work, or must be restarted: after a failure that only a restart can fix, and when no
 * version could be served for a long time.
 */
record AliveHealth(Training training, PublishedParameters published, LongSupplier nanoTime) implements HealthIndicator {

    /** Readers are disconnected long before, whatever their rate. */
    static final Duration LONGEST_SKIP = Duration.ofMinutes(2);

    @Override
    public Health health() {
        Optional<String> failure = training.failure();
        if (failure.isPresent()) {
            return Health.down().withDetail("reason", failure.get()).build();
        }
        OptionalLong skipped = published.skippedSince();
        if (skipped.isPresent() && nanoTime.getAsLong() - skipped.getAsLong() > LONGEST_SKIP.toNanos()) {
            return Health.down()
                    .withDetail(
                            "reason",
                            "for %d s no memory was found for the newest version".formatted(LONGEST_SKIP.toSeconds()))
                    .build();
        }
        return Health.up().build();
    }
}
