package org.fleetgrad.protocol.safetensors;

import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.BODY_TOO_LARGE;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.DATA_LENGTH_MISMATCH;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_NOT_JSON;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_NOT_UTF8;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_TOO_LARGE;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_TRUNCATED;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.NOT_CONTIGUOUS;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.SIZE_MISMATCH;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
 * <a href="https://github.com/huggingface/safetensors">format's home</a>. Stateless and thread-safe.
 */
public final class Safetensors {

    /** The header's key for the metadata. */
    static final String METADATA = "__metadata__";

    /** Bytes of the header length that begins a file. */
    public static final int LENGTH_BYTES = 8;

    private Safetensors() {}

    /**
     * The part of a file before the tensors' bytes.
     *
     * @param layout   the tensors in the order of their bytes
     * @param metadata the strings beside them
     */
    public record Head(TensorLayout layout, Map<String, String> metadata) {}

    /**
     * Decodes a file without copying: the tensors are views of {@code body}, taken from its position to its limit.
     *
     * @throws SafetensorsException when the body breaks a rule of the format or exceeds {@code limits}; before that,
     *     nothing larger than the header limit is allocated
     */
    public static TensorSet decode(ByteBuffer body, SafetensorsLimits limits) throws SafetensorsException {
        return decode(body, limits, Safetensors::decodeHeader);
    }

    /**
     * Opens a file without reading its values, which are read from disk when they are needed.
     *
     * @throws IOException              if it cannot be read
     * @throws IllegalArgumentException if it has more bytes than a buffer; the message names it
     * @throws SafetensorsException     as {@link #decode} does
     */
    public static TensorSet map(Path file) throws IOException, SafetensorsException {
        try (FileChannel channel = FileChannel.open(file)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "%s has %,d bytes; a model has at most %,d".formatted(file, channel.size(), Integer.MAX_VALUE));
            }
            return decode(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
        }
    }

    /** Decodes headers. */
    @FunctionalInterface
    interface HeaderDecoder {
        Head decode(ByteBuffer header, long dataBytes) throws SafetensorsException;
    }

    static TensorSet decode(ByteBuffer body, SafetensorsLimits limits, HeaderDecoder headers)
            throws SafetensorsException {
        ByteBuffer bytes = body.slice().order(ByteOrder.LITTLE_ENDIAN);
        requireWithin(bytes.remaining(), limits);
        int length = takeLength(bytes, bytes.remaining() - LENGTH_BYTES, limits);
        ByteBuffer header = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        Head head = headers.decode(header, bytes.remaining());
        return new TensorSet(head.layout(), bytes, head.metadata());
    }

    /**
     * Reads the length of the header, for a receiver that reads a file piece by piece.
     *
     * @param first     the file's first {@value #LENGTH_BYTES} bytes, or fewer if it has no more
     * @param fileBytes number of bytes in the file
     * @return the bytes between the length and the data
     * @throws SafetensorsException when the header is longer than {@code limits} or the file, or the file than {@code
     *     limits}
     */
    public static int headerBytes(ByteBuffer first, long fileBytes, SafetensorsLimits limits)
            throws SafetensorsException {
        requireWithin(fileBytes, limits);
        return takeLength(first.duplicate().order(ByteOrder.LITTLE_ENDIAN), fileBytes - LENGTH_BYTES, limits);
    }

    /**
     * Decodes only a header, for a receiver that reads a file piece by piece.
     *
     * @param header    the bytes between the length and the data, as many as {@link #headerBytes} returned
     * @param dataBytes how many bytes follow; the tensors must cover them exactly
     * @throws SafetensorsException as {@link #decode} does
     */
    public static Head decodeHeader(ByteBuffer header, long dataBytes) throws SafetensorsException {
        return head(HeaderParser.parse(text(header.duplicate())), dataBytes);
    }

    /** Checks the tensors of a header. */
    static Head head(Header parsed, long dataBytes) throws SafetensorsException {
        return new Head(layout(parsed.entries(), dataBytes), parsed.metadata());
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

    private static void requireWithin(long fileBytes, SafetensorsLimits limits) throws SafetensorsException {
        if (fileBytes > limits.bodyBytes()) {
            throw new SafetensorsException(
                    BODY_TOO_LARGE, "the body has %d bytes, accepted are %d".formatted(fileBytes, limits.bodyBytes()));
        }
    }

    /** Reads the header's length from {@code bytes}; {@code bytesLeft} follow it. */
    private static int takeLength(ByteBuffer bytes, long bytesLeft, SafetensorsLimits limits)
            throws SafetensorsException {
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
                    "%sthe header states %s bytes, accepted are %d"
                            .formatted(
                                    TorchFile.of(bytes.position(bytes.position() - LENGTH_BYTES))
                                            .map(file -> "the body is %s, not a safetensors file: "
                                                    .formatted(file.description()))
                                            .orElse(""),
                                    Long.toUnsignedString(length),
                                    limits.headerBytes()));
        }
        if (length > bytesLeft) {
            throw new SafetensorsException(
                    HEADER_TRUNCATED, "the header states %d bytes, the body has %d left".formatted(length, bytesLeft));
        }
        return (int) length;
    }

    static String text(ByteBuffer header) throws SafetensorsException {
        int length = header.remaining();
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
