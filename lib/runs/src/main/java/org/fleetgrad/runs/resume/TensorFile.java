package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.encoding.BFloat16;
import org.fleetgrad.protocol.encoding.Float16;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.TorchFile;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.protocol.tensor.WireValues;

/**
 * A safetensors file of parameters, such as PyTorch's {@code state_dict}, seen as float32 under Fleetgrad's names. It is
 * memory-mapped: only one tensor at a time is in the heap.
 */
final class TensorFile {

    /** Turns values of two bytes into float32. */
    @FunctionalInterface
    private interface Decoder {
        void decode(TensorLayout layout, TensorSet wire, float[] values);
    }

    private final TensorSet tensors;
    private final SortedMap<String, String> names;
    private final TensorLayout layout;
    private final Map<String, String> metadata;

    /** Makes a view; {@code names} has the file's name of each tensor that is seen, by its own. */
    private TensorFile(TensorSet tensors, SortedMap<String, String> names, Map<String, String> metadata) {
        this.tensors = tensors;
        this.names = names;
        this.layout = TensorLayout.canonical(
                names.keySet().stream().map(name -> asFloat32(name, spec(name))).toList());
        this.metadata = Map.copyOf(metadata);
    }

    /**
     * Opens a file, or a folder with a network.
     *
     * @throws IllegalArgumentException if it is not a safetensors file, or has a tensor that is not of floats; the message
     *     says what to do
     */
    static TensorFile open(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            return ModelFolder.open(file);
        }
        TensorSet tensors = map(file);
        SortedMap<String, String> names = tensors.layout().specs().stream()
                .filter(spec -> !ParameterState.isBatchCount(spec))
                .collect(Collectors.toMap(TensorSpec::name, TensorSpec::name, (one, same) -> one, TreeMap::new));
        return of(tensors, names, tensors.metadata());
    }

    /** Shows a part of the tensors, under other names; see the constructor. */
    static TensorFile of(TensorSet tensors, SortedMap<String, String> names, Map<String, String> metadata) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("it has no parameters");
        }
        return new TensorFile(tensors, names, metadata);
    }

    /** Maps a file into memory. */
    static TensorSet map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long bytes = channel.size();
            if (bytes > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "it has %d bytes; a run takes a file of at most %d".formatted(bytes, Integer.MAX_VALUE));
            }
            return decode(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes));
        }
    }

    private static TensorSet decode(Path file, ByteBuffer bytes) {
        try {
            return Safetensors.decode(bytes);
        } catch (SafetensorsException other) {
            String reason = TorchFile.of(bytes)
                    .map(torch -> "it is %s, not a safetensors file. These two lines of Python turn it into one:%n%s"
                            .formatted(torch.description(), conversion(file)))
                    .orElseGet(
                            () -> "it is not a safetensors file, as PyTorch's safetensors.torch.save_file writes it: "
                                    + other.getMessage());
            throw new IllegalArgumentException(reason, other);
        }
    }

    private static String conversion(Path file) {
        String stem = file.toString().replaceFirst("\\.[A-Za-z0-9]+$", "");
        return TorchFile.conversion(file.toString(), stem + ".safetensors");
    }

    private TensorSpec spec(String name) {
        int index = tensors.layout().indexOf(fileName(name)).orElseThrow();
        return tensors.layout().specs().get(index);
    }

    private String fileName(String name) {
        return Objects.requireNonNull(names.get(name), name);
    }

    private static TensorSpec asFloat32(String name, TensorSpec spec) {
        return switch (spec.dtype()) {
            case F32, F16, BF16, F64 -> new TensorSpec(name, DType.F32, spec.shape());
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
        return metadata;
    }

    /** Returns whether there is a file that has only these tensors, all of them float32, with these names and metadata. */
    boolean isPlain() {
        return tensors.layout().isAllFloat32()
                && names.size() == tensors.layout().size()
                && names.entrySet().stream().allMatch(name -> name.getKey().equals(name.getValue()))
                && metadata.equals(tensors.metadata());
    }

    /**
     * Checks the values, as a server would: all are finite as float32, and not too large.
     *
     * @param unused names of tensors whose values do not matter
     * @throws IllegalArgumentException if one is not; the message has the tensor, the index and the value
     */
    void requireFinite(List<String> unused) {
        for (String name : names.keySet()) {
            if (!unused.contains(name)) {
                TensorSpec spec = spec(name);
                FloatBuffer values = values(spec);
                for (int i = 0; values.hasRemaining(); i++) {
                    float value = values.get();
                    if (!WireValues.isAllowed(value)) {
                        throw new IllegalArgumentException(Printable.text(
                                new WireValues.Refused(spec.name(), i, spec.elementCount(), value).message()));
                    }
                }
            }
        }
    }

    private FloatBuffer values(TensorSpec spec) {
        ByteBuffer bytes = tensors.bytes(spec.name()).orElseThrow();
        return spec.dtype() == DType.F32 ? bytes.asFloatBuffer() : FloatBuffer.wrap(converted(spec, bytes));
    }

    /** Writes the values of a tensor as float32, little-endian. */
    void write(String tensor, OutputStream out) throws IOException {
        TensorSpec spec = spec(tensor);
        ByteBuffer bytes = tensors.bytes(spec.name()).orElseThrow();
        if (spec.dtype() == DType.F32) {
            write(bytes, out);
        } else {
            write(converted(spec, bytes), out);
        }
    }

    private static float[] converted(TensorSpec spec, ByteBuffer bytes) {
        return switch (spec.dtype()) {
            case F16 -> decoded(spec, bytes, new Float16()::decode);
            case BF16 -> decoded(spec, bytes, new BFloat16()::decode);
            default -> rounded(bytes.asDoubleBuffer());
        };
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
        decoder.decode(TensorLayout.inOrder(List.of(asFloat32(spec.name(), spec))), wire, values);
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
