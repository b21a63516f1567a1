package org.fleetgrad.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.ErrorFeedback;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Sends one worker's gradients to one server, in one encoding. It stores the residual that the encoding left out of
 * each gradient and adds it to the next one. So a worker needs one channel for each server, for as long as it trains.
 *
 * <p>Each gradient is {@linkplain #prepare prepared} once and {@linkplain #push pushed} until it is answered: the same
 * bytes every time. A gradient that the server drops does not change the residual: it is as if it had never been
 * computed. Not thread-safe.
 */
public final class GradientChannel {

    private final TensorFormat format;
    private final SafetensorsHeader header;
    private final ErrorFeedback feedback;
    private ByteBuffer prepared = ByteBuffer.allocate(0);
    private String generation = "";

    /**
     * @param layout of the server's parameter set: float32 tensors
     * @throws IllegalArgumentException when the encoding cannot carry these tensors
     */
    public GradientChannel(TensorLayout layout, Encoding encoding) {
        this(new TensorFormat(encoding, layout, ParameterState.NONE));
    }

    /** Sends gradients in this format. */
    public GradientChannel(TensorFormat format) {
        this.format = format;
        this.header = new SafetensorsHeader(format.wireLayout());
        this.feedback = new ErrorFeedback(format);
    }

    /** Returns the encoding of the gradients. */
    public Encoding encoding() {
        return format.encoding();
    }

    /** Sets the server's generation: the residual of another generation is discarded, like its gradients. */
    public void follow(String newest) {
        if (!newest.equals(generation)) {
            feedback.forget();
            generation = newest;
        }
    }

    /** Returns how many bytes the tensors of a gradient take on the wire. */
    public long tensorBytes() {
        return format.wireLayout().byteLength();
    }

    /**
     * Encodes the next gradient. This call confirms that the gradient before it counts, unless it was taken back.
     *
     * @param gradient mean gradient in the order of the layout; not changed, and not retained
     * @throws EncodingException when a value is not finite, which only {@code f32} carries; then nothing has changed
     */
    public void prepare(float[] gradient) throws EncodingException {
        prepared = feedback.encode(gradient);
    }

    /**
     * Pushes the gradient prepared last. Under the same sequence number it may be pushed again, until it is answered.
     *
     * @param pull whether to request the newest parameter set in the same round trip
     * @throws IllegalStateException when no gradient was prepared
     */
    public PushResult push(PsClient client, GradientMetadata metadata, boolean pull) throws IOException {
        PushResult result = send(client, metadata, pull);
        if (result instanceof PushResult.Stale || result instanceof PushResult.NotInitialized) {
            takeBack();
        }
        return result;
    }

    /** Pushes the gradient prepared last; the caller decides whether a refusal drops it. */
    PushResult send(PsClient client, GradientMetadata metadata, boolean pull) throws IOException {
        return client.push(header(metadata), prepared.duplicate(), pull);
    }

    /** Stages the gradient prepared last. */
    PushResult stage(PsClient client, GradientMetadata metadata) throws IOException {
        return client.pushes().stage(header(metadata), prepared.duplicate());
    }

    private byte[] header(GradientMetadata metadata) {
        if (prepared.remaining() != format.wireLayout().byteLength()) {
            throw new IllegalStateException("no gradient was prepared");
        }
        Map<String, String> strings = new LinkedHashMap<>(metadata.toMap());
        if (!encoding().isLossless()) {
            strings.put(Encoding.METADATA_KEY, encoding().text());
        }
        return header.encode(strings, 0);
    }

    /** Reports that the gradient prepared last is dropped: the residual is reset to its value before it. */
    public void takeBack() {
        feedback.takeBack();
    }
}
