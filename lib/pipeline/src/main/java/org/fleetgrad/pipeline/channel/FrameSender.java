package org.fleetgrad.pipeline.channel;

import java.io.IOException;
import org.fleetgrad.pipeline.frame.Frame;

/** The end of a channel at which one stage puts frames in. Used by one thread at a time. */
public interface FrameSender extends AutoCloseable {

    /**
     * Puts a frame in, and waits while the channel is full. Frames arrive in the order in which they were sent.
     *
     * @throws NeighbourFailedException if the channel was failed from either end; its cause is the neighbour's
     * @throws IOException              if the transport failed, or the channel is closed
     */
    void send(Frame frame) throws IOException, InterruptedException;

    /**
     * Notifies the other end that this stage failed: pending and later calls there fail with this cause. Frames not yet
     * received are lost. Any thread may call it; only the first cause counts.
     */
    void fail(Throwable cause);

    /** Signals that no frame will follow; the receiver still gets those that were sent. */
    @Override
    void close() throws IOException;
}
