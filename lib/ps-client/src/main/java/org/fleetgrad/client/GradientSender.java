package org.fleetgrad.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ErrorFeedback;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.partition.Partitioning.Partition;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.WireValues;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one worker's gradients, and sends them to the servers of a run. It stores the residual that the encoding left
 * out of each gradient and adds it to the next one. So a worker needs one sender for as long as it trains.
 *
 * <p>Each gradient is {@linkplain #prepare prepared} once and pushed by {@link ParameterServers#push} until it is
 * answered: the same bytes every time. A gradient that a server drops does not change the residual of that server's
 * part: it is as if the part had never been computed. Not thread-safe, but the part of each server may have its own
 * thread.
 */
public final class GradientSender {

    private final TensorLayout whole;
    private final FrozenTensors frozen;
    private final ParameterState state;
    private final Encoding encoding;

    /** Which range of the gradient each server gets; empty for one server. */
    private final List<Partition> partitions;

    private final List<Part> parts;
    private int firstToEncode;

    /** The part of one server: in one layout, with a residual of its own. */
    private static final class Part {

        private final TensorFormat format;
        private final ErrorFeedback feedback;
        private SafetensorsHeader header;
        private TensorLayout layoutOfHeader;
        private ErrorFeedback.@Nullable Encoded prepared;
        private String generation = "";

        private Part(TensorFormat format) {
            this.format = format;
            this.layoutOfHeader = format.wireLayout();
            this.header = new SafetensorsHeader(layoutOfHeader);
            this.feedback = new ErrorFeedback(format);
        }

        private void follow(String newest) {
            if (!newest.equals(generation)) {
                feedback.forget();
                generation = newest;
            }
        }

        private void prepare(float[] gradient) throws EncodingException {
            ErrorFeedback.Encoded encoded = feedback.encode(gradient);
            prepared = encoded;
            if (!encoded.layout().equals(layoutOfHeader)) {
                layoutOfHeader = encoded.layout();
                header = new SafetensorsHeader(layoutOfHeader);
            }
        }

        private ByteBuffer tensors() {
            if (prepared == null) {
                throw new IllegalStateException("no gradient was prepared");
            }
            return prepared.bytes().duplicate();
        }

        private byte[] header(GradientMetadata metadata) {
            Map<String, String> strings = new LinkedHashMap<>(metadata.toMap());
            if (!format.encoding().equals(Encodings.PLAIN)) {
                strings.put(Encoding.METADATA_KEY, format.encoding().text());
            }
            return header.encode(strings, 0);
        }
    }

    /**
     * @param whole   layout of the run's parameter set: float32 tensors; sorted by name if there are several servers
     * @param state   those of its tensors that are sent unencoded
     * @param frozen  those of its tensors that gradients do not have
     * @param servers how many there are
     * @throws IllegalArgumentException when the encoding cannot carry these tensors, or they cannot be partitioned
     */
    public GradientSender(
            TensorLayout whole, ParameterState state, FrozenTensors frozen, Encoding encoding, int servers) {
        this.whole = whole;
        this.frozen = frozen;
        this.state = state;
        this.encoding = encoding;
        if (servers == 1) {
            this.partitions = List.of();
            this.parts = List.of(new Part(new TensorFormat(encoding, frozen.trainable(whole), state)));
            return;
        }
        Partitioning partitioning = Partitioning.of(whole, servers);
        if (!partitioning.whole().equals(whole)) {
            throw new IllegalArgumentException("a gradient for several servers comes sorted by its tensors' names");
        }
        this.partitions = partitioning.without(frozen).partitions();
        Encoding ofPieces = encoding.forPiecesOf(whole);
        this.parts = partitions.stream()
                .map(partition -> new Part(new TensorFormat(ofPieces, partition.layout(), state)))
                .toList();
    }

    /** Returns whether it was made for these tensors, this encoding and this number of servers. */
    public boolean isFor(
            TensorLayout tensors, ParameterState unencoded, FrozenTensors without, Encoding wanted, int servers) {
        return whole.equals(tensors)
                && state.equals(unencoded)
                && frozen.equals(without)
                && encoding.equals(wanted)
                && parts.size() == servers;
    }

    /** Returns how many bytes the tensors of the prepared gradient take on the wire. */
    public long tensorBytes() {
        return parts.stream()
                .mapToLong(part -> part.layoutOfHeader.byteLength())
                .sum();
    }

    /** Sets the lead's generation: the residual of another generation is discarded, like its gradients. */
    public void follow(String newest) {
        parts.get(0).follow(newest);
    }

    /**
     * Encodes the next gradient. This call confirms that the gradient before it counts, unless it was reverted.
     *
     * @param base     the versions of the parts that it was computed on
     * @param gradient mean gradient of the trainable values, in the order of the layout; not changed, and not retained
     * @throws EncodingException when a value is not finite, which only {@code f32} carries; then nothing has changed
     */
    public void prepare(List<ParameterVersion> base, float[] gradient) throws EncodingException {
        if (partitions.isEmpty()) {
            parts.get(0).prepare(gradient);
            return;
        }
        if (base.size() != partitions.size()) {
            throw new IllegalArgumentException("the gradient's base has %d partitions, the servers are %d"
                    .formatted(base.size(), partitions.size()));
        }
        firstToEncode = firstToEncode(gradient);
        // The part that cannot be encoded is prepared first: when it fails, no other part has changed.
        prepare(firstToEncode, base, gradient);
        for (int i = 0; i < partitions.size(); i++) {
            if (i != firstToEncode) {
                prepare(i, base, gradient);
            }
        }
    }

    private void prepare(int index, List<ParameterVersion> base, float[] gradient) throws EncodingException {
        Partition range = partitions.get(index);
        Part part = parts.get(index);
        if (index > 0) {
            part.follow(base.get(index).generation());
        }
        part.prepare(Arrays.copyOfRange(gradient, range.begin(), range.begin() + range.length()));
    }

    /** Returns the part with a value that every server refuses; or else the lead's. */
    private int firstToEncode(float[] gradient) {
        for (Partition range : partitions) {
            for (int i = range.begin(); i < range.begin() + range.length(); i++) {
                if (!WireValues.isAllowed(gradient[i])) {
                    return range.index();
                }
            }
        }
        return 0;
    }

    /** Pushes a server's part; the caller decides whether a refusal drops it. */
    PushResult push(int index, PsClient server, GradientMetadata metadata, boolean pull) throws IOException {
        Part part = parts.get(index);
        return server.push(part.header(metadata), part.tensors(), pull);
    }

    /** Stages a server's part. */
    PushResult stage(int index, PsClient server, GradientMetadata metadata) throws IOException {
        Part part = parts.get(index);
        return server.stage(part.header(metadata), part.tensors());
    }

    /** Reports that a server's part is dropped: its residual is reset to its value before it. */
    void revert(int index) {
        parts.get(index).feedback.revert();
    }

    /** Reports that all parts are dropped. */
    void revert() {
        parts.forEach(part -> part.feedback.revert());
    }
}
