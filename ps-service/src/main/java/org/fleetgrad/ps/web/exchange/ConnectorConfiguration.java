package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.web.SmallBodiesFirst;
import org.fleetgrad.protocol.safetensors.RepeatedHeaders;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.training.Training;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gives Jetty's connections buffers for bodies of hundreds of kilobytes, the hot routes their short way, and other routes a thread
 * only for small bodies that are there.
 */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> inputBuffers() {
        return factory -> factory.addServerCustomizers(server -> {
            for (Connector connector : server.getConnectors()) {
                HttpConnectionFactory http = connector.getConnectionFactory(HttpConnectionFactory.class);
                if (http != null) {
                    // With Jetty's default of 8 KiB, a gradient of 247 KB takes 31 system calls.
                    http.setInputBufferSize(BodyBuffers.CHUNK_BYTES);
                }
            }
        });
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> shortWay(
            List<HotRoute> routes,
            Guard guard,
            Training training,
            Leases leases,
            SlowClients clients,
            JsonMapper json,
            MeterRegistry meters) {
        Exchange.Tools tools = new Exchange.Tools(json, new RequestTimes(meters), clients, new RepeatedHeaders());
        return factory -> factory.addServerCustomizers(server -> server.setHandler(new HotRoutes(
                new SmallBodiesFirst(server.getHandler(), server.getThreadPool()),
                routes,
                guard,
                training,
                leases,
                tools)));
    }
}
