package org.fleetgrad.ps.web.security;

import java.time.Clock;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.StartRule;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.ps.StartRefusedException;
import org.fleetgrad.ps.security.PsRoutes;
import org.fleetgrad.web.SecureStart;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Makes the beans that check keys and tokens. */
@Configuration
class SecurityConfiguration {

    @Bean
    static SecureStart secureStart(Environment environment) {
        return new SecureStart(
                environment,
                new StartRule(SecurityProperties.PREFIX, "read and overwrite the model", Role.WORKER),
                binder -> binder.bindOrCreate(SecurityProperties.PREFIX, SecurityProperties.class)
                        .settings(),
                StartRefusedException::new);
    }

    @Bean
    TokenIssuer tokenIssuer(SecurityProperties properties, Clock clock) {
        return properties.settings().issuer(clock);
    }

    @Bean
    Rates rates(SecurityProperties properties) {
        return properties.settings().rates(System::nanoTime);
    }

    @Bean
    Guard guard(TokenIssuer issuer, Rates rates) {
        return new Guard(PsRoutes.TABLE, issuer.tokens(), rates);
    }
}
