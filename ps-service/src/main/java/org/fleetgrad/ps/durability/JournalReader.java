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

    private final Path file;
    private final FileChannel channel;
    private final long size;
    private final SegmentHeader header;
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

        /** Returns whether it was a segment once: whether entries follow its damaged header. */
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
            ByteBuffer body = readBody();
            if (body == null) {
                throw new NotASegmentException(
                        file, size == 0 ? "it is empty" : String.valueOf(damage), hasEntriesAfterDamage());
            }
            this.header = SegmentHeader.parse(body);
        } catch (IllegalArgumentException malformed) {
            at = 0;
            boolean hasEntries = hasEntriesAfterDamage();
            channel.close();
            throw new NotASegmentException(file, String.valueOf(malformed.getMessage()), hasEntries);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    SegmentHeader header() {
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

    /** Returns the position after the last whole entry. */
    long end() {
        return at;
    }

    /** Returns the length of the file. */
    long bytes() {
        return size;
    }

    /** Returns the damage after {@link #end}; empty if the file ends there. */
    Optional<String> damage() {
        return Optional.ofNullable(damage).map(what -> "%s: %s".formatted(file, what));
    }

    /**
     * Returns whether an entry follows the damage. A torn tail has none: entries are written one after another, and a
     * kill cuts off the last one.
     */
    boolean hasEntriesAfterDamage() throws IOException {
        for (long from = at + 1; from + JournalSegment.FRAME_BYTES < size; from += WINDOW_BYTES) {
            // Reads beyond the window, so that each frame that begins in it is complete, with two bytes of its body.
            ByteBuffer window = read(from, (int) Math.min(size - from, WINDOW_BYTES + JournalSegment.FRAME_BYTES + 2L));
            int begins = Math.min(WINDOW_BYTES, window.limit() - JournalSegment.FRAME_BYTES);
            for (int i = 0; i < begins; i++) {
                if (isEntry(window, i, from + i + JournalSegment.FRAME_BYTES)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isEntry(ByteBuffer window, int frame, long begin) throws IOException {
        int length = window.getInt(frame);
        int body = frame + JournalSegment.FRAME_BYTES;
        byte second = body + 1 < window.limit() ? window.get(body + 1) : 0;
        if (length > size - begin || !JournalCodec.isPlausible(length, window.get(body), second)) {
            return false;
        }
        CRC32C checksum = new CRC32C();
        checksum.update(read(begin, length));
        return (int) checksum.getValue() == window.getInt(frame + Integer.BYTES);
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
        int length = frame.getInt(0);
        long left = size - at - JournalSegment.FRAME_BYTES;
        if (length <= 0 || length > left) {
            damage = "the entry at byte %d states %d bytes, %d are left".formatted(at, length, left);
            return null;
        }
        ByteBuffer body = read(at + JournalSegment.FRAME_BYTES, length);
        CRC32C checksum = new CRC32C();
        checksum.update(body.duplicate());
        if ((int) checksum.getValue() != frame.getInt(Integer.BYTES)) {
            damage = "the %d bytes of the entry at byte %d do not have its checksum".formatted(length, at);
            return null;
        }
        at += JournalSegment.FRAME_BYTES + length;
        return body;
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
