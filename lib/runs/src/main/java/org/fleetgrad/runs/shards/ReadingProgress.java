package org.fleetgrad.runs.shards;

import java.util.Locale;
import java.util.function.LongSupplier;
import org.fleetgrad.datasets.Preparation;
import org.fleetgrad.runs.output.RunOutput;

/** Shows how far large files are read. Confined to the thread that reads. */
final class ReadingProgress implements Preparation.Watcher {

    private static final double NANOS = 1e9;
    private static final double MEGA = 1e6;

    private final RunOutput output;
    private final LongSupplier nanoTime;
    private final long begin;

    /** Begins now. */
    ReadingProgress(RunOutput output, LongSupplier nanoTime) {
        this.output = output;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    @Override
    public void read(long done, long total) {
        double seconds = Math.max(1, nanoTime.getAsLong() - begin) / NANOS;
        output.live(String.format(
                Locale.ROOT,
                "reading  %,.0f of %,.0f MB  %d%%  %,.0f MB/s",
                done / MEGA,
                total / MEGA,
                100 * done / Math.max(1, total),
                done / MEGA / seconds));
    }
}
