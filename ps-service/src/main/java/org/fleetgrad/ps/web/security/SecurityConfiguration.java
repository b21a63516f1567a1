package org.fleetgrad.ps.web.security;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Makes what checks keys and tokens. */
@Configuration
class SecurityConfiguration {

    @Bean
    static SecureStart secureStart(Environment environment) {
        return new SecureStart(environment);
    }

    @Bean
    TokenDesk tokenDesk(SecurityProperties properties, Clock clock) {
        return TokenDesk.of(properties, clock);
    }
}
