package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.Preparation.Watcher;
import org.fleetgrad.files.transfer.CountingInputStream;

/** Counts the bytes of files while they are read several times. Not thread-safe. */
final class CountedReading {

    /** So many bytes take a few hundredths of a second. */
    private static final long STEP = 4L << 20;

    private final Watcher watcher;
    private final long total;
    private long done;
    private long told;

    private CountedReading(Watcher watcher, long total) {
        this.watcher = watcher;
        this.total = total;
    }

    /** Counts nothing. */
    static CountedReading none() {
        return new CountedReading((done, total) -> {}, 0);
    }

    /**
     * Makes the count of files that are read.
     *
     * @param times how often each training file is read
     */
    static CountedReading of(Watcher watcher, List<Path> training, int times, List<Path> heldOut, int heldOutTimes)
            throws IOException {
        long total = 0;
        for (Path file : training) {
            total += times * Files.size(file);
        }
        for (Path file : heldOut) {
            total += heldOutTimes * Files.size(file);
        }
        return new CountedReading(watcher, total);
    }

    /** Returns a stream of which the bytes are counted. */
    InputStream counted(InputStream in) {
        return new CountingInputStream(in) {
            @Override
            protected void count(int bytes) {
                add(bytes);
            }
        };
    }

    /** Counts bytes. */
    void add(long bytes) {
        done += bytes;
        if (done - told >= STEP) {
            told = done;
            watcher.read(Math.min(done, total), total);
        }
    }
}
