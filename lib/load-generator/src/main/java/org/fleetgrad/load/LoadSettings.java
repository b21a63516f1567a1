package org.fleetgrad.load;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How many clients send how many requests.
 *
 * @param clients  the clients of each phase
 * @param requests requests of each phase, of all its clients together
 * @param rate     requests per second of all clients together; if it is absent, each client sends its next request when the
 *                 last response has arrived
 * @param feedback whether the labels are sent after each response, as feedback on it
 */
public record LoadSettings(List<Integer> clients, long requests, OptionalDouble rate, boolean feedback) {

    /** Each client is a thread with a connection. */
    public static final int MOST_CLIENTS = 2_000;

    private static final double MOST_RATE = 1e6;

    /** Checks the numbers; the message of the exception names the option that is wrong. */
    public LoadSettings {
        clients = List.copyOf(clients);
        if (clients.isEmpty() || clients.stream().anyMatch(count -> count < 1 || count > MOST_CLIENTS)) {
            throw new IllegalArgumentException("--clients, and each phase of --ramp, must be from 1 to %,d; they are %s"
                    .formatted(MOST_CLIENTS, clients));
        }
        if (requests < 1) {
            throw new IllegalArgumentException("--requests must be 1 or more; it is " + requests);
        }
        if (rate.isPresent() && !(rate.getAsDouble() > 0 && rate.getAsDouble() <= MOST_RATE)) {
            throw new IllegalArgumentException(
                    "--rate must be more than 0 and at most %,.0f requests per second; it is %s"
                            .formatted(MOST_RATE, rate.getAsDouble()));
        }
    }

    /** Makes settings without feedback. */
    public LoadSettings(List<Integer> clients, long requests, OptionalDouble rate) {
        this(clients, requests, rate, false);
    }

    public static LoadSettings of(int clients, long requests, OptionalDouble rate) {
        return new LoadSettings(List.of(clients), requests, rate);
    }

    public int mostClients() {
        return Collections.max(clients);
    }
}
