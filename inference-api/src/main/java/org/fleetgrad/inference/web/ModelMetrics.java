package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.batching.Batcher;
import org.springframework.stereotype.Component;

/** The served version, NaN before the first one, and the batches as metrics. */
@Component
class ModelMetrics implements MeterBinder {

    private final LiveModel model;
    private final Batcher batcher;

    ModelMetrics(LiveModel model, Batcher batcher) {
        this.model = model;
        this.batcher = batcher;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("inference.model.version", model, ModelMetrics::version)
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
    }

    private static double version(LiveModel model) {
        return model.version().map(version -> (double) version.version()).orElse(Double.NaN);
    }
}
