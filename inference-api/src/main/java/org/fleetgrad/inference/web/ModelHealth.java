package org.fleetgrad.inference.web;

import org.fleetgrad.serving.LiveModel;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Up if there is a version that answers. */
@Component("model")
class ModelHealth implements HealthIndicator {

    private final LiveModel model;

    ModelHealth(LiveModel model) {
        this.model = model;
    }

    @Override
    public Health health() {
        return model.version().isPresent()
                ? Health.up().build()
                : Health.outOfService().build();
    }
}
