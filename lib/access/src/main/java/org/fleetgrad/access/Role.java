package org.fleetgrad.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The role of a caller; {@link RouteTable} lists what each role may do. */
public enum Role {
    /** Trains: pulls, pushes, puts an initial parameter set. */
    WORKER,
    /** Reads the model and the state of the run. */
    READER,
    /** Reads, and reports evaluations. */
    EVALUATOR,
    /** May do everything. */
    OPERATOR;

    /** Returns the role's name in settings, tokens and messages. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Finds a role by its name. */
    public static Optional<Role> named(String label) {
        return Arrays.stream(values())
                .filter(role -> role.label().equals(label))
                .findFirst();
    }

    /** Lists the names of all roles. */
    public static String labels() {
        return Arrays.stream(values()).map(Role::label).collect(Collectors.joining(", "));
    }
}
