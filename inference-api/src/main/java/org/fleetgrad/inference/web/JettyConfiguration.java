package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.ServerConnector;
import org.fleetgrad.access.Guard;
import org.fleetgrad.http.body.SmallBodyBuffering;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.prediction.Predictor;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Configures Jetty: the fast path of predictions, and ports that several replicas share. */
@Configuration(proxyBeanMethods = false)
class JettyConfiguration {

    /**
     * Puts {@link PredictFastPath} before the servlets, and {@link SmallBodyBuffering} between the two: a plain request that has
     * arrived completely loses no time, and any other blocks no thread.
     */
    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> fastPath(
            Guard guard, Predictor predictor, JsonMapper json, InferenceProperties properties, MeterRegistry metrics) {
        // The meter of Spring's filter for an answered prediction, with all its tags: both paths are counted together.
        Timer requests = Timer.builder("http.server.requests")
                .tags("error", "none", "exception", "none", "method", "POST")
                .tags("outcome", "SUCCESS", "status", "200", "uri", "/predict")
                .register(metrics);
        return factory -> factory.addServerCustomizers(server -> server.setHandler(new PredictFastPath(
                new SmallBodyBuffering(server.getHandler(), server.getThreadPool()),
                guard,
                predictor,
                properties.maxBatch(),
                json,
                properties.maxImageBytes().toBytes(),
                new PredictFastPath.Times(PredictController.timer(metrics), requests))));
    }

    /**
     * Lets several replicas listen on one port: with {@code SO_REUSEPORT} Linux passes each new connection to one of them, and
     * to none that has died. So replicas need no proxy in front of them.
     */
    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> sharedPort(InferenceProperties properties) {
        return factory -> factory.addServerCustomizers(server -> {
            for (Connector connector : server.getConnectors()) {
                if (connector instanceof ServerConnector port) {
                    port.setReusePort(properties.reusePort());
                }
            }
        });
    }
}
