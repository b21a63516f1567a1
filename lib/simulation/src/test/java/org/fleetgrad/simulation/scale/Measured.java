package org.fleetgrad.simulation.scale;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code ./fleetgrad bench --only fleet --json} printed: the costs of a push, and the speed of real fleets.
 *
 * @param figures by their names
 */
record Measured(JsonNode figures) {

    private static final String FILE = "/scale/fleet.json";
    private static final double NANOS_IN_MILLI = 1e6;

    /** A step of SGD with momentum, for each parameter: {@code kernel-momentum} of docs/performance.md, 3.51 ms for 11.7 million. */
    private static final double APPLY_NANOS = 0.3;

    private static final String TINY = "4kb";
    private static final long SMALL_VALUES = 61_706;
    private static final long LARGE_VALUES = 25_000_000;
    /** Above so many parameters, a set does not fit into the processors' caches. */
    private static final long MOST_CACHED = 250_000;

    private static final int PROCESSORS = 2;

    static Measured read() {
        try (InputStream file = Measured.class.getResourceAsStream(FILE)) {
            return new Measured(JsonMapper.shared().readTree(Objects.requireNonNull(file, FILE)));
        } catch (IOException unreadable) {
            throw new IllegalStateException(FILE, unreadable);
        }
    }

    /** Returns a figure's value. */
    double ours(String name) {
        return figures.required(name).required("ours").asDouble();
    }

    /** Returns what a push of a network of that size costs the server. */
    ServerCosts server(long parameters, String encoding) {
        double request = ours("fleet-serve-%s-f32".formatted(TINY)) * NANOS_IN_MILLI;
        double all = ours("fleet-serve-" + size(parameters, encoding)) * NANOS_IN_MILLI;
        double values = (all - request) / measuredValues(parameters) - APPLY_NANOS;
        return new ServerCosts(request, values / (2 * bytes(encoding)), APPLY_NANOS, PROCESSORS);
    }

    /** Returns what a push costs its worker: what is left of an exchange on one machine. */
    Duration worker(long parameters, String encoding) {
        String size = size(parameters, encoding);
        double millis = ours("fleet-exchange-" + size) - ours("fleet-serve-" + size);
        return Duration.ofNanos((long) (millis * NANOS_IN_MILLI / measuredValues(parameters) * parameters));
    }

    private static String size(long parameters, String encoding) {
        return (parameters <= MOST_CACHED ? "247kb-" : "100mb-") + encoding;
    }

    private static double measuredValues(long parameters) {
        return parameters <= MOST_CACHED ? SMALL_VALUES : LARGE_VALUES;
    }

    /** Returns the bytes of a value. */
    private static double bytes(String encoding) {
        return switch (encoding) {
            case "f32" -> 4;
            case "bf16" -> 2;
            case "i8" -> 1;
            default -> throw new IllegalArgumentException(encoding);
        };
    }
}
