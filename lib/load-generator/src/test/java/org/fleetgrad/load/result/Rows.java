package org.fleetgrad.load.result;

import java.util.Optional;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;

/** Rows for tests. */
final class Rows {

    static final String GENERATION = "5f2c9a1e";

    private Rows() {}

    static LoadRow right(double dueMs, double latencyMs, long version) {
        return answered(dueMs, 0, 0, latencyMs, 1, version);
    }

    static LoadRow wrong(double dueMs, double latencyMs, long version) {
        return answered(dueMs, 0, 0, latencyMs, 0, version);
    }

    static LoadRow answered(double dueMs, int phase, int client, double latencyMs, int right, long version) {
        return new LoadRow(
                dueMs,
                phase,
                client,
                latencyMs,
                200,
                right,
                1,
                Optional.of(new AnsweringVersion(GENERATION, version)),
                "");
    }

    static LoadRow failed(double dueMs, double latencyMs, int status, String reason) {
        return new LoadRow(dueMs, 0, 0, latencyMs, status, 0, 0, Optional.empty(), reason);
    }
}
