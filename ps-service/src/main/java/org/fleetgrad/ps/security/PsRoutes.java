package org.fleetgrad.ps.security;

import org.fleetgrad.access.Role;
import org.fleetgrad.access.RouteTable;
import org.fleetgrad.protocol.Routes;

/** The permissions of the parameter server, route by route. */
public final class PsRoutes {

    private static final Role[] READERS = {Role.READER, Role.EVALUATOR};
    private static final Role[] ALL = {Role.WORKER, Role.READER, Role.EVALUATOR};

    public static final RouteTable TABLE = RouteTable.builder()
            .open("POST " + Routes.REGISTER_WORKER)
            .open("POST " + Routes.ISSUE_TOKEN)
            // A browser requests a page before a user can enter a token.
            .open("GET " + Routes.PAGE)
            .open("GET /assets/**")
            .allow("POST " + Routes.UNREGISTER_WORKER, Role.WORKER)
            .allow("POST " + Routes.PUT_GRADIENT, Role.WORKER)
            .allow("POST " + Routes.SETTLE_GRADIENT, Role.WORKER)
            .allow("GET " + Routes.STAGED_GRADIENTS, Role.WORKER)
            .allow("POST " + Routes.PASS_STEP, Role.WORKER)
            .allow("POST " + Routes.NEXT_SHARD, Role.WORKER)
            .allow("POST " + Routes.COMPLETE_SHARD, Role.WORKER)
            // An initial parameter set, never an overwrite.
            .allow("PUT " + Routes.PUT_PARAMETER + " with If-None-Match: *", Role.WORKER)
            .allow("GET " + Routes.GET_VERSION, ALL)
            .allow("GET " + Routes.GET_PARAMETER, ALL)
            .allow("GET " + Routes.STATUS, ALL)
            .allow("GET " + Routes.HISTORY, ALL)
            .allow("GET " + Routes.EARLIER_RUNS, READERS)
            .allow("GET " + Routes.GET_ACCURACY, READERS)
            .allow("GET " + Routes.EVENTS, READERS)
            .allow("POST " + Routes.PUT_ACCURACY, Role.EVALUATOR)
            .allow("PUT " + Routes.PUT_BEST, Role.EVALUATOR)
            .build();

    private PsRoutes() {}
}
