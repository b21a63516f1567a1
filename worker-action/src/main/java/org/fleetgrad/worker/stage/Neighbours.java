package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.channel.FrameLink;
import org.fleetgrad.pipeline.channel.FrameQueue;
import org.fleetgrad.pipeline.channel.socket.Border;
import org.fleetgrad.pipeline.channel.socket.BorderListener;
import org.fleetgrad.pipeline.channel.socket.RunToken;
import org.fleetgrad.pipeline.channel.socket.SocketLink;
import org.fleetgrad.pipeline.run.StageConfiguration;
import org.fleetgrad.pipeline.training.StageLoop.StageLinks;
import org.jspecify.annotations.Nullable;

/** The connections of one stage to its neighbouring stages, in this process or another. For one thread. */
final class Neighbours implements AutoCloseable {

    /** The driver checks whether a neighbour makes progress, and ends this stage with the run if none does. */
    private static final Duration LIMIT = Duration.ofHours(1);

    /** Frames that are queued here; later frames wait at the sender, or in the socket's buffers. */
    private static final int WAITING = 2;

    private final int stage;
    private final LocalQueues local;
    private final RunToken token;
    private final Consumer<String> onRefused;
    private final @Nullable BorderListener listener;
    private @Nullable SocketLink before;
    private @Nullable SocketLink after;

    private Neighbours(
            int stage,
            LocalQueues local,
            RunToken token,
            Consumer<String> onRefused,
            @Nullable BorderListener listener) {
        this.stage = stage;
        this.local = local;
        this.token = token;
        this.onRefused = onRefused;
        this.listener = listener;
    }

    /**
     * Listens for the stage before, if it is in another process.
     *
     * @param address   to listen on
     * @param onRefused is notified of each caller that is not the stage before
     */
    static Neighbours open(int stage, String address, LocalQueues local, RunToken token, Consumer<String> onRefused)
            throws IOException {
        boolean isAlone = stage == 0 || local.has(stage - 1);
        return new Neighbours(
                stage, local, token, onRefused, isAlone ? null : BorderListener.open(InetAddress.getByName(address)));
    }

    /** Returns the port for the stage before; 0 if it does not connect. */
    int port() {
        return listener == null ? 0 : listener.port();
    }

    /**
     * Connects to the stage after, then waits for the stage before: the last stage, which has none after it, begins.
     */
    StageLinks connect(StageConfiguration configuration, BlockRange range) throws IOException {
        Optional<FrameLink> toAfter = Optional.empty();
        if (stage + 1 < configuration.stages()) {
            if (local.has(stage)) {
                toAfter = Optional.of(local.after(stage, capacity(configuration, stage)));
            } else {
                Border border = new Border(stage, range.output(), configuration.microBatch());
                after = SocketLink.connect(address(configuration.next()), token, border, WAITING, LIMIT);
                toAfter = Optional.of(after);
            }
        }
        Optional<FrameLink> toBefore = Optional.empty();
        if (stage > 0) {
            if (local.has(stage - 1)) {
                FrameQueue.Link link = local.after(stage - 1, capacity(configuration, stage - 1));
                toBefore = Optional.of(link.otherEnd());
            } else if (listener != null) {
                Border border = new Border(stage - 1, range.input(), configuration.microBatch());
                before = listener.accept(token, border, WAITING, LIMIT, onRefused);
                toBefore = Optional.of(before);
                listener.close();
            }
        }
        return new StageLinks(toBefore, toAfter);
    }

    /** As many frames as the stage before the border has micro-batches in flight with 1f1b. */
    private static int capacity(StageConfiguration configuration, int first) {
        return configuration.stages() - first;
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    @Override
    public void close() throws IOException {
        if (after != null) {
            after.close();
        }
        if (before != null) {
            before.close();
        }
        if (listener != null) {
            listener.close();
        }
    }

    /** The channels between stages of this process: queues in memory. Thread-safe. */
    static final class LocalQueues {

        private final Collection<Integer> stages;
        private final Map<Integer, FrameQueue.Link> links = new HashMap<>();

        /**
         * @param stages of this process
         */
        LocalQueues(Collection<Integer> stages) {
            this.stages = stages;
        }

        /** Returns whether both sides of the border behind {@code first} are in this process. */
        boolean has(int first) {
            return stages.contains(first) && stages.contains(first + 1);
        }

        /** Returns the end of stage {@code first} of its connection to the stage after it. */
        synchronized FrameQueue.Link after(int first, int capacity) {
            return links.computeIfAbsent(first, stage -> FrameQueue.Link.after(stage, capacity));
        }
    }
}
