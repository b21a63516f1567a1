package org.fleetgrad.ps;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.LosslessEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Bodies of tensors, valid and invalid. */
public final class Tensors {

    /** A bias of two values and a weight of four, in this order. */
    public static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("fc.bias", 2), TensorSpec.f32("fc.weight", 2, 2)));

    private Tensors() {}

    public static byte[] parameters(float... values) {
        return file(LAYOUT, Map.of("network", "fc"), values);
    }

    public static Map<String, String> metadata(String worker, long sequence, String generation, long baseVersion) {
        return new GradientMetadata(worker, sequence, generation, baseVersion, 4, 0.25).toMap();
    }

    public static byte[] gradient(Map<String, String> metadata, float... values) {
        return file(LAYOUT, metadata, values);
    }

    public static byte[] file(TensorLayout layout, Map<String, String> metadata, float... values) {
        return bytes(Safetensors.encode(TensorSet.ofFloats(layout, values, metadata)));
    }

    /** Six values in an encoding. */
    public static byte[] encoded(Encoding encoding, Map<String, String> metadata, float... values) {
        TensorLayout most = encoding.wireLayout(LAYOUT);
        ByteBuffer data = ByteBuffer.allocate(Math.toIntExact(most.byteLength()));
        TensorLayout wire = most;
        if (encoding instanceof LosslessEncoding lossless) {
            wire = lossless.write(LAYOUT, values, data);
        } else {
            encoding.encode(LAYOUT, values.clone(), data);
        }
        return bytes(Safetensors.encode(new TensorSet(wire, data.flip(), metadata)));
    }

    /** A file of tensors of any type, every byte zero. */
    public static byte[] zeros(Map<String, String> metadata, TensorSpec... specs) {
        TensorLayout layout = TensorLayout.inOrder(List.of(specs));
        return bytes(Safetensors.encode(
                new TensorSet(layout, ByteBuffer.allocate(Math.toIntExact(layout.byteLength())), metadata)));
    }

    public static TensorSpec spec(String name, DType dtype, long... shape) {
        return new TensorSpec(name, dtype, Arrays.stream(shape).boxed().toList());
    }

    /** A file with any header, valid or not, and that many bytes of data. */
    public static byte[] raw(String header, int dataBytes) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Safetensors.LENGTH_BYTES + json.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .put(json)
                .array();
    }

    private static byte[] bytes(ByteBuffer file) {
        byte[] bytes = new byte[file.remaining()];
        file.get(bytes);
        return bytes;
    }
}
