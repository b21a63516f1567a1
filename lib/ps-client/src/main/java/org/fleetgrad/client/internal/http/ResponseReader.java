package org.fleetgrad.client.internal.http;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads one HTTP/1.1 response (RFC 9112): its head, and a body with a Content-Length or in chunks. A body with neither
 * is refused, since a truncated response would look complete. Memory is bounded by the bytes received, and by the
 * limit.
 */
final class ResponseReader {

    /** Longest head, and longest trailer, including line ends. */
    private static final int MAX_HEAD_BYTES = 64 * 1024;

    /** The longest array that every JVM can allocate. */
    private static final long MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8L;

    /** Memory for an announced length alone: more than most models have. */
    static final int UNEARNED_BYTES = 1 << 20;

    private static final int GROWTH = 8;

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final Input input;
    private final long maxBodyBytes;
    private int headBytes;
    private boolean isKept;

    /** The bytes of a connection. */
    @FunctionalInterface
    interface Input {

        /**
         * Waits until there is a byte or more, and returns all that arrived; bytes that are consumed are not returned
         * again.
         */
        ByteBuffer some() throws IOException;
    }

    ResponseReader(Input input, long maxBodyBytes) {
        this.input = input;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** Reads the response, and skips interim responses (status 1xx). */
    Transport.Response read() throws IOException {
        int status = status(line());
        while (status / 100 == 1) {
            Map<String, String> unused = headers();
            status = status(line());
        }
        Map<String, String> headers = headers();
        String kept = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        isKept = isKept && !kept.contains("close");
        return new Transport.Response(status, headers, ByteBuffer.wrap(body(status, headers)));
    }

    /** Returns whether the server accepts another request over the connection. */
    boolean isConnectionKept() {
        return isKept;
    }

    private int status(String line) throws IOException {
        boolean isHttp = line.length() >= 12
                && line.startsWith("HTTP/1.")
                && line.charAt(8) == ' '
                && (line.length() == 12 || line.charAt(12) == ' ');
        int status = isHttp ? (int) number(line.substring(9, 12)) : -1;
        if (status < 100) {
            throw new IOException("the server does not speak HTTP/1.1: it answered '%s'"
                    .formatted(line.substring(0, Math.min(line.length(), 80))));
        }
        isKept = line.charAt(7) != '0';
        return status;
    }

    /** Reads headers up to the empty line; case does not matter; if a name occurs twice, the first counts. */
    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new IOException("the answer's head has the line '%s', which is no header".formatted(line));
            }
            String name = line.substring(0, colon);
            String value = line.substring(colon + 1).strip();
            String first = headers.putIfAbsent(name, value);
            if (name.equalsIgnoreCase("content-length") && first != null && !first.equals(value)) {
                throw new IOException("the answer states two lengths: %s and %s".formatted(first, value));
            }
        }
        return headers;
    }

    private byte[] body(int status, Map<String, String> headers) throws IOException {
        if (status == NO_CONTENT || status == NOT_MODIFIED) {
            return new byte[0];
        }
        String coding = headers.get("transfer-encoding");
        if (coding != null) {
            if (!coding.equalsIgnoreCase("chunked")) {
                throw new IOException("the answer comes as '%s', which was not asked for".formatted(coding));
            }
            return chunks();
        }
        String stated = headers.get("content-length");
        if (stated == null) {
            throw new EOFException("the answer ended in its head, or states neither a body nor its length");
        }
        long length = number(stated);
        if (length < 0) {
            throw new IOException("the answer states the length '%s'".formatted(stated));
        }
        if (length > most()) {
            throw new Transport.OversizedResponseException(
                    "the answer has %d bytes, accepted are %d".formatted(length, maxBodyBytes));
        }
        byte[] body = begin((int) length);
        for (int at = 0; at < length; ) {
            if (at == body.length) {
                body = more(body, (int) length);
            }
            at += take(some("the answer ended after %d of %d bytes", at, (int) length), body, at, body.length);
        }
        return body;
    }

    /**
     * Returns a buffer for the beginning of a body with a Content-Length: for all of it if it is not large. A server may
     * announce bytes that it never sends, so the buffer grows with the bytes received, to at most eight times of them.
     * To grow costs at most a copy of a seventh of the body.
     */
    static byte[] begin(int length) {
        int size = length;
        while (size > UNEARNED_BYTES) {
            // Rounded up, so that the last step reaches the length.
            size = (size - 1) / GROWTH + 1;
        }
        return new byte[size];
    }

    /** Returns a larger buffer for a body of this length, with the received bytes, which fill {@code full}. */
    static byte[] more(byte[] full, int length) {
        return Arrays.copyOf(full, (int) Math.min((long) GROWTH * full.length, length));
    }

    private static int take(ByteBuffer some, byte[] body, int from, int to) {
        int count = Math.min(some.remaining(), to - from);
        some.get(body, from, count);
        return count;
    }

    private byte[] chunks() throws IOException {
        byte[] body = new byte[0];
        int at = 0;
        for (int size = chunkSize(at); size > 0; size = chunkSize(at)) {
            int end = at + size;
            while (at < end) {
                ByteBuffer some = some("the answer ended in a chunk, after %d bytes of %d", at, end);
                body = withRoom(body, at + Math.min(some.remaining(), end - at));
                at += take(some, body, at, end);
            }
            if (!line().isEmpty()) {
                throw new IOException("a chunk of the answer is longer than it states");
            }
        }
        Map<String, String> unused = headers();
        return Arrays.copyOf(body, at);
    }

    /** Grows with the bytes received, never with the announced length. */
    private byte[] withRoom(byte[] body, int length) {
        return length <= body.length
                ? body
                : Arrays.copyOf(body, (int) Math.max(length, Math.min(2L * body.length, most())));
    }

    private int chunkSize(int before) throws IOException {
        // The limit is for each chunk's line: it stops a line without an end.
        headBytes = 0;
        String line = line();
        int end = line.indexOf(';');
        String digits = (end < 0 ? line : line.substring(0, end)).strip();
        if (!isHexadecimal(digits)) {
            throw new IOException("a chunk of the answer states the length '%s'"
                    .formatted(digits.substring(0, Math.min(digits.length(), 80))));
        }
        long size = Long.parseLong(digits, 16);
        if (before + size > most()) {
            throw new Transport.OversizedResponseException(
                    "the answer has more than the %d bytes that are accepted".formatted(most()));
        }
        return (int) size;
    }

    private long most() {
        return Math.min(maxBodyBytes, MAX_ARRAY_LENGTH);
    }

    /** Reads a line of the head, without its end. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        while (true) {
            ByteBuffer some = some("the answer ended in its head, after %d bytes", headBytes, 0);
            while (some.hasRemaining()) {
                char c = (char) (some.get() & 0xff);
                if (++headBytes > MAX_HEAD_BYTES) {
                    throw new IOException("the answer's head has more than %d bytes".formatted(MAX_HEAD_BYTES));
                }
                if (c == '\n') {
                    int end = line.length();
                    line.setLength(end > 0 && line.charAt(end - 1) == '\r' ? end - 1 : end);
                    return line.toString();
                }
                line.append(c);
            }
        }
    }

    private ByteBuffer some(String cut, int at, int length) throws IOException {
        try {
            return input.some();
        } catch (EOFException gone) {
            throw new EOFException(cut.formatted(at, length));
        }
    }

    /** Parses a number that is not negative; returns -1 if it is not one, or has more than 18 digits. */
    private static long number(String digits) {
        boolean isNumber =
                !digits.isEmpty() && digits.length() <= 18 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Long.parseLong(digits) : -1;
    }

    private static boolean isHexadecimal(String digits) {
        return !digits.isEmpty()
                && digits.length() <= 15
                && digits.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
    }
}
