package org.fleetgrad.access;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The permissions of a service, route by route. A route that is not listed is for the operator only. Every table has the
 * rows of Spring Boot's actuator: health and info are open, the others are for readers and evaluators. Immutable.
 *
 * <p>A row is a method and a path, such as {@code GET /status}. A path that ends in {@code /**} matches itself and the
 * paths below it, whose segments are plain: letters, digits, {@code _}, {@code -} and, not at the beginning, {@code .}. A
 * row that ends in {@code with If-None-Match: *} is for requests that cannot overwrite anything.
 */
public final class RouteTable {

    private static final String INITIAL = " with If-None-Match: *";
    private static final String BELOW = "/**";
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "DELETE");

    // A segment must not begin with a dot, so that a path with '..' cannot lead to another route.
    private static final String SEGMENTS = "(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*";

    /** The roles of each row, by method and path. */
    private final Map<String, Set<Role>> roles;

    /** Routes without a token: routes that issue tokens check keys themselves; probes have no keys. */
    private final Set<String> open;

    /** The rows with paths below them. The longest path is first, since it decides. */
    private final Map<Pattern, String> patterns = new LinkedHashMap<>();

    private RouteTable(Map<String, Set<Role>> roles, Set<String> open) {
        this.roles = roles;
        this.open = open;
        Stream.concat(roles.keySet().stream(), open.stream())
                .filter(row -> row.endsWith(BELOW))
                .sorted(Comparator.comparing(String::length).reversed())
                .forEach(row -> {
                    String parent = row.substring(0, row.length() - BELOW.length());
                    patterns.put(Pattern.compile(Pattern.quote(parent) + SEGMENTS), row);
                });
    }

    /** Begins a table with only the rows of actuator. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the rows of a table. */
    public static final class Builder {

        private final Map<String, Set<Role>> roles = new TreeMap<>();
        private final Set<String> open = new TreeSet<>();

        private Builder() {
            open("GET /actuator/health/**").open("GET /actuator/info");
            allow("GET /actuator/**", Role.READER, Role.EVALUATOR);
        }

        /** Adds a row for everybody, without a token. A request body there must be short. */
        public Builder open(String row) {
            open.add(row);
            return this;
        }

        /** Adds a row for these roles and the operator; without roles, for the operator only. */
        public Builder allow(String row, Role... those) {
            EnumSet<Role> set = EnumSet.noneOf(Role.class);
            set.addAll(Arrays.asList(those));
            roles.put(row, Collections.unmodifiableSet(set));
            return this;
        }

        public RouteTable build() {
            return new RouteTable(
                    Collections.unmodifiableMap(new TreeMap<>(roles)),
                    Collections.unmodifiableSet(new TreeSet<>(open)));
        }
    }

    /**
     * Returns a request's row, or what its row would be.
     *
     * @param path      as the client sent it
     * @param isInitial whether the request cannot overwrite anything
     */
    String operation(String method, String path, boolean isInitial) {
        // A HEAD reveals no more than the GET.
        String read = method.equals("HEAD") ? "GET" : method;
        String operation = read + " " + path;
        if (isInitial && isListed(operation + INITIAL)) {
            return operation + INITIAL;
        }
        if (isListed(operation)) {
            return operation;
        }
        for (Map.Entry<Pattern, String> row : patterns.entrySet()) {
            if (row.getKey().matcher(operation).matches()) {
                return row.getValue();
            }
        }
        return operation;
    }

    boolean isOpen(String operation) {
        return open.contains(operation);
    }

    boolean mayDo(Role role, String operation) {
        return role == Role.OPERATOR || roles.getOrDefault(operation, Set.of()).contains(role);
    }

    /** Lists what the role may do, for a message. */
    List<String> permissionsOf(Role role) {
        return role == Role.OPERATOR
                ? List.of("everything")
                : roles.entrySet().stream()
                        .filter(row -> row.getValue().contains(role))
                        .map(Map.Entry::getKey)
                        .toList();
    }

    /** Returns whether the table decides about this request by a row of its own. */
    public boolean decides(String method, String path) {
        String operation = operation(method, path, false);
        return isOpen(operation) || isListed(operation);
    }

    /** Lists the methods of a path, for the header {@code Allow}. */
    String methods(String path) {
        return METHODS.stream().filter(method -> decides(method, path)).collect(Collectors.joining(", "));
    }

    private boolean isListed(String operation) {
        return roles.containsKey(operation) || open.contains(operation);
    }
}
