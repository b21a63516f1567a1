package org.fleetgrad.cli.shards;

import java.io.IOException;
import java.nio.file.Path;

/** Where workers fetch shards from. */
@FunctionalInterface
public interface ShardHost extends AutoCloseable {

    /** Returns where a worker finds a shard, for a while. */
    String url(Path shard) throws IOException;

    /** Ends it. */
    @Override
    default void close() {}
}
