package org.fleetgrad.pipeline.channel;

import java.io.IOException;
import org.fleetgrad.pipeline.frame.Frame;

/** The end of a channel at which one stage takes frames out. Used by one thread at a time. */
public interface FrameReceiver extends AutoCloseable {

    /**
     * Takes the next frame out, and waits until there is one.
     *
     * @throws NeighbourFailedException if the channel was failed from either end; its cause is the neighbour's
     * @throws java.io.EOFException     if the sender closed the channel and all its frames were received
     * @throws IOException              if the transport failed
     */
    Frame receive() throws IOException, InterruptedException;

    /**
     * Notifies the other end that this stage failed: pending and later calls there fail with this cause. Any thread may call
     * it; only the first cause counts.
     */
    void fail(Throwable cause);

    /** Signals that no further frame will be received; pending and later sends fail. */
    @Override
    void close() throws IOException;
}
