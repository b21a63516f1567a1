package org.fleetgrad.client;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.partition.Partition;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.tensor.ExchangedValues;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Sends one worker's gradients to the servers of a run: one channel for each server. If a server drops its part, the
 * residual of that part is reset to its value before it. A gradient is pushed by {@link ParameterServers#push}. Not
 * thread-safe, but each channel may have its own thread.
 */
public final class GradientChannels {

    private final Encoding encoding;
    private final List<Partition> cut;
    private final List<GradientChannel> channels;
    private int firstToAsk;

    /**
     * @param layout  of the run's parameter set: float32 tensors; sorted by name if there are several servers
     * @param servers how many there are
     * @throws IllegalArgumentException when the encoding cannot carry these tensors, or they cannot be cut
     */
    public GradientChannels(TensorLayout layout, Encoding encoding, int servers) {
        this(layout, ParameterState.NONE, encoding, servers);
    }

    /**
     * @param layout  of the run's parameter set: float32 tensors; sorted by name if there are several servers
     * @param state   those of its tensors that are sent unencoded
     * @param servers how many there are
     * @throws IllegalArgumentException when the encoding cannot carry these tensors, or they cannot be cut
     */
    public GradientChannels(TensorLayout layout, ParameterState state, Encoding encoding, int servers) {
        this.encoding = encoding;
        if (servers == 1) {
            this.cut = List.of();
            this.channels = List.of(new GradientChannel(new TensorFormat(encoding, layout, state)));
            return;
        }
        Partitioning partitioning = Partitioning.of(layout, servers);
        if (!partitioning.whole().equals(layout)) {
            throw new IllegalArgumentException("a gradient for several servers comes sorted by its tensors' names");
        }
        this.cut = partitioning.partitions();
        this.channels = cut.stream()
                .map(part -> new GradientChannel(new TensorFormat(encoding, part.layout(), state)))
                .toList();
    }

    /** Returns the encoding of the gradients. */
    public Encoding encoding() {
        return encoding;
    }

    /** Returns how many servers there are. */
    public int servers() {
        return channels.size();
    }

    /** Returns how many bytes the tensors of a gradient take on the wire. */
    public long tensorBytes() {
        return channels.stream().mapToLong(GradientChannel::tensorBytes).sum();
    }

    /** Sets the lead's generation: the residual of another generation is discarded, like its gradients. */
    public void follow(String newest) {
        channels.get(0).follow(newest);
    }

    /**
     * Encodes the next gradient; see {@link GradientChannel#prepare}.
     *
     * @param base     the versions of the parts that it was computed on
     * @param gradient mean gradient in the order of the layout; not changed, and not retained
     * @throws EncodingException when a value is not finite, which only {@code f32} carries; then nothing has changed
     */
    public void prepare(List<ParameterVersion> base, float[] gradient) throws EncodingException {
        if (cut.isEmpty()) {
            channels.get(0).prepare(gradient);
            return;
        }
        if (base.size() != cut.size()) {
            throw new IllegalArgumentException(
                    "the gradient's base has %d partitions, the servers are %d".formatted(base.size(), cut.size()));
        }
        firstToAsk = firstToAsk(gradient);
        // The part that cannot be encoded is prepared first: when it fails, no other part has changed.
        prepare(firstToAsk, base, gradient);
        for (int i = 0; i < cut.size(); i++) {
            if (i != firstToAsk) {
                prepare(i, base, gradient);
            }
        }
    }

    private void prepare(int index, List<ParameterVersion> base, float[] gradient) throws EncodingException {
        Partition part = cut.get(index);
        if (index > 0) {
            channels.get(index).follow(base.get(index).generation());
        }
        channels.get(index).prepare(Arrays.copyOfRange(gradient, part.begin(), part.begin() + part.length()));
    }

    /** Returns the part with a value that every server refuses; or else the lead's. */
    private int firstToAsk(float[] gradient) {
        for (Partition part : cut) {
            for (int i = part.begin(); i < part.begin() + part.length(); i++) {
                if (!ExchangedValues.isAllowed(gradient[i])) {
                    return part.index();
                }
            }
        }
        return 0;
    }

    /** Pushes the gradient to the run's only server. */
    PushResult pushAlone(PsClient server, GradientMetadata metadata, boolean pull) throws IOException {
        return channels.get(0).push(server, metadata, pull);
    }

    /** Pushes a server's part; the caller decides whether a refusal drops it. */
    PushResult send(int index, PsClient server, GradientMetadata metadata, boolean pull) throws IOException {
        return channels.get(index).send(server, metadata, pull);
    }

    /** Stages a server's part. */
    PushResult stage(int index, PsClient server, GradientMetadata metadata) throws IOException {
        return channels.get(index).stage(server, metadata);
    }

    /** Reports that a server's part is dropped. */
    void takeBack(int index) {
        channels.get(index).takeBack();
    }

    /** Reports that all parts are dropped. */
    void takeBack() {
        channels.forEach(GradientChannel::takeBack);
    }
}
