package org.fleetgrad.datasets.array;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.Safetensors.Head;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** The arrays of a safetensors file. In memory is its header alone. */
final class TensorFile {

    static final String SUFFIX = ".safetensors";

    private static final SafetensorsLimits LIMITS =
            new SafetensorsLimits(SafetensorsLimits.DEFAULT.headerBytes(), Long.MAX_VALUE);

    private TensorFile() {}

    /**
     * Reads the header.
     *
     * @throws InvalidDatasetException if it breaks the format, or does not fit the size of the file
     */
    static NavigableMap<String, ArraySource> arrays(Path file) throws IOException {
        long fileBytes = Files.size(file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] first = in.readNBytes(Safetensors.LENGTH_BYTES);
            int headerBytes = Safetensors.headerBytes(ByteBuffer.wrap(first), fileBytes, LIMITS);
            long begin = (long) Safetensors.LENGTH_BYTES + headerBytes;
            Head head = Safetensors.decodeHeader(ByteBuffer.wrap(in.readNBytes(headerBytes)), fileBytes - begin);
            NavigableMap<String, ArraySource> arrays = new TreeMap<>();
            for (int i = 0; i < head.layout().size(); i++) {
                TensorSpec spec = head.layout().specs().get(i);
                arrays.put(spec.name(), source(file, spec, begin + head.layout().byteOffset(i)));
            }
            return arrays;
        } catch (SafetensorsException broken) {
            throw new InvalidDatasetException(
                    "%s: it is no safetensors file, or it is broken: %s".formatted(file, broken.getMessage()), broken);
        }
    }

    private static ArraySource source(Path file, TensorSpec spec, long from) {
        Optional<NpyType> type = type(spec.dtype());
        return type.isPresent()
                ? new TensorSource(file, spec.name(), new NpyHeader(type.get(), false, spec.shape(), 0), from)
                : new UnreadTensor(file, spec);
    }

    private static Optional<NpyType> type(DType type) {
        return switch (type) {
            case F16, F32, F64 -> NpyType.of("<f" + type.bytes());
            case I8, I16, I32, I64 -> NpyType.of("<i" + type.bytes());
            case U8, U16, U32, U64 -> NpyType.of("<u" + type.bytes());
            case BOOL -> NpyType.of("<b1");
            default -> Optional.empty();
        };
    }

    /** A tensor of a type that NumPy's files do not have; it is refused only if it is asked for. */
    private record UnreadTensor(Path file, TensorSpec spec) implements ArraySource {

        @Override
        public String name() {
            return "%s: %s".formatted(file, Printable.text(spec.name()));
        }

        @Override
        public InputStream open() throws IOException {
            throw refused();
        }

        @Override
        public long mostBytes() {
            return spec.byteLength();
        }

        @Override
        public NpyArray array() throws IOException {
            throw refused();
        }

        private InvalidDatasetException refused() {
            return new InvalidDatasetException(
                    "%s: its elements are %s; read are F16, F32, F64, I8 to I64, U8 to U64 and BOOL: convert them, such as x.float()"
                            .formatted(name(), spec.dtype()));
        }
    }
}
