package org.fleetgrad.ps;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts the parameter server. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PsServiceApplication {

    /** Runs until it is told to stop. */
    public static void main(String[] arguments) {
        SpringApplication.run(PsServiceApplication.class, arguments);
    }
}
