package org.fleetgrad.benchmarks.training;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.fleetgrad.benchmarks.process.Programs;

/**
 * The task of a worker: train on a shard, with a push for each batch of 32.
 *
 * @param worker     the worker
 * @param server     the server's address for the worker
 * @param shard      its shard
 * @param epochs     passes over it
 * @param parameters additional parameters of its {@code /run}
 */
public record RunRequest(Programs.Running worker, URI server, Path shard, int epochs, Map<String, Object> parameters) {

    private static final int BATCH = 32;

    /** Returns this task with another address of the server. */
    public RunRequest through(URI other) {
        return new RunRequest(worker, other, shard, epochs, parameters);
    }

    /** Returns this task with additional parameters. */
    public RunRequest with(Map<String, Object> further) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.putAll(further);
        return new RunRequest(worker, server, shard, epochs, all);
    }

    /** Returns the value of the worker's {@code /run}. */
    public Map<String, Object> value() {
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
