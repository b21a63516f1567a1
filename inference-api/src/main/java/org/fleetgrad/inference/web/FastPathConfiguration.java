package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.fleetgrad.access.Guard;
import org.fleetgrad.http.body.SmallBodyBuffering;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.prediction.Predictor;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Puts {@link PredictFastPath} before the servlets. */
@Component
class FastPathConfiguration implements WebServerFactoryCustomizer<JettyServletWebServerFactory> {

    private final Guard guard;
    private final Predictor predictor;
    private final JsonMapper json;
    private final InferenceProperties properties;
    private final MeterRegistry metrics;

    FastPathConfiguration(
            Guard guard, Predictor predictor, JsonMapper json, InferenceProperties properties, MeterRegistry metrics) {
        this.guard = guard;
        this.predictor = predictor;
        this.json = json;
        this.properties = properties;
        this.metrics = metrics;
    }

    @Override
    public void customize(JettyServletWebServerFactory factory) {
        // SmallBodyBuffering between the two: a plain request that has arrived completely loses no time, and any other
        // blocks no thread.
        factory.addServerCustomizers(server -> server.setHandler(new PredictFastPath(
                new SmallBodyBuffering(server.getHandler(), server.getThreadPool()),
                guard,
                predictor,
                properties.maxBatch(),
                json,
                properties.maxImageBytes().toBytes(),
                new PredictFastPath.Times(PredictController.timer(metrics), requests()))));
    }

    /** The meter of Spring's filter for an answered prediction, with all its tags: both paths are counted together. */
    private Timer requests() {
        return Timer.builder("http.server.requests")
                .tags("error", "none", "exception", "none", "method", "POST")
                .tags("outcome", "SUCCESS", "status", "200", "uri", "/predict")
                .register(metrics);
    }
}
