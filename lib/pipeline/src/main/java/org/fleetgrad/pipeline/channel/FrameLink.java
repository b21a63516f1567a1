package org.fleetgrad.pipeline.channel;

import java.io.IOException;
import org.fleetgrad.pipeline.frame.Frame;

/**
 * A stage's end of the connection to one of its neighbours: frames leave in one direction and arrive in the other. One thread
 * at a time sends and receives.
 */
public interface FrameLink {

    /**
     * Puts a frame in, and waits while the channel is full. Frames arrive in the order in which they were sent.
     *
     * @throws NeighbourFailedException if the link was failed from either end; its cause is the neighbour's
     * @throws IOException              if the transport failed, or the link is finished
     */
    void send(Frame frame) throws IOException, InterruptedException;

    /**
     * Takes the next frame out, and waits until there is one.
     *
     * @throws NeighbourFailedException if the link was failed from either end; its cause is the neighbour's
     * @throws java.io.EOFException     if the neighbour has finished and all its frames were received
     * @throws IOException              if the transport failed
     */
    Frame receive() throws IOException, InterruptedException;

    /**
     * Notifies the neighbour that this stage failed: pending and later calls at both ends fail with this cause. Frames not yet
     * received are lost. Any thread may call it; only the first cause counts.
     */
    void fail(Throwable cause);

    /** Signals that no frame will follow, and that none will be received; the neighbour still gets those that were sent. */
    void finish();
}
