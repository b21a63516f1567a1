package org.fleetgrad.benchmarks.training;

import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import tools.jackson.databind.JsonNode;

/**
 * The task of a worker: train on a shard, with a push for each batch of 32.
 *
 * @param parameters additional parameters of its {@code /run}
 */
public record RunRequest(URI worker, URI server, URI shard, int epochs, Map<String, Object> parameters) {

    /** Samples of a batch. */
    public static final int BATCH = 32;

    /** Returns this task with another address of the server. */
    RunRequest through(URI other) {
        return new RunRequest(worker, other, shard, epochs, parameters);
    }

    /** Returns this task with additional parameters. */
    public RunRequest with(Map<String, Object> further) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.putAll(further);
        return new RunRequest(worker, server, shard, epochs, all);
    }

    /** Runs one activation and returns its answer, like {@link DirectInvocation#run}. */
    public JsonNode run() throws IOException, InterruptedException {
        Map<String, Object> value = new HashMap<>(parameters);
        value.put("batch_sz_train", BATCH);
        value.put("update_intv", 1);
        value.put("epoch_n", epochs);
        value.put("apihost", server.toString());
        value.put("dataset_url", shard.toString());
        return DirectInvocation.run(worker, value);
    }

    /** Runs one activation in another thread. */
    public CompletableFuture<Void> start() {
        return CompletableFuture.runAsync(() -> {
            try {
                run();
            } catch (IOException | InterruptedException failed) {
                throw new CompletionException(failed);
            }
        });
    }
}
