package org.fleetgrad.cli.shards;

import java.io.IOException;
import java.nio.file.Path;

/** Hands a run's shards out to its workers. */
@FunctionalInterface
public interface ShardHost extends AutoCloseable {

    /** Returns an address from which a worker reads a shard; it may expire. */
    String url(Path shard) throws IOException;

    /** Stops handing shards out. */
    @Override
    default void close() {}
}
