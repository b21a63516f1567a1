package org.fleetgrad.runs.learning;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.runs.shards.ShardHost;

/** Puts feedback to work without a run's processes. */
public final class FeedbackInProcess {

    private FeedbackInProcess() {}

    /**
     * Makes what looks for feedback.
     *
     * @param server takes the shards; a call that fails ends the look
     */
    public static FeedbackWork of(
            FeedbackFolder folder, Schema schema, ShardHost host, PsClient server, LongSupplier nanos) {
        return new FeedbackWork(folder, schema, host, shard -> FeedbackWork.add(server, shard), line -> {}, nanos);
    }

    /** Returns the files that were put to work, by their numbers. */
    public static Map<Long, Path> atWork(FeedbackFolder folder) throws IOException {
        return folder.atWork().stream()
                .collect(Collectors.toMap(FeedbackFolder.Numbered::number, FeedbackFolder.Numbered::file));
    }
}
