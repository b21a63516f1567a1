package org.fleetgrad.ps.web.request;

import org.fleetgrad.access.web.EarlyRefusals;
import org.fleetgrad.access.web.StrictJson;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Refuses requests that are not as the contract says, and says so as the contract says. */
@Configuration(proxyBeanMethods = false)
class RequestConfiguration {

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return StrictJson::apply;
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> earlyRefusals() {
        return factory -> factory.addServerCustomizers(server -> server.setErrorHandler(new EarlyRefusals()));
    }
}
