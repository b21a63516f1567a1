package org.fleetgrad.ps.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Durability;
import org.fleetgrad.ps.training.Origin;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.training.TrainingSettings;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** Puts the features together; the one place where they meet Spring. */
@Configuration
class PsConfiguration {

    private static final int ID_BYTES = 8;

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    RandomGenerator random() {
        return new SecureRandom();
    }

    @Bean
    Leases leases(Clock clock, PsProperties properties, RandomGenerator random) {
        return new Leases(clock, properties.lease(), () -> "worker-" + id(random));
    }

    @Bean
    PublishedParameters publishedParameters(PsProperties properties) {
        return new PublishedParameters(properties.maxSnapshots());
    }

    @Bean
    Evaluations evaluations() {
        return new Evaluations();
    }

    @Bean
    RunEvents runEvents() {
        return new RunEvents();
    }

    @Bean
    Training training(
            PsProperties properties,
            PublishedParameters published,
            Leases leases,
            RunEvents events,
            Evaluations evaluations,
            MeterRegistry meters,
            RandomGenerator random,
            Durability durability,
            Origin origin) {
        TrainingSettings settings;
        try {
            settings = properties.training();
        } catch (IllegalArgumentException refused) {
            throw new StartRefusedException(String.valueOf(refused.getMessage()), refused);
        }
        Training training = new Training(
                settings,
                () -> id(random),
                published,
                leases,
                new RunReporter(events, evaluations, meters),
                durability,
                origin);
        Gauge.builder("ps.parameters.version", published, PsConfiguration::versionNumber)
                .description("Steps applied since the run began")
                .register(meters);
        Gauge.builder("ps.workers.active", leases, now -> now.live().size())
                .description("Workers whose lease runs")
                .register(meters);
        Gauge.builder("ps.queue.depth", training, now -> now.applier().queued())
                .description("Gradients that wait for the applier")
                .register(meters);
        Gauge.builder("ps.samples", training, now -> now.statistics().snapshot().samples())
                .description("Training samples in applied gradients")
                .register(meters);
        return training;
    }

    private static double versionNumber(PublishedParameters published) {
        return published.version().map(ParameterVersion::version).orElse(0L).doubleValue();
    }

    @Bean
    RunTicker runTicker(Leases leases, Training training, PublishedParameters published, RunEvents events) {
        return new RunTicker(leases, training, published, events).start();
    }

    @Bean
    ShutdownListener shutdownListener(PublishedParameters published, RunEvents events) {
        return new ShutdownListener(published, events);
    }

    @Bean
    BodyBuffers bodyBuffers() {
        return new BodyBuffers();
    }

    @Bean
    ServletRegistrationBean<Servlet> getVersion(
            JsonMapper json, Training training, PublishedParameters published, Evaluations evaluations) {
        return route(Routes.GET_VERSION, new GetVersionServlet(json, training, published, evaluations));
    }

    @Bean
    ServletRegistrationBean<Servlet> getParameter(JsonMapper json, Training training, PublishedParameters published) {
        return route(Routes.GET_PARAMETER, new GetParameterServlet(json, training, published));
    }

    @Bean
    ServletRegistrationBean<Servlet> putParameter(
            JsonMapper json, Training training, BodyBuffers bodies, PsProperties properties) {
        return route(
                Routes.PUT_PARAMETER,
                new PutParameterServlet(
                        json, training, bodies, properties.maxBody().toBytes()));
    }

    @Bean
    ServletRegistrationBean<Servlet> putGradient(
            JsonMapper json,
            Training training,
            PublishedParameters published,
            Leases leases,
            BodyBuffers bodies,
            PsProperties properties,
            MeterRegistry meters) {
        PendingBytes pending = new PendingBytes(properties.maxPending().toBytes());
        Gauge.builder("ps.pending.bytes", pending, now -> (double) now.held())
                .description("Memory of gradients on their way through the server")
                .register(meters);
        return route(
                Routes.PUT_GRADIENT,
                new PutGradientServlet(json, training, published, leases, bodies, pending, meters));
    }

    @Bean
    FilterRegistrationBean<LeaseRenewalFilter> leaseRenewal(Leases leases) {
        return filter(new LeaseRenewalFilter(leases), Ordered.LOWEST_PRECEDENCE);
    }

    @Bean
    FilterRegistrationBean<UnreadBodyFilter> unreadBody() {
        return filter(new UnreadBodyFilter(), Ordered.HIGHEST_PRECEDENCE);
    }

    @Bean
    FilterRegistrationBean<RecoveryFilter> recovery(Training training, JsonMapper json) {
        return filter(new RecoveryFilter(training, json), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    /** Puts a filter before every route, those that answer later too. */
    static <F extends Filter> FilterRegistrationBean<F> filter(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setAsyncSupported(true);
        registration.setOrder(order);
        return registration;
    }

    private static ServletRegistrationBean<Servlet> route(String path, Servlet servlet) {
        ServletRegistrationBean<Servlet> registration = new ServletRegistrationBean<>(servlet, path);
        registration.setName(path);
        registration.setLoadOnStartup(1);
        registration.setAsyncSupported(true);
        return registration;
    }

    private static String id(RandomGenerator random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
