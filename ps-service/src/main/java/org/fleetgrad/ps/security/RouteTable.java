package org.fleetgrad.ps.security;

import static java.util.Map.entry;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.fleetgrad.protocol.Routes;

/** The permissions, route by route. Routes that are not listed are for the operator only. */
final class RouteTable {

    /** Distinguishes a first parameter set from an overwrite. */
    private static final String INITIAL = " with If-None-Match: *";

    private static final String ACTUATOR = "GET /actuator/**";
    private static final String PAGE_FILES = "GET /assets/**";

    private static final Set<Role> WORKER = EnumSet.of(Role.WORKER);
    private static final Set<Role> READERS = EnumSet.of(Role.READER, Role.EVALUATOR);
    private static final Set<Role> ALL = EnumSet.of(Role.WORKER, Role.READER, Role.EVALUATOR);

    private static final Map<String, Set<Role>> ROLES = Map.ofEntries(
            entry("POST " + Routes.UNREGISTER_WORKER, WORKER),
            entry("POST " + Routes.PUT_GRADIENT, WORKER),
            entry("POST " + Routes.PASS_STEP, WORKER),
            entry("POST " + Routes.NEXT_SHARD, WORKER),
            entry("POST " + Routes.COMPLETE_SHARD, WORKER),
            entry("PUT " + Routes.PUT_PARAMETER + INITIAL, WORKER),
            entry("GET " + Routes.GET_VERSION, ALL),
            entry("GET " + Routes.GET_PARAMETER, ALL),
            entry("GET " + Routes.STATUS, ALL),
            entry("GET " + Routes.HISTORY, ALL),
            entry("GET " + Routes.GET_ACCURACY, READERS),
            entry("GET " + Routes.EVENTS, READERS),
            entry("POST " + Routes.PUT_ACCURACY, EnumSet.of(Role.EVALUATOR)),
            entry(ACTUATOR, READERS));

    /**
     * Routes without a token: those that issue tokens check keys themselves; probes have no keys; a browser asks for a page
     * before anybody can give it keys.
     */
    private static final Set<String> OPEN = Set.of(
            "POST " + Routes.REGISTER_WORKER,
            "POST " + Routes.ISSUE_TOKEN,
            "GET /actuator/info",
            "GET " + Routes.PAGE,
            PAGE_FILES);

    // A segment must not begin with a dot, so that a path with '..' cannot lead to another route.
    private static final Pattern HEALTH = Pattern.compile("/actuator/health(/[A-Za-z0-9_-]+)*");
    private static final Pattern PAGE_FILE = Pattern.compile("/assets/[A-Za-z0-9_-][A-Za-z0-9._-]*");
    private static final Pattern ACTUATORS = Pattern.compile("/actuator(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");

    private RouteTable() {}

    /** Returns a request's row in the table. */
    static String operation(String method, String path, boolean isInitial) {
        // A HEAD reveals no more than the GET.
        String read = method.equals("HEAD") ? "GET" : method;
        if (read.equals("GET") && ACTUATORS.matcher(path).matches()) {
            return isHealth(path) || path.equals("/actuator/info") ? "GET " + path : ACTUATOR;
        }
        if (read.equals("GET") && PAGE_FILE.matcher(path).matches()) {
            return PAGE_FILES;
        }
        return read + " " + path + (isInitial && path.equals(Routes.PUT_PARAMETER) ? INITIAL : "");
    }

    /** Returns whether everybody may do this. */
    static boolean isOpen(String operation) {
        return OPEN.contains(operation) || (operation.startsWith("GET ") && isHealth(operation.substring(4)));
    }

    /** Returns whether the role may do this. */
    static boolean mayDo(Role role, String operation) {
        return role == Role.OPERATOR || ROLES.getOrDefault(operation, Set.of()).contains(role);
    }

    /** Lists what the role may do, for a message. */
    static List<String> of(Role role) {
        return role == Role.OPERATOR
                ? List.of("everything")
                : ROLES.entrySet().stream()
                        .filter(row -> row.getValue().contains(role))
                        .map(Map.Entry::getKey)
                        .sorted()
                        .toList();
    }

    private static boolean isHealth(String path) {
        return HEALTH.matcher(path).matches();
    }
}
