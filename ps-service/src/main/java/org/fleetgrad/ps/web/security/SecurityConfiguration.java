package org.fleetgrad.ps.web.security;

import org.fleetgrad.access.Role;
import org.fleetgrad.access.StartRule;
import org.fleetgrad.ps.security.PsRoutes;
import org.fleetgrad.web.WebConfiguration.AccessRules;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Says what callers may do here. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    @Bean
    static AccessRules accessRules() {
        return new AccessRules(
                new StartRule("ps.security", "read and overwrite the model", Role.WORKER), PsRoutes.TABLE);
    }
}
