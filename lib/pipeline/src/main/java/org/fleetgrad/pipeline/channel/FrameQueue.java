package org.fleetgrad.pipeline.channel;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.fleetgrad.pipeline.frame.Frame;
import org.jspecify.annotations.Nullable;

/** A channel between two stages of one process: a bounded queue, with its sender and its receiver. Thread-safe. */
public final class FrameQueue implements FrameSender, FrameReceiver {

    private final String name;
    private final int capacity;
    private final Queue<Frame> frames = new ArrayDeque<>();
    private boolean isClosed;
    private @Nullable Throwable cause;

    /**
     * Makes an empty channel.
     *
     * @param name     its name in error messages, such as {@code activations from stage 0 to stage 1}
     * @param capacity number of frames that may wait, 1 or more
     */
    public FrameQueue(String name, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "a channel holds 1 or more frames; the capacity of %s is %d".formatted(name, capacity));
        }
        this.name = name;
        this.capacity = capacity;
    }

    @Override
    public synchronized void send(Frame frame) throws IOException, InterruptedException {
        while (frames.size() == capacity && cause == null && !isClosed) {
            wait();
        }
        requireNotFailed();
        if (isClosed) {
            throw new IOException(
                    "%s is closed: the frame of micro-batch %d cannot be sent".formatted(name, frame.microBatch()));
        }
        frames.add(frame);
        notifyAll();
    }

    @Override
    public synchronized Frame receive() throws IOException, InterruptedException {
        while (frames.isEmpty() && cause == null && !isClosed) {
            wait();
        }
        requireNotFailed();
        Frame frame = frames.poll();
        if (frame == null) {
            throw new EOFException("%s is closed, and no frame is left".formatted(name));
        }
        notifyAll();
        return frame;
    }

    @Override
    public synchronized void fail(Throwable why) {
        if (cause == null) {
            cause = why;
            frames.clear();
            notifyAll();
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    private void requireNotFailed() throws NeighbourFailedException {
        if (cause != null) {
            throw new NeighbourFailedException(name, cause);
        }
    }
}
