package org.fleetgrad.ps.durability;

import static java.nio.file.StandardOpenOption.READ;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.jspecify.annotations.Nullable;

/** Reads a segment from its beginning to its end, or to the first damage. */
final class JournalReader implements Closeable {

    private static final int WINDOW_BYTES = 1 << 20;

    /** No header with its frame is longer, so a longer segment has entries. */
    private static final int LONGEST_HEADER = 8 << 10;

    /** An array must hold the body and the checked part of its frame. */
    private static final int LONGEST_BODY = Integer.MAX_VALUE - 64;

    private final Path file;
    private final FileChannel channel;
    private final long size;
    private final JournalSegment.Header header;
    private long at;
    private @Nullable String damage;

    /** The file is not a journal segment. */
    static final class NotASegmentException extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean hasEntries;

        NotASegmentException(Path file, String reason, boolean hasEntries) {
            super("%s is not a journal segment: %s".formatted(file, reason));
            this.hasEntries = hasEntries;
        }

        /** Returns whether the file was once a segment: whether entries follow its damaged header. */
        boolean hasEntries() {
            return hasEntries;
        }
    }

    /** Opens a segment and reads its header. */
    JournalReader(Path file) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, READ);
        try {
            this.size = channel.size();
            this.header = readHeader();
        } catch (IllegalArgumentException malformed) {
            boolean hasEntries = hasEntriesAfterHeader();
            channel.close();
            throw new NotASegmentException(file, String.valueOf(malformed.getMessage()), hasEntries);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    JournalSegment.Header header() {
        return header;
    }

    /** Returns the next entry; empty at the end, or at the first damage. */
    Optional<JournalEntry> next() throws IOException {
        long before = at;
        ByteBuffer body = readBody();
        if (body == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(JournalCodec.decode(body, header.generation()));
        } catch (IllegalArgumentException malformed) {
            damage = "the entry at byte %d is invalid: %s".formatted(before, malformed.getMessage());
            at = before;
            return Optional.empty();
        }
    }

    /** Returns whether nothing follows the header. */
    boolean isEmpty() {
        return at == size;
    }

    /** Returns the position after the last complete entry. */
    long end() {
        return at;
    }

    long bytes() {
        return size;
    }

    /** Returns the damage after {@link #end}; empty if the file ends there. */
    Optional<String> damage() {
        return Optional.ofNullable(damage).map(what -> "%s: %s".formatted(file, what));
    }

    /**
     * Returns whether the damage is in data that was forced to the disk, and so perhaps acknowledged: whether a later
     * entry says so. A kill cuts off the last entry. A power loss may also destroy any part of the entries that were
     * not forced yet, and leave later ones.
     */
    boolean isDamageInForced() throws IOException {
        long from = at + 1;
        while (from + JournalSegment.FRAME_BYTES < size) {
            // Reads beyond the window, so that each frame that begins in it is complete.
            ByteBuffer window = read(from, (int) Math.min(size - from, WINDOW_BYTES + JournalSegment.FRAME_BYTES));
            int begins = Math.min(WINDOW_BYTES, window.limit() - JournalSegment.FRAME_BYTES);
            int i = 0;
            while (i < begins && !(window.getLong(i) == header.marker() && isEntry(window, i, from + i))) {
                i++;
            }
            if (i == begins) {
                from += begins;
                continue;
            }
            if (window.getLong(i + JournalSegment.FORCED_AT) > at) {
                return true;
            }
            from += i + (long) JournalSegment.FRAME_BYTES + window.getInt(i + JournalSegment.LENGTH_AT);
        }
        return false;
    }

    /**
     * Returns whether the frame at {@code i} of the window, at {@code begin} of the file, has the checksum that it
     * states.
     */
    private boolean isEntry(ByteBuffer window, int i, long begin) throws IOException {
        int length = window.getInt(i + JournalSegment.LENGTH_AT);
        if (length <= 0 || length > Math.min(LONGEST_BODY, size - begin - JournalSegment.FRAME_BYTES)) {
            return false;
        }
        ByteBuffer checked =
                read(begin + JournalSegment.FORCED_AT, JournalSegment.FRAME_BYTES - JournalSegment.FORCED_AT + length);
        return checksum(checked) == window.getInt(i + JournalSegment.CHECKSUM_AT);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    private JournalSegment.Header readHeader() throws IOException {
        ByteBuffer body = readBody();
        if (body == null) {
            throw new IllegalArgumentException(size == 0 ? "it is empty" : String.valueOf(damage));
        }
        JournalSegment.Header read = JournalSegment.Header.parse(body);
        if (read.marker() != read(0, Long.BYTES).getLong()) {
            throw new IllegalArgumentException("its first frame does not begin with the marker of its header");
        }
        return read;
    }

    /**
     * Returns whether entries follow an unreadable header. Without the header's marker, entries are recognized by their
     * form; the search is so short that even forged entries cost nothing.
     */
    private boolean hasEntriesAfterHeader() throws IOException {
        if (size > LONGEST_HEADER) {
            return true;
        }
        ByteBuffer all = read(0, (int) size);
        for (int i = 1; i + JournalSegment.FRAME_BYTES < size; i++) {
            int body = i + JournalSegment.FRAME_BYTES;
            byte second = body + 1 < size ? all.get(body + 1) : 0;
            int length = all.getInt(i + JournalSegment.LENGTH_AT);
            if (JournalCodec.isPlausible(length, all.get(body), second) && isEntry(all, i, i)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable ByteBuffer readBody() throws IOException {
        if (at == size) {
            return null;
        }
        if (size - at < JournalSegment.FRAME_BYTES) {
            damage = "%d bytes after byte %d are too few for an entry".formatted(size - at, at);
            return null;
        }
        ByteBuffer frame = read(at, JournalSegment.FRAME_BYTES);
        int length = frame.getInt(JournalSegment.LENGTH_AT);
        long left = size - at - JournalSegment.FRAME_BYTES;
        if (length <= 0 || length > Math.min(LONGEST_BODY, left)) {
            damage = "the entry at byte %d states %d bytes, %d are left".formatted(at, length, left);
            return null;
        }
        if (at > 0 && frame.getLong(0) != header.marker()) {
            damage = "the entry at byte %d does not begin with the segment's marker".formatted(at);
            return null;
        }
        ByteBuffer body =
                read(at + JournalSegment.FORCED_AT, JournalSegment.FRAME_BYTES - JournalSegment.FORCED_AT + length);
        if (checksum(body.duplicate()) != frame.getInt(JournalSegment.CHECKSUM_AT)) {
            damage = "the %d bytes of the entry at byte %d do not have its checksum".formatted(length, at);
            return null;
        }
        at += JournalSegment.FRAME_BYTES + (long) length;
        body.position(JournalSegment.FRAME_BYTES - JournalSegment.FORCED_AT);
        return body.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer read(long from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, from + buffer.position()) < 0) {
                throw new IOException("%s became shorter while it was read".formatted(file));
            }
        }
        return buffer.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
