package org.fleetgrad.ps.durability;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The first entry of a segment, as JSON.
 *
 * @param format     2
 * @param number     number of the segment in its location
 * @param marker     begins every frame of the segment. It is random and never disclosed, so no gradient can contain what
 *     looks like a frame
 * @param generation the generation that the entries belong to
 * @param version    version before the first entry
 * @param continues  whether the entries continue those of the previous segment; if not, a parameter set was put in
 *     between, or history was lost
 * @param arithmetic optimizer, staleness rule and schedule that the entries were applied with
 */
record SegmentHeader(
        int format,
        int number,
        long marker,
        String generation,
        long version,
        boolean continues,
        Arithmetic arithmetic) {

    static final int FORMAT = 2;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    byte[] toBytes() {
        return JSON.writeValueAsBytes(this);
    }

    /** Reads a header; the exception says what the bytes are instead. */
    static SegmentHeader parse(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        try {
            SegmentHeader header = JSON.readValue(bytes, SegmentHeader.class);
            if (header == null || header.format() != FORMAT || header.generation() == null) {
                throw new IllegalArgumentException("its header is not one of format %d: %s"
                        .formatted(FORMAT, new String(bytes, StandardCharsets.UTF_8)));
            }
            return header;
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("its header is not JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }
}
