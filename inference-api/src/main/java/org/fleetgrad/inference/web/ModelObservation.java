package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.batching.Batcher;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health and the metrics of the model. */
@Configuration(proxyBeanMethods = false)
class ModelObservation {

    /** Up if there is a version that answers. */
    @Bean
    HealthIndicator modelHealthIndicator(LiveModel model) {
        return () -> (model.version().isPresent() ? Health.up() : Health.outOfService()).build();
    }

    /** The served version, NaN before the first one, and the batches. */
    @Bean
    MeterBinder modelMetrics(LiveModel model, Batcher batcher) {
        return registry -> {
            Gauge.builder("inference.model.version", model, ModelObservation::version)
                    .description("The version that answers")
                    .register(registry);
            Gauge.builder("inference.queue.images", batcher, Batcher::queuedImages)
                    .description("Images that wait for a batch")
                    .register(registry);
            FunctionCounter.builder("inference.batches", batcher, Batcher::batches)
                    .description("Batches that were computed")
                    .register(registry);
            FunctionCounter.builder("inference.refused", batcher, Batcher::refused)
                    .description("Requests that found a full queue")
                    .register(registry);
        };
    }

    private static double version(LiveModel model) {
        return model.version().map(version -> (double) version.version()).orElse(Double.NaN);
    }
}
