package org.fleetgrad.client.fake;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A gradient as it reached the fake server.
 *
 * @param uri what was asked
 */
public record Push(URI uri, GradientMetadata metadata, TensorSet tensors) {

    static Push of(URI uri, byte[] body) throws IOException {
        TensorSet tensors = tensors(body);
        return new Push(uri, GradientMetadata.parse(tensors.metadata()), tensors);
    }

    /** Reads the tensors of a body. */
    static TensorSet tensors(byte[] body) throws IOException {
        try {
            return Safetensors.decode(ByteBuffer.wrap(body));
        } catch (SafetensorsException malformed) {
            throw new IOException(malformed);
        }
    }

    /** Returns the gradient's values in the order of {@code layout}. */
    public float[] gradient(TensorLayout layout) {
        float[] values = new float[(int) layout.elementCount()];
        try {
            Encodings.parse(Encodings.textIn(tensors.metadata())).decode(layout, tensors, values);
        } catch (EncodingException malformed) {
            throw new AssertionError("the gradient is not what its encoding writes", malformed);
        }
        return values;
    }
}
