package org.fleetgrad.runs.shards;

import java.io.IOException;
import java.nio.file.Path;

/** Serves a run's shards to its workers. */
@FunctionalInterface
public interface ShardHost extends AutoCloseable {

    /** Returns an address from which a worker reads a shard; it may expire. */
    String url(Path shard) throws IOException;

    /** Stops serving shards. */
    @Override
    default void close() {}
}
