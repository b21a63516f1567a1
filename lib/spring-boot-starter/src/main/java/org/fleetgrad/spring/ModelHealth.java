package org.fleetgrad.spring;

import java.time.Duration;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up if a version answers and the parameter server is not away for too long. Out of service before the first version. Down if
 * the server is away: the model answers, but grows old.
 */
final class ModelHealth implements HealthIndicator {

    private final LiveModel model;
    private final ModelFollowing following;
    private final Duration unreachableAfter;

    ModelHealth(LiveModel model, ModelFollowing following, Duration unreachableAfter) {
        this.model = model;
        this.following = following;
        this.unreachableAfter = unreachableAfter;
    }

    @Override
    public Health health() {
        Health.Builder health = model.version().map(this::answering).orElseGet(Health::outOfService);
        return health.withDetail("following", following.state().detail()).build();
    }

    private Health.Builder answering(ParameterVersion version) {
        boolean isAway = following
                .unreachableFor()
                .filter(away -> away.compareTo(unreachableAfter) >= 0)
                .isPresent();
        return (isAway ? Health.down() : Health.up())
                .withDetail("version", version.version())
                .withDetail("generation", version.generation());
    }
}
