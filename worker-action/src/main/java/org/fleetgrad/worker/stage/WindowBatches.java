package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.run.Window;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.training.MicroBatches;
import org.fleetgrad.worker.data.ShardUnavailableException;

/** The micro-batches of one window, for one stage. */
final class WindowBatches implements MicroBatches {

    private final ShardBatches batches;
    private final Window window;
    private final LongConsumer onLabels;

    /**
     * @param onLabels receives the place of each micro-batch whose labels are requested
     */
    WindowBatches(ShardBatches batches, Window window, LongConsumer onLabels) {
        this.batches = batches;
        this.window = window;
        this.onLabels = onLabels;
    }

    @Override
    public int count() {
        return window.count();
    }

    @Override
    public MicroBatch at(int place, boolean withLabels) {
        try {
            MicroBatch batch = batches.at(window.from() + place, withLabels);
            if (withLabels) {
                onLabels.accept(batch.index());
            }
            return batch;
        } catch (ShardUnavailableException gone) {
            throw new UncheckedIOException(new IOException(gone.getMessage(), gone));
        }
    }

    @Override
    public Frame samples(int place) {
        try {
            return batches.images(window.from() + place);
        } catch (ShardUnavailableException gone) {
            throw new UncheckedIOException(new IOException(gone.getMessage(), gone));
        }
    }
}
