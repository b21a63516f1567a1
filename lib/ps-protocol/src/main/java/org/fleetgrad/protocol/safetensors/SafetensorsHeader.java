package org.fleetgrad.protocol.safetensors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Writes the headers of safetensors files with the same tensors and different metadata. The part about the tensors is
 * encoded once. Immutable.
 */
public final class SafetensorsHeader {

    private static final int ALIGNMENT = 8;

    /** The members of the tensors, with commas between them. */
    private final byte[] tensors;

    /**
     * Prepares the headers of files with these tensors.
     *
     * @throws IllegalArgumentException when a tensor has the name that the format reserves for metadata, or a name
     *     holds an unpaired surrogate, which UTF-8 cannot carry
     */
    public SafetensorsHeader(TensorLayout layout) {
        this.tensors = utf8(tensors(layout));
    }

    /** Encodes one header, as {@link #encode(Map, int)} does. */
    public static byte[] encode(TensorLayout layout, Map<String, String> metadata, int minimumBytes) {
        return new SafetensorsHeader(layout).encode(metadata, minimumBytes);
    }

    /**
     * Encodes the length and the header that precede the tensors.
     *
     * @param metadata     strings beside the tensors; not written if empty
     * @param minimumBytes minimum size of the result; the header is padded with spaces to reach it, so that a header
     *     whose metadata grows can keep its size
     * @return the bytes before the data, a multiple of 8
     * @throws IllegalArgumentException when a text holds an unpaired surrogate
     */
    public byte[] encode(Map<String, String> metadata, int minimumBytes) {
        byte[] beginning = utf8(beginning(metadata));
        int end = Safetensors.LENGTH_BYTES + beginning.length + tensors.length;
        int unpadded = Math.max(end + 1, minimumBytes);
        int total = (unpadded + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        byte[] header = new byte[total];
        ByteBuffer.wrap(header)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(total - Safetensors.LENGTH_BYTES)
                .put(beginning)
                .put(tensors)
                .put((byte) '}');
        Arrays.fill(header, end + 1, total, (byte) ' ');
        return header;
    }

    /** Returns the text before the tensors: the brace, the metadata, and a comma if there are both. */
    private String beginning(Map<String, String> metadata) {
        StringBuilder json = new StringBuilder(256).append('{');
        if (metadata.isEmpty()) {
            return json.toString();
        }
        quote(json, Safetensors.METADATA).append(":{");
        for (Map.Entry<String, String> entry : new TreeMap<>(metadata).entrySet()) {
            quote(json, entry.getKey()).append(':');
            quote(json, entry.getValue()).append(',');
        }
        json.setCharAt(json.length() - 1, '}');
        return json.append(tensors.length == 0 ? "" : ",").toString();
    }

    private static String tensors(TensorLayout layout) {
        StringBuilder json = new StringBuilder(96 * layout.size());
        for (int i = 0; i < layout.size(); i++) {
            TensorSpec spec = layout.specs().get(i);
            if (spec.name().equals(Safetensors.METADATA)) {
                throw new IllegalArgumentException("no tensor can be named " + Safetensors.METADATA);
            }
            quote(i == 0 ? json : json.append(','), spec.name())
                    .append(":{\"dtype\":\"")
                    .append(spec.dtype())
                    .append("\",\"shape\":[");
            for (int d = 0; d < spec.shape().size(); d++) {
                json.append(d == 0 ? "" : ",").append((long) spec.shape().get(d));
            }
            json.append("],\"data_offsets\":[")
                    .append(layout.byteOffset(i))
                    .append(',')
                    .append(layout.byteOffset(i) + spec.byteLength())
                    .append("]}");
        }
        return json.toString();
    }

    private static byte[] utf8(String json) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(json));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException unpaired) {
            throw new IllegalArgumentException(
                    "a name or a metadata text holds an unpaired surrogate, which UTF-8 cannot carry", unpaired);
        }
    }

    private static StringBuilder quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"');
    }
}
