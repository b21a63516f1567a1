package org.fleetgrad.inference.web;

import java.time.Duration;
import java.util.Objects;
import org.fleetgrad.inference.InferenceProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Logs the address of the service once it is up. */
@Component
class StartMessage {

    private static final Logger LOG = LoggerFactory.getLogger(StartMessage.class);

    private final Environment environment;
    private final InferenceProperties properties;

    StartMessage(Environment environment, InferenceProperties properties) {
        this.environment = environment;
        this.properties = properties;
    }

    @EventListener
    void log(ApplicationReadyEvent ready) {
        LOG.info(
                "inference-api at http://127.0.0.1:{} after {} ms: follows {}, on {}",
                environment.getProperty("local.server.port"),
                Objects.requireNonNullElse(ready.getTimeTaken(), Duration.ZERO).toMillis(),
                properties.server(),
                properties.device());
    }
}
