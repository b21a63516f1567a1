package org.fleetgrad.inference;

import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.ServerConnector;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Lets several replicas listen on one port: with {@code SO_REUSEPORT} Linux passes each new connection to one of them, and to
 * none that has died. So replicas need no proxy in front of them.
 */
@Component
class SharedPort implements WebServerFactoryCustomizer<JettyServletWebServerFactory> {

    private final InferenceProperties properties;

    SharedPort(InferenceProperties properties) {
        this.properties = properties;
    }

    @Override
    public void customize(JettyServletWebServerFactory factory) {
        if (!properties.reusePort()) {
            return;
        }
        factory.addServerCustomizers(server -> {
            for (Connector connector : server.getConnectors()) {
                if (connector instanceof ServerConnector port) {
                    port.setReusePort(true);
                }
            }
        });
    }
}
