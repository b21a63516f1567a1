package org.fleetgrad.cli.run;

import java.io.IOException;
import java.nio.file.Path;

/** Where workers fetch shards from. */
@FunctionalInterface
interface ShardHost extends AutoCloseable {

    /** Returns where a worker finds a shard, for a while. */
    String url(Path shard) throws IOException;

    /** Ends it. */
    @Override
    default void close() {}
}
