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
import org.fleetgrad.pipeline.channel.FrameQueue;
import org.fleetgrad.pipeline.channel.FrameReceiver;
import org.fleetgrad.pipeline.channel.FrameSender;
import org.fleetgrad.pipeline.channel.socket.Border;
import org.fleetgrad.pipeline.channel.socket.BorderListener;
import org.fleetgrad.pipeline.channel.socket.RunToken;
import org.fleetgrad.pipeline.channel.socket.SocketLink;
import org.fleetgrad.pipeline.run.StageConfiguration;
import org.fleetgrad.pipeline.training.StageLinks;
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
        Optional<FrameReceiver> inputs = Optional.empty();
        Optional<FrameSender> outputs = Optional.empty();
        Optional<FrameReceiver> outputGradients = Optional.empty();
        Optional<FrameSender> inputGradients = Optional.empty();
        if (stage + 1 < configuration.stages()) {
            if (local.has(stage)) {
                outputs = Optional.of(local.forward(stage, capacity(configuration, stage)));
                outputGradients = Optional.of(local.backward(stage));
            } else {
                Border border = new Border(stage, range.output(), configuration.microBatch());
                SocketLink link = SocketLink.connect(address(configuration.next()), token, border, WAITING, LIMIT);
                after = link;
                outputs = Optional.of(link.sender());
                outputGradients = Optional.of(link.receiver());
            }
        }
        if (stage > 0) {
            if (local.has(stage - 1)) {
                FrameQueue forward = local.forward(stage - 1, capacity(configuration, stage - 1));
                inputs = Optional.of(forward);
                inputGradients = Optional.of(local.backward(stage - 1));
            } else if (listener != null) {
                Border border = new Border(stage - 1, range.input(), configuration.microBatch());
                SocketLink link = listener.accept(token, border, WAITING, LIMIT, onRefused);
                before = link;
                inputs = Optional.of(link.receiver());
                inputGradients = Optional.of(link.sender());
                listener.close();
            }
        }
        return new StageLinks(inputs, outputs, outputGradients, inputGradients);
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
        private final Map<Integer, FrameQueue> forward = new HashMap<>();
        private final Map<Integer, FrameQueue> backward = new HashMap<>();

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

        /** Returns the queue of the activations over the border behind {@code first}. */
        synchronized FrameQueue forward(int first, int capacity) {
            return forward.computeIfAbsent(
                    first, i -> new FrameQueue("activations from stage %d to stage %d".formatted(i, i + 1), capacity));
        }

        /** Returns the queue of the gradients over the border behind {@code first}. */
        synchronized FrameQueue backward(int first) {
            return backward.computeIfAbsent(
                    first, i -> new FrameQueue("gradients from stage %d to stage %d".formatted(i + 1, i), 1));
        }
    }
}
