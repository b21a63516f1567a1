package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.fleetgrad.serving.LiveModel;
import org.springframework.stereotype.Component;

/** The served version as a metric; NaN before the first version. */
@Component
class ModelMetrics implements MeterBinder {

    private final LiveModel model;

    ModelMetrics(LiveModel model) {
        this.model = model;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("inference.model.version", model, ModelMetrics::version)
                .description("The version that answers")
                .register(registry);
    }

    private static double version(LiveModel model) {
        return model.version().map(version -> (double) version.version()).orElse(Double.NaN);
    }
}
