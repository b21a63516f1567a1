package org.fleetgrad.protocol.safetensors;

import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.DUPLICATE_NAME;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.METADATA_NOT_STRINGS;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.SIZE_OVERFLOW;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.TENSOR_INCOMPLETE;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.UNKNOWN_DTYPE;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/** Parses the header of a safetensors file into tensors with their offsets, in the order of the header. */
final class HeaderParser {

    /** One tensor as the header states it; the offsets are not checked yet. */
    record Entry(TensorSpec spec, long begin, long end) {}

    /**
     * A parsed header.
     *
     * @param afterMetadata the place after the metadata if the header begins with them, else 0
     */
    record Header(Map<String, String> metadata, List<Entry> entries, int afterMetadata) {}

    private final HeaderScanner scanner;

    private HeaderParser(String text) {
        this.scanner = new HeaderScanner(text);
    }

    static Header parse(String text) throws SafetensorsException {
        return new HeaderParser(text).header();
    }

    private Header header() throws SafetensorsException {
        Map<String, String> metadata = Map.of();
        List<Entry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int afterMetadata = 0;
        scanner.take('{');
        if (!scanner.tryTake('}')) {
            do {
                String name = scanner.takeString();
                scanner.take(':');
                if (!names.add(name)) {
                    throw new SafetensorsException(DUPLICATE_NAME, "'%s' stands twice in the header".formatted(name));
                }
                if (name.equals(Safetensors.METADATA)) {
                    metadata = metadata();
                    afterMetadata = entries.isEmpty() ? scanner.at() : 0;
                } else {
                    entries.add(tensor(name));
                }
            } while (scanner.tryTake(','));
            scanner.take('}');
        }
        scanner.takeEnd();
        return new Header(metadata, entries, afterMetadata);
    }

    private Map<String, String> metadata() throws SafetensorsException {
        Map<String, String> metadata = new LinkedHashMap<>();
        if (scanner.peek() != '{') {
            throw new SafetensorsException(METADATA_NOT_STRINGS, "__metadata__ must be an object of strings");
        }
        scanner.take('{');
        if (scanner.tryTake('}')) {
            return metadata;
        }
        do {
            String key = scanner.takeString();
            scanner.take(':');
            if (scanner.peek() != '"') {
                throw new SafetensorsException(
                        METADATA_NOT_STRINGS, "the value of '%s' in __metadata__ is not a string".formatted(key));
            }
            if (metadata.put(key, scanner.takeString()) != null) {
                throw new SafetensorsException(DUPLICATE_NAME, "'%s' stands twice in __metadata__".formatted(key));
            }
        } while (scanner.tryTake(','));
        scanner.take('}');
        return metadata;
    }

    private Entry tensor(String name) throws SafetensorsException {
        @Nullable String dtype = null;
        @Nullable List<Long> shape = null;
        @Nullable List<Long> offsets = null;
        Set<String> keys = new TreeSet<>();
        scanner.take('{');
        if (!scanner.tryTake('}')) {
            do {
                String key = scanner.takeString();
                scanner.take(':');
                if (!keys.add(key)) {
                    throw new SafetensorsException(
                            DUPLICATE_NAME, "tensor '%s' states its %s twice".formatted(name, key));
                }
                switch (key) {
                    case "dtype" -> dtype = scanner.takeString();
                    case "shape" -> shape = scanner.takeSizes();
                    case "data_offsets" -> offsets = scanner.takeSizes();
                    default ->
                        throw new SafetensorsException(
                                TENSOR_INCOMPLETE, "tensor '%s' has the unknown key '%s'".formatted(name, key));
                }
            } while (scanner.tryTake(','));
            scanner.take('}');
        }
        if (dtype == null || shape == null || offsets == null || offsets.size() != 2) {
            throw new SafetensorsException(
                    TENSOR_INCOMPLETE,
                    "tensor '%s' needs dtype, shape and two data_offsets; it has %s"
                            .formatted(name, offsets == null ? keys : keys + " and offsets " + offsets));
        }
        String stated = dtype;
        DType known = DType.named(stated)
                .orElseThrow(() -> new SafetensorsException(
                        UNKNOWN_DTYPE, "tensor '%s' is of the unknown type '%s'".formatted(name, stated)));
        return new Entry(spec(name, known, shape), offsets.get(0), offsets.get(1));
    }

    private static TensorSpec spec(String name, DType dtype, List<Long> shape) throws SafetensorsException {
        if (name.isEmpty()) {
            throw new SafetensorsException(TENSOR_INCOMPLETE, "a tensor has an empty name");
        }
        try {
            return new TensorSpec(name, dtype, shape);
        } catch (IllegalArgumentException overflow) {
            throw new SafetensorsException(SIZE_OVERFLOW, String.valueOf(overflow.getMessage()));
        }
    }
}
