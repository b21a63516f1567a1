package org.fleetgrad.ps.durability;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.fleetgrad.ps.persistence.JournalEntry;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One file of the journal, open for writing: a {@link Header}, then entries, each after a {@link #FRAME_BYTES frame}.
 *
 * <p>An entry that cannot be written completely is cut off, so that the file ends with a complete entry. Confined to
 * the applier thread.
 */
final class JournalSegment implements Closeable {

    /** Offset of the body's length in the frame, after the {@link Header#marker marker}. */
    static final int LENGTH_AT = 8;

    /** Offset of the CRC-32C of everything after it: the next field and the body. */
    static final int CHECKSUM_AT = 12;

    /** Offset of the file length that was forced to the disk when this entry was written. */
    static final int FORCED_AT = 16;

    /** Bytes of a frame; its fields are little-endian. The body follows. */
    static final int FRAME_BYTES = 24;

    private final int number;
    private final long marker;
    private final FileChannel channel;
    private ByteBuffer frame = buffer(1 << 16);
    private long end;
    private long forced;
    // After a failed force the system may drop the data and still report the next force as successful.
    private boolean isUnknown;
    private boolean isTorn;

    private JournalSegment(Header header, FileChannel channel) {
        this.number = header.number();
        this.marker = header.marker();
        this.channel = channel;
    }

    /**
     * Creates a segment and forces its header to the disk. If this fails, the file is deleted. An existing file is an
     * unused segment and is overwritten.
     */
    static JournalSegment create(Path file, Header header) throws IOException {
        FileChannel channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE);
        try {
            JournalSegment segment = new JournalSegment(header, channel);
            byte[] bytes = header.toBytes();
            segment.write(bytes.length, into -> into.put(bytes));
            segment.force();
            return segment;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            Files.deleteIfExists(file);
            throw failed;
        }
    }

    int number() {
        return number;
    }

    long bytes() {
        return end;
    }

    void append(JournalEntry entry) throws IOException {
        write(JournalCodec.bound(entry), into -> JournalCodec.encode(entry, into));
    }

    private interface Body {
        void encode(ByteBuffer into);
    }

    private void write(int bound, Body body) throws IOException {
        requireKnownState();
        if (isTorn) {
            cut();
        }
        if (frame.capacity() < FRAME_BYTES + bound) {
            frame = buffer(FRAME_BYTES + bound);
        }
        frame.clear().position(FRAME_BYTES);
        body.encode(frame);
        frame.flip();
        frame.putLong(0, marker).putInt(LENGTH_AT, frame.limit() - FRAME_BYTES).putLong(FORCED_AT, forced);
        CRC32C checksum = new CRC32C();
        checksum.update(frame.duplicate().position(FORCED_AT));
        frame.putInt(CHECKSUM_AT, (int) checksum.getValue());
        try {
            long at = end;
            while (frame.hasRemaining()) {
                at += channel.write(frame, at);
            }
            end = at;
        } catch (IOException full) {
            isTorn = true;
            throw full;
        }
    }

    /** Cuts off an entry that could not be written completely. */
    private void cut() throws IOException {
        channel.truncate(end);
        isTorn = false;
    }

    /** Forces all appended entries to the disk. After a failure the content of the segment on the disk is unknown. */
    void force() throws IOException {
        requireKnownState();
        if (forced != end) {
            isUnknown = true;
            channel.force(false);
            isUnknown = false;
            forced = end;
        }
    }

    private void requireKnownState() throws IOException {
        if (isUnknown) {
            throw new IOException(
                    "segment %d of the journal could not be forced to the disk earlier".formatted(number));
        }
    }

    /** Makes the file end with a complete entry and forces it, before the next segment is created. */
    void seal() throws IOException {
        if (isTorn) {
            cut();
        }
        force();
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            seal();
        }
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The first entry of a segment, as JSON.
     *
     * @param format     {@link #FORMAT}
     * @param number     number of the segment in its location
     * @param marker     begins every frame of the segment. It is random and never disclosed, so no gradient can contain
     *     what looks like a frame
     * @param generation the generation that the entries belong to
     * @param version    version before the first entry
     * @param continues  whether the entries continue those of the previous segment; if not, a parameter set was put in
     *     between, or history was lost
     * @param arithmetic optimizer, staleness rule and schedule that the entries were applied with
     */
    record Header(
            int format,
            int number,
            long marker,
            String generation,
            long version,
            boolean continues,
            Arithmetic arithmetic) {

        /** 3: the kinds of entries have other numbers than before. */
        static final int FORMAT = 3;

        private static final JsonMapper JSON = JsonMapper.builder().build();

        byte[] toBytes() {
            return JSON.writeValueAsBytes(this);
        }

        /** Reads a header; the exception says what the bytes are instead. */
        static Header parse(ByteBuffer body) {
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            try {
                Header header = JSON.readValue(bytes, Header.class);
                if (header == null || header.format() != FORMAT || header.generation() == null) {
                    throw new IllegalArgumentException("its header is not one of format %d: %s"
                            .formatted(FORMAT, new String(bytes, StandardCharsets.UTF_8)));
                }
                return header;
            } catch (JacksonException malformed) {
                throw new IllegalArgumentException(
                        "its header is not JSON: " + malformed.getOriginalMessage(), malformed);
            }
        }
    }
}
