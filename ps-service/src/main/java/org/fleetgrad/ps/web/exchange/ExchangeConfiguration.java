package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.fleetgrad.access.Guard;
import org.fleetgrad.http.body.SmallBodyBuffering;
import org.fleetgrad.protocol.safetensors.HeaderCache;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.SlowClientProperties;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.web.StartRefusedException;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bounds what clients of the hot routes hold, and configures Jetty: input buffers for bodies of hundreds of kilobytes, the fast
 * path of the hot routes, a thread for small bodies of other routes only once they have arrived, and a Unix domain socket for
 * workers of this machine.
 */
@Configuration(proxyBeanMethods = false)
class ExchangeConfiguration {

    private static final String PREFIX = "server.servlet.context-path";

    @Bean
    PendingBytes pendingBytes(PsProperties properties, MeterRegistry meters) {
        PendingBytes pending = new PendingBytes(properties.pendingLimit());
        Gauge.builder("ps.pending.bytes", pending, now -> (double) now.held())
                .description("Memory of gradients that the server is reading or applying")
                .register(meters);
        return pending;
    }

    /**
     * Bounds complete parameter sets that arrive, on every route that takes one: an arriving set is not part of the training yet, so all
     * of them together may use the heap that the training does not need, and no more.
     */
    @Bean
    ReceivedBytes arrivingSets() {
        return new ReceivedBytes(Runtime.getRuntime().maxMemory() / 2);
    }

    @Bean
    LongPolls longPolls() {
        return LongPolls.SYSTEM;
    }

    @Bean
    SlowClients slowClients(PsProperties properties, PublishedParameters published, PendingBytes pending) {
        SlowClientProperties wanted = properties.slowClient();
        return new SlowClients(
                        wanted.rate().toBytes(),
                        wanted.gracePeriod(),
                        () -> memory(published, pending, wanted.gracePeriod()),
                        System::nanoTime)
                .start();
    }

    private static SlowClients.Memory memory(
            PublishedParameters published, PendingBytes pending, Duration gracePeriod) {
        OptionalLong skipped = published.skippedSince();
        if (skipped.isPresent() && System.nanoTime() - skipped.getAsLong() > gracePeriod.toNanos()) {
            return SlowClients.Memory.NONE_FOR_VERSIONS;
        }
        return published.isAtCapacity() || pending.isShort() ? SlowClients.Memory.SHORT : SlowClients.Memory.PLENTY;
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> connectors(PsProperties properties) {
        Optional<Path> unixSocket = Optional.ofNullable(properties.unixSocket())
                .filter(setting -> !setting.isBlank())
                .map(UnixSocket::path);
        return factory -> factory.addServerCustomizers(server -> {
            unixSocket.ifPresent(path -> server.addConnector(UnixSocket.beside(server, path)));
            for (Connector connector : server.getConnectors()) {
                HttpConnectionFactory http = connector.getConnectionFactory(HttpConnectionFactory.class);
                if (http != null) {
                    // With Jetty's default of 8 KiB, a gradient of 247 KB takes 31 system calls.
                    http.setInputBufferSize(EncodedGradient.Buffers.CHUNK_BYTES);
                }
            }
        });
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> fastPath(
            List<ExchangeHandler> handlers,
            Guard guard,
            Training training,
            Leases leases,
            SlowClients clients,
            JsonMapper json,
            RequestMeters meters,
            PsProperties properties) {
        Exchange.Tools tools = new Exchange.Tools(
                json, meters, clients, new HeaderCache(), properties.maxBody().toBytes());
        return factory -> factory.addServerCustomizers(server -> server.setHandler(new FastPath(
                new SmallBodyBuffering(server.getHandler(), server.getThreadPool()),
                handlers,
                guard,
                training,
                leases,
                tools)));
    }

    /** Refuses to start with a context path: the fast path ignores it, so only half of the routes would have it. */
    @Bean
    static BeanFactoryPostProcessor noPrefix(Environment environment) {
        return beans -> {
            String prefix = environment.getProperty(PREFIX, "");
            if (!prefix.isEmpty() && !prefix.equals("/")) {
                throw new StartRefusedException(
                        "%s is '%s', but the routes have no prefix; a proxy before the server can take one away"
                                .formatted(PREFIX, prefix));
            }
        };
    }
}
