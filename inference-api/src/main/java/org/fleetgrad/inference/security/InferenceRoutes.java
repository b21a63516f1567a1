package org.fleetgrad.inference.security;

import org.fleetgrad.access.Role;
import org.fleetgrad.access.RouteTable;
import org.fleetgrad.access.StartRule;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.web.WebConfiguration.AccessRules;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The permissions of the inference API, route by route. A reader and an evaluator may request predictions; a worker has no
 * permission here.
 */
@Configuration(proxyBeanMethods = false)
class InferenceRoutes {

    private static final Role[] READERS = {Role.READER, Role.EVALUATOR};

    static final RouteTable TABLE = RouteTable.builder()
            .open("POST " + Routes.ISSUE_TOKEN)
            // Open like actuator's health: probes have no keys.
            .open("GET /v2/health/live")
            .open("GET /v2/health/ready")
            // A browser requests a page before a user can enter keys.
            .open("GET /")
            .open("GET /assets/**")
            .allow("POST /predict", READERS)
            // Whoever may ask for an answer may say what it should have been: an id is known to those who got it.
            .allow("POST /feedback", READERS)
            .allow("GET /feedback", READERS)
            .allow("GET /shadow", READERS)
            .allow("POST /v1/completions", READERS)
            .allow("GET /v1/models", READERS)
            .allow("GET /v1/models/**", READERS)
            .allow("GET /v2/**", READERS)
            .allow("POST /v2/models/**", READERS)
            .allow("POST /v2/repository/index", READERS)
            .allow("GET " + Routes.STATUS, READERS)
            .allow("GET /evaluation", READERS)
            .allow("GET /policy", READERS)
            // Only for the operator: it changes the answers of all clients.
            .allow("PUT /policy")
            .build();

    @Bean
    static AccessRules accessRules() {
        return new AccessRules(
                new StartRule("inference.security", "ask for predictions and change what is served", Role.READER),
                TABLE);
    }
}
