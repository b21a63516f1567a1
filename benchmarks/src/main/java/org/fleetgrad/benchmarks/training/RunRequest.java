package org.fleetgrad.benchmarks.training;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.benchmarks.process.Programs;

/**
 * What a worker trains on: a push for each batch of 32.
 *
 * @param worker     the worker
 * @param server     where it finds the server
 * @param shard      its shard
 * @param epochs     passes over it
 * @param parameters what its {@code /run} is given beyond that
 */
public record RunRequest(Programs.Worker worker, URI server, Path shard, int epochs, Map<String, Object> parameters) {

    private static final int BATCH = 32;

    /** Returns this, with the server found elsewhere. */
    public RunRequest through(URI other) {
        return new RunRequest(worker, other, shard, epochs, parameters);
    }

    /** Returns this with further parameters. */
    public RunRequest with(Map<String, Object> further) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.putAll(further);
        return new RunRequest(worker, server, shard, epochs, all);
    }

    /** Returns what the worker's {@code /run} is given. */
    Map<String, Object> value() {
        Map<String, Object> value = new HashMap<>(Map.of(
                "batch_sz_train",
                BATCH,
                "update_intv",
                1,
                "epoch_n",
                epochs,
                "apihost",
                server.toString(),
                "dataset_url",
                shard.toUri().toString()));
        value.putAll(parameters);
        return value;
    }
}
