package org.fleetgrad.worker.action;

import java.net.InetSocketAddress;
import java.util.Map;

/** Where an action container listens: OpenWhisk's port, 8080, on every address, unless the environment names others. */
public final class ActionAddress {

    private static final String PORT = "WORKER_PORT";
    private static final String ADDRESS = "WORKER_ADDRESS";

    private ActionAddress() {}

    /**
     * Returns the address that {@code environment} names.
     *
     * @throws IllegalArgumentException if its port is not a port number
     */
    public static InetSocketAddress of(Map<String, String> environment) {
        return new InetSocketAddress(environment.getOrDefault(ADDRESS, "0.0.0.0"), port(environment));
    }

    /**
     * Returns whether the environment sets the port. OpenWhisk never does: it would take a logged port for part of an
     * activation's log.
     */
    public static boolean isChosen(Map<String, String> environment) {
        return environment.containsKey(PORT);
    }

    private static int port(Map<String, String> environment) {
        String text = environment.getOrDefault(PORT, "8080");
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
            throw new IllegalArgumentException("%s must be a port from 0 to 65535; it is '%s'".formatted(PORT, text));
        }
        return Integer.parseInt(text);
    }
}
