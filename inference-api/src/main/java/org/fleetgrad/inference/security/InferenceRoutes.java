package org.fleetgrad.inference.security;

import org.fleetgrad.access.Role;
import org.fleetgrad.access.RouteTable;
import org.fleetgrad.protocol.Routes;

/**
 * The permissions of the inference API, route by route. A reader asks for predictions, an evaluator may do the same, and a
 * worker has nothing to ask here.
 */
final class InferenceRoutes {

    private static final Role[] READERS = {Role.READER, Role.EVALUATOR};

    /** The table. */
    static final RouteTable TABLE = RouteTable.builder()
            .open("POST " + Routes.ISSUE_TOKEN)
            // The same as actuator's health: probes have no keys.
            .open("GET /v2/health/live")
            .open("GET /v2/health/ready")
            // A browser asks for a page before anybody can give it keys.
            .open("GET /")
            .open("GET /assets/**")
            .allow("POST /predict", READERS)
            .allow("GET /v2/**", READERS)
            .allow("POST /v2/models/**", READERS)
            .allow("GET " + Routes.STATUS, READERS)
            .allow("GET /policy", READERS)
            // For the operator alone: it changes what everybody is answered.
            .allow("PUT /policy")
            .build();

    private InferenceRoutes() {}
}
