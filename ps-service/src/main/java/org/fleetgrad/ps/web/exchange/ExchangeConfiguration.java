package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Servlet;
import java.time.Duration;
import java.util.OptionalLong;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.SlowClientProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Registers the hot routes. */
@Configuration
class ExchangeConfiguration {

    /** A quarter of the threads may wait for clients with small bodies; the others never do. */
    private static final int SHARE_OF_THREADS = 4;

    @Bean
    BodyBuffers bodyBuffers() {
        return new BodyBuffers();
    }

    @Bean
    PendingBytes pendingBytes(PsProperties properties, MeterRegistry meters) {
        PendingBytes pending = new PendingBytes(properties.pendingLimit());
        Gauge.builder("ps.pending.bytes", pending, now -> (double) now.held())
                .description("Memory of gradients that the server is reading or applying")
                .register(meters);
        return pending;
    }

    @Bean
    SlowClients slowClients(
            PsProperties properties,
            PublishedParameters published,
            PendingBytes pending,
            @Value("${server.jetty.threads.max:200}") int threads) {
        SlowClientProperties wanted = properties.slowClient();
        return new SlowClients(
                        wanted.rate().toBytes(),
                        wanted.patience(),
                        () -> memory(published, pending, wanted.patience()),
                        threads / SHARE_OF_THREADS,
                        System::nanoTime)
                .start();
    }

    private static SlowClients.Memory memory(PublishedParameters published, PendingBytes pending, Duration patience) {
        OptionalLong skipped = published.skippedSince();
        if (skipped.isPresent() && System.nanoTime() - skipped.getAsLong() > patience.toNanos()) {
            return SlowClients.Memory.NONE_FOR_VERSIONS;
        }
        return published.isCrowded() || pending.isShort() ? SlowClients.Memory.SHORT : SlowClients.Memory.PLENTY;
    }

    @Bean
    ServletRegistrationBean<Servlet> getVersion(
            JsonMapper json, Training training, PublishedParameters published, Evaluations evaluations) {
        return route(Routes.GET_VERSION, new GetVersionServlet(json, training, published, evaluations));
    }

    @Bean
    ServletRegistrationBean<Servlet> getParameter(
            JsonMapper json, Training training, PublishedParameters published, SlowClients clients) {
        return route(Routes.GET_PARAMETER, new GetParameterServlet(json, training, published, clients));
    }

    @Bean
    ServletRegistrationBean<Servlet> putParameter(
            JsonMapper json,
            Training training,
            PublishedParameters published,
            BodyBuffers bodies,
            SlowClients clients,
            MemoryBudget budget,
            PsProperties properties) {
        // What arrives is no part of the training yet: it may take the heap that the training may not need, and no
        // more.
        ArrivedBytes arrived = new ArrivedBytes(Runtime.getRuntime().maxMemory() / 2);
        return route(
                Routes.PUT_PARAMETER,
                new PutParameterServlet(
                        json,
                        training,
                        published,
                        bodies,
                        arrived,
                        clients,
                        budget,
                        properties.maxBody().toBytes()));
    }

    @Bean
    ServletRegistrationBean<Servlet> putGradient(
            JsonMapper json,
            Training training,
            PublishedParameters published,
            Leases leases,
            BodyBuffers bodies,
            PendingBytes pending,
            SlowClients clients,
            MeterRegistry meters) {
        // What large gradients have sent before they earn their part of the memory for gradients.
        ArrivedBytes beginnings = new ArrivedBytes(Runtime.getRuntime().maxMemory() / 8);
        return route(
                Routes.PUT_GRADIENT,
                new PutGradientServlet(
                        json, training, published, leases, bodies, pending, beginnings, clients, meters));
    }

    @Bean
    ServletRegistrationBean<Servlet> settleGradient(
            JsonMapper json, Training training, PublishedParameters published, Leases leases, SlowClients clients) {
        return route(Routes.SETTLE_GRADIENT, new SettleGradientServlet(json, training, published, leases, clients));
    }

    private static ServletRegistrationBean<Servlet> route(String path, Servlet servlet) {
        ServletRegistrationBean<Servlet> registration = new ServletRegistrationBean<>(servlet, path);
        registration.setName(path);
        registration.setLoadOnStartup(1);
        registration.setAsyncSupported(true);
        return registration;
    }
}
