package org.fleetgrad.web;

import org.fleetgrad.http.body.JettyErrorHandler;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Refuses requests that violate the contract, with the problems that the contract defines. A service imports it. */
@Configuration(proxyBeanMethods = false)
public class ContractConfiguration {

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return StrictJson::apply;
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> earlyRefusals() {
        return factory -> factory.addServerCustomizers(server -> server.setErrorHandler(new JettyErrorHandler()));
    }
}
