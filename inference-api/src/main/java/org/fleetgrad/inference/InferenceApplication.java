package org.fleetgrad.inference;

import java.io.File;
import org.fleetgrad.files.NameLookups;
import org.fleetgrad.files.owner.Owner;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.web.ExitOnOutOfMemory;
import org.fleetgrad.web.GeneratedBeans;
import org.fleetgrad.web.WebConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.context.WebServerPortFileWriter;
import org.springframework.context.annotation.Import;

/** The inference service. */
@SpringBootApplication(proxyBeanMethods = false)
@Import(WebConfiguration.class)
@EnableConfigurationProperties({InferenceProperties.class, ServerAccess.class})
public class InferenceApplication {

    /** Names the file to which the service writes its port once it listens; {@code fleetgrad} sets it. */
    private static final String PORT_FILE = "FLEETGRAD_PORT_FILE";

    public static void main(String[] args) {
        NameLookups.shortenCaching();
        ExitOnOutOfMemory.install();
        Owner.follow(System.getenv());
        if (!GeneratedBeans.areGenerated()) {
            Libtorch.loadMeanwhile();
        }
        SpringApplication application = new SpringApplication(InferenceApplication.class);
        application.addListeners(new GeneratedBeans());
        String portFile = System.getenv(PORT_FILE);
        if (portFile != null) {
            application.addListeners(new WebServerPortFileWriter(new File(portFile)));
        }
        application.run(args);
    }
}
