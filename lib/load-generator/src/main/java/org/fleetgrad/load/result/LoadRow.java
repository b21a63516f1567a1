package org.fleetgrad.load.result;

import java.util.Optional;

/**
 * The result of one request.
 *
 * @param dueMs     when it was due, or sent if there is no rate; in ms since 1970
 * @param phase     the phase of the ramp, from 0
 * @param client    the client that sent it, from 0
 * @param latencyMs from {@code dueMs} to the last byte of the response, or to the failure
 * @param status    the HTTP status; 0 if there was no response
 * @param right     images whose predicted class is their label
 * @param total     images that were answered; 0 if the request failed
 * @param repeated  images that the version answered before
 * @param differing those of them whose class was another one
 * @param version   the version that answered, if one did
 * @param failure   why it failed, in few words without numbers of its own; empty if it did not
 */
public record LoadRow(
        double dueMs,
        int phase,
        int client,
        double latencyMs,
        int status,
        int right,
        int total,
        int repeated,
        int differing,
        Optional<AnsweringVersion> version,
        String failure) {

    /** The version of the model that responded, within its history. */
    public record AnsweringVersion(String generation, long version) {}

    /** Makes the result of a request whose answer was not compared with earlier ones. */
    public LoadRow(
            double dueMs,
            int phase,
            int client,
            double latencyMs,
            int status,
            int right,
            int total,
            Optional<AnsweringVersion> version,
            String failure) {
        this(dueMs, phase, client, latencyMs, status, right, total, 0, 0, version, failure);
    }

    public LoadRow {
        if (phase < 0 || client < 0 || right < 0 || right > total || !(latencyMs >= 0)) {
            throw new IllegalArgumentException(
                    "a request cannot have phase %d, client %d, a latency of %s ms and %d right answers of %d"
                            .formatted(phase, client, latencyMs, right, total));
        }
    }

    public boolean isFailed() {
        return !failure.isEmpty();
    }

    /** Returns when the request ended, in ms since 1970. */
    public double endMs() {
        return dueMs + latencyMs;
    }

    long latencyNanos() {
        return Math.round(latencyMs * 1e6);
    }
}
