package org.fleetgrad.protocol.safetensors;

import static org.fleetgrad.protocol.safetensors.SafetensorsRule.BODY_TOO_LARGE;
import static org.fleetgrad.protocol.safetensors.SafetensorsRule.DATA_LENGTH_MISMATCH;
import static org.fleetgrad.protocol.safetensors.SafetensorsRule.HEADER_NOT_JSON;
import static org.fleetgrad.protocol.safetensors.SafetensorsRule.HEADER_NOT_UTF8;
import static org.fleetgrad.protocol.safetensors.SafetensorsRule.HEADER_TOO_LARGE;
import static org.fleetgrad.protocol.safetensors.SafetensorsRule.HEADER_TRUNCATED;
import static org.fleetgrad.protocol.safetensors.SafetensorsRule.NOT_CONTIGUOUS;
import static org.fleetgrad.protocol.safetensors.SafetensorsRule.SIZE_MISMATCH;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.fleetgrad.protocol.safetensors.HeaderParser.Entry;
import org.fleetgrad.protocol.safetensors.HeaderParser.Header;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Reads and writes the safetensors format, strictly.
 *
 * <p>A file is an 8-byte little-endian header length, a JSON header that names each tensor's type, shape and place, and
 * the tensors' bytes. {@link #decode} accepts only files whose tensors cover their data exactly: from 0, in any order
 * of names, with no gap and no overlap. {@link #encode} gives the same bytes for the same content. See the
 * <a href="https://github.com/huggingface/safetensors">format's home</a>. Stateless and safe from several threads.
 */
public final class Safetensors {

    /** The header's key for the strings beside the tensors. */
    static final String METADATA = "__metadata__";

    /** Bytes of the header length that begins a file. */
    public static final int LENGTH_BYTES = 8;

    private Safetensors() {}

    /**
     * Decodes a file without copying: the tensors are views of {@code body}, taken from its position to its limit.
     *
     * @throws SafetensorsException when the body breaks a rule of the format or exceeds {@code limits}; nothing larger
     *     than the header limit is allocated before
     */
    public static TensorSet decode(ByteBuffer body, SafetensorsLimits limits) throws SafetensorsException {
        ByteBuffer bytes = body.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() > limits.bodyBytes()) {
            throw new SafetensorsException(
                    BODY_TOO_LARGE,
                    "the body has %d bytes, accepted are %d".formatted(bytes.remaining(), limits.bodyBytes()));
        }
        Header header = HeaderParser.parse(headerText(bytes, limits));
        return new TensorSet(layout(header.entries(), bytes.remaining()), bytes, header.metadata());
    }

    /** Decodes a file with {@linkplain SafetensorsLimits#DEFAULT the default limits}. */
    public static TensorSet decode(ByteBuffer body) throws SafetensorsException {
        return decode(body, SafetensorsLimits.DEFAULT);
    }

    /**
     * Encodes a set as a file: names in the order of its layout, metadata sorted, the header padded to 8 bytes.
     *
     * @throws IllegalArgumentException for a name or text that {@link SafetensorsHeader#encode} refuses
     */
    public static ByteBuffer encode(TensorSet set) {
        byte[] header = SafetensorsHeader.encode(set.layout(), set.metadata(), 0);
        ByteBuffer file = ByteBuffer.allocate(
                        Math.toIntExact(header.length + set.layout().byteLength()))
                .order(ByteOrder.LITTLE_ENDIAN);
        return file.put(header).put(set.data()).flip();
    }

    private static String headerText(ByteBuffer bytes, SafetensorsLimits limits) throws SafetensorsException {
        if (bytes.remaining() < LENGTH_BYTES) {
            throw new SafetensorsException(
                    HEADER_TRUNCATED,
                    "the body has %d bytes, the header length alone takes %d"
                            .formatted(bytes.remaining(), LENGTH_BYTES));
        }
        long length = bytes.getLong();
        // A length with the top bit set is a huge unsigned number, not a negative one.
        if (length < 0 || length > limits.headerBytes()) {
            throw new SafetensorsException(
                    HEADER_TOO_LARGE,
                    "the header states %s bytes, accepted are %d"
                            .formatted(Long.toUnsignedString(length), limits.headerBytes()));
        }
        if (length > bytes.remaining()) {
            throw new SafetensorsException(
                    HEADER_TRUNCATED,
                    "the header states %d bytes, the body has %d left".formatted(length, bytes.remaining()));
        }
        ByteBuffer header = bytes.slice(bytes.position(), (int) length);
        bytes.position(bytes.position() + (int) length);
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(header).toString();
        } catch (CharacterCodingException malformed) {
            throw new SafetensorsException(HEADER_NOT_UTF8, "the header of %d bytes is not UTF-8".formatted(length));
        }
        if (!text.startsWith("{")) {
            throw new SafetensorsException(HEADER_NOT_JSON, "the header must begin with '{'");
        }
        return text;
    }

    /** Checks that the tensors cover {@code dataBytes} exactly and lays them out in the order of their offsets. */
    private static TensorLayout layout(List<Entry> entries, long dataBytes) throws SafetensorsException {
        List<Entry> byOffset = new ArrayList<>(entries);
        byOffset.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
        List<TensorSpec> specs = new ArrayList<>(byOffset.size());
        long end = 0;
        for (Entry entry : byOffset) {
            TensorSpec spec = entry.spec();
            if (entry.begin() != end) {
                throw new SafetensorsException(
                        NOT_CONTIGUOUS,
                        "tensor '%s' begins at byte %d where %d was due".formatted(spec.name(), entry.begin(), end));
            }
            if (entry.end() < entry.begin() || entry.end() - entry.begin() != spec.byteLength()) {
                throw new SafetensorsException(
                        SIZE_MISMATCH,
                        "tensor '%s' spans bytes %d to %d, its type %s and shape %s take %d"
                                .formatted(
                                        spec.name(),
                                        entry.begin(),
                                        entry.end(),
                                        spec.dtype(),
                                        spec.shape(),
                                        spec.byteLength()));
            }
            end = entry.end();
            specs.add(spec);
        }
        if (end != dataBytes) {
            throw new SafetensorsException(
                    DATA_LENGTH_MISMATCH, "the tensors take %d bytes, the body has %d".formatted(end, dataBytes));
        }
        return TensorLayout.inOrder(specs);
    }
}
