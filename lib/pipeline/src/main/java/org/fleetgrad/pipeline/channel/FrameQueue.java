package org.fleetgrad.pipeline.channel;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.fleetgrad.pipeline.frame.Frame;
import org.jspecify.annotations.Nullable;

/** A channel in one direction: a bounded queue. {@link FrameLink} says how its methods behave. Thread-safe. */
public final class FrameQueue {

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

    public synchronized void fail(Throwable why) {
        if (cause == null) {
            cause = why;
            frames.clear();
            notifyAll();
        }
    }

    public synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    private void requireNotFailed() throws NeighbourFailedException {
        if (cause != null) {
            throw new NeighbourFailedException(name, cause);
        }
    }

    /**
     * One end of the connection between two stages of one process.
     *
     * @param incoming from the neighbour
     * @param outgoing to the neighbour
     */
    public record Link(FrameQueue incoming, FrameQueue outgoing) implements FrameLink {

        /**
         * Connects a stage to the one after it; returns the end of the former.
         *
         * @param capacity number of activations that may wait, 1 or more; one gradient may wait
         */
        public static Link after(int stage, int capacity) {
            String names = "from stage %d to stage %d";
            return new Link(
                    new FrameQueue("gradients " + names.formatted(stage + 1, stage), 1),
                    new FrameQueue("activations " + names.formatted(stage, stage + 1), capacity));
        }

        /**
         * Connects the first stage to the last one, with which it shares a tensor; returns the end of the former.
         *
         * @param capacity number of frames that may wait in each direction, 1 or more
         */
        public static Link tied(int last, int capacity) {
            return new Link(
                    new FrameQueue("gradients of the tied tensor from stage %d to stage 0".formatted(last), capacity),
                    new FrameQueue("values of the tied tensor from stage 0 to stage %d".formatted(last), capacity));
        }

        /** Returns the neighbour's end. */
        public Link otherEnd() {
            return new Link(/* incoming= */ outgoing, /* outgoing= */ incoming);
        }

        @Override
        public void send(Frame frame) throws IOException, InterruptedException {
            outgoing.send(frame);
        }

        @Override
        public Frame receive() throws IOException, InterruptedException {
            return incoming.receive();
        }

        @Override
        public void fail(Throwable cause) {
            incoming.fail(cause);
            outgoing.fail(cause);
        }

        @Override
        public void finish() {
            outgoing.close();
            incoming.close();
        }
    }
}
