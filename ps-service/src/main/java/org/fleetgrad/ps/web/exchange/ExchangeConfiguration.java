package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Servlet;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Registers the hot routes. */
@Configuration
class ExchangeConfiguration {

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
            JsonMapper json,
            Training training,
            PublishedParameters published,
            BodyBuffers bodies,
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
                        properties.maxBody().toBytes()));
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
        PendingBytes pending = new PendingBytes(properties.pendingLimit());
        Gauge.builder("ps.pending.bytes", pending, now -> (double) now.held())
                .description("Memory of gradients that the server is reading or applying")
                .register(meters);
        return route(
                Routes.PUT_GRADIENT,
                new PutGradientServlet(json, training, published, leases, bodies, pending, meters));
    }

    @Bean
    ServletRegistrationBean<Servlet> settleGradient(
            JsonMapper json, Training training, PublishedParameters published, Leases leases) {
        return route(Routes.SETTLE_GRADIENT, new SettleGradientServlet(json, training, published, leases));
    }

    private static ServletRegistrationBean<Servlet> route(String path, Servlet servlet) {
        ServletRegistrationBean<Servlet> registration = new ServletRegistrationBean<>(servlet, path);
        registration.setName(path);
        registration.setLoadOnStartup(1);
        registration.setAsyncSupported(true);
        return registration;
    }
}
