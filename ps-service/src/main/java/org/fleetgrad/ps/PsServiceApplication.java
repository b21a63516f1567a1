package org.fleetgrad.ps;

import java.io.File;
import org.fleetgrad.files.owner.Owner;
import org.fleetgrad.web.ExitOnOutOfMemory;
import org.fleetgrad.web.GeneratedBeans;
import org.fleetgrad.web.WebConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.web.server.context.WebServerPortFileWriter;
import org.springframework.context.annotation.Import;

/** Starts the parameter server. */
@SpringBootApplication
@Import(WebConfiguration.class)
@ConfigurationPropertiesScan
public class PsServiceApplication {

    /** Names the file that gets the port once the server listens on it; {@code fleetgrad} sets it. */
    private static final String PORT_FILE = "FLEETGRAD_PORT_FILE";

    public static void main(String[] arguments) {
        ExitOnOutOfMemory.install();
        Owner.follow(System.getenv());
        SpringApplication application = new SpringApplication(PsServiceApplication.class);
        application.addListeners(new GeneratedBeans());
        String portFile = System.getenv(PORT_FILE);
        if (portFile != null) {
            application.addListeners(new WebServerPortFileWriter(new File(portFile)));
        }
        application.run(arguments);
    }
}
