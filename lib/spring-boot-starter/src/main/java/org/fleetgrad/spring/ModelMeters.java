package org.fleetgrad.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import org.fleetgrad.serving.LiveModel;

/** The version that answers and the age of the newest, NaN before the first one, and the answered samples. */
final class ModelMeters implements MeterBinder {

    private static final double MILLIS = 1000;

    private final LiveModel model;
    private final ModelFollowing following;

    ModelMeters(LiveModel model, ModelFollowing following) {
        this.model = model;
        this.following = following;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("fleetgrad.model.version", model, ModelMeters::version)
                .description("The version that answers")
                .register(registry);
        Gauge.builder("fleetgrad.model.age", following, ModelMeters::age)
                .description("Time since the newest version arrived")
                .baseUnit("seconds")
                .register(registry);
        FunctionCounter.builder("fleetgrad.predictions", model, LiveModel::answered)
                .description("Samples that were answered")
                .register(registry);
    }

    private static double version(LiveModel model) {
        return model.version().map(version -> (double) version.version()).orElse(Double.NaN);
    }

    private static double age(ModelFollowing following) {
        return following.age().map(Duration::toMillis).map(age -> age / MILLIS).orElse(Double.NaN);
    }
}
