package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.encoding.BFloat16;
import org.fleetgrad.protocol.encoding.Float16;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * A safetensors file of parameters, such as PyTorch's {@code state_dict}, seen as float32. It is memory-mapped: only one
 * tensor at a time is in the heap.
 */
final class TensorFile {

    /** Turns values of two bytes into float32. */
    @FunctionalInterface
    private interface Decoder {
        void decode(TensorLayout layout, TensorSet wire, float[] values);
    }

    private final TensorSet tensors;
    private final TensorLayout layout;

    private TensorFile(TensorSet tensors, TensorLayout layout) {
        this.tensors = tensors;
        this.layout = layout;
    }

    /**
     * Opens a file.
     *
     * @throws IllegalArgumentException if it is not a safetensors file, or has a tensor that is not of floats; the message
     *     says what to do
     */
    static TensorFile open(Path file) throws IOException {
        TensorSet tensors;
        try (FileChannel channel = FileChannel.open(file)) {
            long bytes = channel.size();
            if (bytes > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "it has %d bytes; a run takes a file of at most %d".formatted(bytes, Integer.MAX_VALUE));
            }
            tensors = Safetensors.decode(channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes));
        } catch (SafetensorsException other) {
            throw new IllegalArgumentException(
                    "it is not a safetensors file, as PyTorch's safetensors.torch.save_file writes it: "
                            + other.getMessage(),
                    other);
        }
        List<TensorSpec> specs = tensors.layout().specs().stream()
                .filter(spec -> !ParameterState.isBatchCount(spec))
                .toList();
        if (specs.isEmpty()) {
            throw new IllegalArgumentException("it has no parameters");
        }
        return new TensorFile(
                tensors,
                TensorLayout.canonical(specs.stream().map(TensorFile::asFloat32).toList()));
    }

    private static TensorSpec asFloat32(TensorSpec spec) {
        return switch (spec.dtype()) {
            case F32, F16, BF16, F64 -> new TensorSpec(spec.name(), DType.F32, spec.shape());
            default ->
                throw new IllegalArgumentException(
                        "tensor '%s' has type %s; a run needs float32: leave the tensor out, or save tensor.float()"
                                .formatted(spec.name(), spec.dtype()));
        };
    }

    /** Returns its tensors as float32, sorted by name, without PyTorch's counts of batches. */
    TensorLayout layout() {
        return layout;
    }

    Map<String, String> metadata() {
        return tensors.metadata();
    }

    /** Returns whether the file has only these tensors, all of them float32. */
    boolean isPlain() {
        return tensors.layout().isAllFloat32();
    }

    /** Writes the values of a tensor as float32, little-endian. */
    void write(String tensor, OutputStream out) throws IOException {
        TensorSpec spec =
                tensors.layout().specs().get(tensors.layout().indexOf(tensor).orElseThrow());
        ByteBuffer bytes = tensors.bytes(tensor).orElseThrow();
        switch (spec.dtype()) {
            case F32 -> write(bytes, out);
            case F16 -> write(decoded(spec, bytes, new Float16()::decode), out);
            case BF16 -> write(decoded(spec, bytes, new BFloat16()::decode), out);
            default -> write(rounded(bytes.asDoubleBuffer()), out);
        }
    }

    /** Writes values as float32, little-endian. */
    static void write(float[] values, OutputStream out) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        write(bytes, out);
    }

    private static void write(ByteBuffer bytes, OutputStream out) throws IOException {
        Channels.newChannel(out).write(bytes);
    }

    private static float[] decoded(TensorSpec spec, ByteBuffer bytes, Decoder decoder) {
        float[] values = new float[Math.toIntExact(spec.elementCount())];
        TensorSet wire = new TensorSet(TensorLayout.inOrder(List.of(spec)), bytes, Map.of());
        decoder.decode(TensorLayout.inOrder(List.of(asFloat32(spec))), wire, values);
        return values;
    }

    private static float[] rounded(DoubleBuffer exact) {
        float[] values = new float[exact.remaining()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) exact.get(i);
        }
        return values;
    }
}
