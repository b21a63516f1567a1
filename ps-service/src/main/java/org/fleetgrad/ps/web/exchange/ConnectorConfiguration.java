package org.fleetgrad.ps.web.exchange;

import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.fleetgrad.access.web.SmallBodiesFirst;
import org.fleetgrad.protocol.Routes;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives Jetty's connections buffers for bodies of hundreds of kilobytes, and threads only to small bodies that are there. */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {

    /** With Jetty's default of 8 KiB, a gradient of 247 KB takes 31 system calls. */
    private static final int INPUT_BYTES = 64 * 1024;

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> inputBuffers() {
        return factory -> factory.addServerCustomizers(server -> {
            for (Connector connector : server.getConnectors()) {
                HttpConnectionFactory http = connector.getConnectionFactory(HttpConnectionFactory.class);
                if (http != null) {
                    http.setInputBufferSize(INPUT_BYTES);
                }
            }
            server.setHandler(new SmallBodiesFirst(
                    server.getHandler(), server.getThreadPool(), Routes.PUT_GRADIENT, Routes.PUT_PARAMETER));
        });
    }
}
