package org.fleetgrad.inference;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** The inference service. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties({InferenceProperties.class, ServerAccess.class})
public class InferenceApplication {

    /** Runs the service until it is stopped. */
    public static void main(String[] args) {
        SpringApplication.run(InferenceApplication.class, args);
    }
}
