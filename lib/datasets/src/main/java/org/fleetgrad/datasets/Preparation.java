package org.fleetgrad.datasets;

import java.nio.file.Path;

/**
 * Where a dataset is prepared, and who watches.
 *
 * @param scratch folder on whose disk rows lie that memory shall not have; it must exist
 * @param watcher of the reading of large files
 */
public record Preparation(Path scratch, Watcher watcher) {

    /** Unwatched, in the system's folder of temporary files. */
    public static final Preparation USUAL =
            new Preparation(Path.of(System.getProperty("java.io.tmpdir")), (done, total) -> {});

    /** Is called from the thread that reads, again and again. */
    @FunctionalInterface
    public interface Watcher {

        /**
         * Receives how far the reading is.
         *
         * @param done  bytes of files that were read; files that are read several times count as often
         * @param total bytes to read
         */
        void read(long done, long total);
    }
}
