package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
import org.fleetgrad.pipeline.stage.TiedTensor;
import org.fleetgrad.pipeline.training.StageLoop.StageLinks;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one stage to its neighbouring stages, and to the one that shares a tensor with it, in this process or
 * another. For one thread.
 */
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
    private @Nullable SocketLink tied;

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
     * Connects to the stage after, then waits for the stage before: the last stage, which has none after it, begins. When the
     * first stage has connected to the second one, all others have connected, so the last stage waits for the first one only.
     */
    StageLinks connect(StageConfiguration configuration, BlockRange range) throws IOException {
        Optional<FrameLink> toAfter = connectAfter(configuration, range);
        Optional<FrameLink> toBefore = connectBefore(configuration, range);
        Optional<FrameLink> toTied = connectTied(configuration, range);
        if (listener != null) {
            listener.close();
        }
        return new StageLinks(toBefore, toAfter, toTied);
    }

    private Optional<FrameLink> connectAfter(StageConfiguration configuration, BlockRange range) throws IOException {
        if (stage + 1 == configuration.stages()) {
            return Optional.empty();
        }
        if (local.has(stage)) {
            return Optional.of(local.after(stage, capacity(configuration, stage)));
        }
        Border border = Border.after(stage, range.output(), configuration.microBatch());
        after = SocketLink.connect(address(configuration.next()), token, border, WAITING, LIMIT);
        return Optional.of(after);
    }

    private Optional<FrameLink> connectBefore(StageConfiguration configuration, BlockRange range) throws IOException {
        if (stage == 0) {
            return Optional.empty();
        }
        if (listener == null) {
            FrameQueue.Link link = local.after(stage - 1, capacity(configuration, stage - 1));
            return Optional.of(link.otherEnd());
        }
        Border border = Border.after(stage - 1, range.input(), configuration.microBatch());
        before = listener.accept(token, border, WAITING, LIMIT, onRefused);
        return Optional.of(before);
    }

    private Optional<FrameLink> connectTied(StageConfiguration configuration, BlockRange range) throws IOException {
        Optional<TiedTensor> shared = TiedTensor.of(range);
        if (shared.isEmpty()) {
            return Optional.empty();
        }
        int last = configuration.stages() - 1;
        int waiting = configuration.cures().settings().tiedFrames(configuration.stages());
        if (local.has(0, last)) {
            FrameQueue.Link link = local.tied(last, waiting);
            return Optional.of(stage == 0 ? link : link.otherEnd());
        }
        Border border = Border.tied(shared.get().tensor(), last);
        tied = stage == 0
                ? SocketLink.connect(address(configuration.last()), token, border, waiting, LIMIT)
                : Objects.requireNonNull(listener).accept(token, border, waiting, LIMIT, onRefused);
        return Optional.of(tied);
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
        if (tied != null) {
            tied.close();
        }
        if (listener != null) {
            listener.close();
        }
    }

    /** The channels between stages of this process: queues in memory. Thread-safe. */
    static final class LocalQueues {

        private final Collection<Integer> stages;
        private final Map<Integer, FrameQueue.Link> links = new HashMap<>();
        private FrameQueue.@Nullable Link tied;

        /**
         * @param stages of this process
         */
        LocalQueues(Collection<Integer> stages) {
            this.stages = stages;
        }

        /** Returns whether both sides of the border behind {@code first} are in this process. */
        boolean has(int first) {
            return has(first, first + 1);
        }

        /** Returns whether both stages are in this process. */
        boolean has(int first, int second) {
            return stages.contains(first) && stages.contains(second);
        }

        /** Returns the end of stage {@code first} of its connection to the stage after it. */
        synchronized FrameQueue.Link after(int first, int capacity) {
            return links.computeIfAbsent(first, stage -> FrameQueue.Link.after(stage, capacity));
        }

        /** Returns the first stage's end of its connection to the last one, with which it shares a tensor. */
        synchronized FrameQueue.Link tied(int last, int capacity) {
            if (tied == null) {
                tied = FrameQueue.Link.tied(last, capacity);
            }
            return tied;
        }
    }
}
