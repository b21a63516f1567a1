package org.fleetgrad.protocol.safetensors;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.fleetgrad.protocol.safetensors.HeaderParser.Header;
import org.fleetgrad.protocol.safetensors.Safetensors.Head;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the headers of files that often have the same tensors and other metadata, as the gradients of one network do.
 * It caches the tensors of the last header and the bytes that they were read from. If the next header has the same
 * bytes, only the metadata is parsed. It accepts and refuses the same files as {@link Safetensors}. Thread-safe.
 */
public final class HeaderCache {

    /** A longer header is not cached. */
    private static final int MAX_CACHED_BYTES = 64 * 1024;

    private volatile @Nullable Cached cached;

    /**
     * The tensors of a header that began with metadata.
     *
     * @param bytes after the metadata, without the spaces at their end
     */
    private record Cached(ByteBuffer bytes, TensorLayout layout) {}

    /** Decodes a file as {@link Safetensors#decode(ByteBuffer, SafetensorsLimits)} does. */
    public TensorSet decodeFile(ByteBuffer body, SafetensorsLimits limits) throws SafetensorsException {
        return Safetensors.decode(body, limits, this::decode);
    }

    /** Decodes a header as {@link Safetensors#decodeHeader} does. */
    public Head decode(ByteBuffer header, long dataBytes) throws SafetensorsException {
        Optional<Head> repeated = repeated(header, dataBytes);
        if (repeated.isPresent()) {
            return repeated.get();
        }
        String text = Safetensors.text(header.duplicate());
        Header parsed = HeaderParser.parse(text);
        Head head = Safetensors.head(parsed, dataBytes);
        if (parsed.afterMetadata() > 0 && header.remaining() <= MAX_CACHED_BYTES) {
            byte[] bytes = text.substring(parsed.afterMetadata()).getBytes(StandardCharsets.UTF_8);
            cached = new Cached(withoutSpaces(ByteBuffer.wrap(bytes)), head.layout());
        }
        return head;
    }

    /**
     * Decodes a header that ends with the cached bytes. They were parsed after an object of metadata. If a brace after
     * the bytes before them completes such an object, the parser would be in the same state here, and continue in the
     * same way.
     */
    private Optional<Head> repeated(ByteBuffer header, long dataBytes) {
        Cached last = cached;
        if (last == null || last.layout().byteLength() != dataBytes) {
            return Optional.empty();
        }
        ByteBuffer bytes = withoutSpaces(header);
        int begin = bytes.remaining() - last.bytes().remaining();
        if (begin <= 0 || !bytes.slice(begin, last.bytes().remaining()).equals(last.bytes())) {
            return Optional.empty();
        }
        try {
            Header parsed = HeaderParser.parse(Safetensors.text(bytes.slice(0, begin)) + "}");
            boolean isMetadata = parsed.entries().isEmpty() && parsed.afterMetadata() > 0;
            return isMetadata ? Optional.of(new Head(last.layout(), parsed.metadata())) : Optional.empty();
        } catch (SafetensorsException malformed) {
            // Parsing the complete header gives the better message.
            return Optional.empty();
        }
    }

    private static ByteBuffer withoutSpaces(ByteBuffer text) {
        ByteBuffer bytes = text.slice();
        int end = bytes.limit();
        while (end > 0 && bytes.get(end - 1) == ' ') {
            end--;
        }
        return bytes.limit(end);
    }
}
