package org.fleetgrad.datasets.table;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The characters of a stream in UTF-8, one after the other, without the byte order mark. Not thread-safe. */
final class Utf8Characters implements Closeable {

    /** What {@link #read} returns after the last character. */
    static final int END = -1;

    private static final int BUFFER_SIZE = 1 << 16;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final InputStream in;
    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_SIZE).flip();
    private final char[] characters = new char[BUFFER_SIZE];
    private int at;
    private int end;
    private long before;
    private boolean hasEnded;

    /** Takes ownership of the stream. */
    Utf8Characters(InputStream in) throws IOException {
        this.in = in;
        if (peek() == BYTE_ORDER_MARK) {
            at++;
        }
    }

    /**
     * Returns the next character, or {@link #END}.
     *
     * @throws CharacterCodingException if bytes that are not UTF-8 are next; the message has the first one and its place
     */
    int read() throws IOException {
        return at < end || fill() ? characters[at++] : END;
    }

    /** Returns the character that {@link #read} will return. */
    int peek() throws IOException {
        return at < end || fill() ? characters[at] : END;
    }

    /**
     * Reads characters of a field, as many as are at hand: none that ends it, and no NUL.
     *
     * @param target gets them, from {@code place} on
     * @param most   characters that are read
     * @return how many were read; 0 says nothing of what is next
     */
    int take(char delimiter, char[] target, int place, int most) {
        int last = Math.min(end, at + most);
        int next = at;
        while (next < last) {
            char c = characters[next];
            if (c == delimiter || c == '\n' || c == '\r' || c == 0) {
                break;
            }
            target[place + next - at] = c;
            next++;
        }
        int taken = next - at;
        at = next;
        return taken;
    }

    private boolean fill() throws IOException {
        CharBuffer target = CharBuffer.wrap(characters);
        while (true) {
            CoderResult result = decoder.decode(bytes, target, hasEnded);
            at = 0;
            end = target.position();
            // Characters before the broken byte come first: they say in which line and column it is.
            if (end > 0) {
                return true;
            }
            if (result.isError()) {
                throw new NotUtf8Exception(before + bytes.position(), bytes.get(bytes.position()));
            }
            if (hasEnded) {
                return false;
            }
            before += bytes.position();
            bytes.compact();
            int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
            hasEnded = read < 0;
            bytes.position(bytes.position() + Math.max(0, read)).flip();
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** A byte begins no character. */
    private static final class NotUtf8Exception extends CharacterCodingException {

        private static final long serialVersionUID = 1L;

        private final long place;
        private final byte found;

        NotUtf8Exception(long place, byte found) {
            this.place = place;
            this.found = found;
        }

        @Override
        public String getMessage() {
            return "byte %d, 0x%02x, begins no character".formatted(place, found);
        }
    }
}
