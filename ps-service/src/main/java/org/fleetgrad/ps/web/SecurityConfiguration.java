package org.fleetgrad.ps.web;

import java.time.Clock;
import org.fleetgrad.ps.security.Guard;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** Puts keys, tokens and the filter before every route together. */
@Configuration
class SecurityConfiguration {

    /** After what counts requests, before whatever reads a body. */
    private static final int EARLY = Ordered.HIGHEST_PRECEDENCE + 10;

    @Bean
    static SecureStart secureStart(Environment environment) {
        return new SecureStart(environment);
    }

    @Bean
    TokenDesk tokenDesk(SecurityProperties properties, Clock clock) {
        return TokenDesk.of(properties, clock);
    }

    @Bean
    FilterRegistrationBean<AuthorizationFilter> authorization(TokenDesk desk, JsonMapper json) {
        return PsConfiguration.filter(new AuthorizationFilter(new Guard(desk.tokens()), json), EARLY);
    }
}
