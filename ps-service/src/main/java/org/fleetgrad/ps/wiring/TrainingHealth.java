package org.fleetgrad.ps.wiring;

import java.util.Optional;
import org.fleetgrad.ps.training.Training;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reports whether gradients are taken: not during recovery, and not after the disk failed. */
final class TrainingHealth implements HealthIndicator {

    private final Training training;

    TrainingHealth(Training training) {
        this.training = training;
    }

    @Override
    public Health health() {
        Optional<String> why = training.unreadiness();
        return why.map(reason -> Health.outOfService().withDetail("reason", reason))
                .orElseGet(Health::up)
                .build();
    }
}
