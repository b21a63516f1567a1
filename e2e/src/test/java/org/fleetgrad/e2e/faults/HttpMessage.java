package org.fleetgrad.e2e.faults;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * One request or answer of HTTP/1.1 as its bytes, which a proxy passes on, cuts, repeats or drops.
 *
 * @param startLine the first line, without its end
 * @param isLast    whether the connection ends after it
 */
record HttpMessage(String startLine, byte[] bytes, boolean isLast) {

    private static final int LONGEST_HEAD = 1 << 16;
    private static final String HEAD_END = "\r\n\r\n";

    boolean isPush() {
        return startLine.startsWith("POST /putGradient");
    }

    /** Reads the next message; empty if the connection ends before it. */
    static Optional<HttpMessage> read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        bytes.write(first);
        String head = readHead(in, bytes);
        String startLine = head.substring(0, head.indexOf("\r\n"));
        String lower = head.toLowerCase(Locale.ROOT);
        Optional<String> length = header(lower, "content-length");
        boolean isWithoutBody = startLine.contains(" 304 ") || startLine.contains(" 204 ");
        if (!isWithoutBody && length.isPresent()) {
            copy(in, bytes, Integer.parseInt(length.get()));
        } else if (!isWithoutBody && header(lower, "transfer-encoding").isPresent()) {
            copyChunks(in, bytes);
        }
        boolean isLast = header(lower, "connection").filter("close"::equals).isPresent();
        return Optional.of(new HttpMessage(startLine, bytes.toByteArray(), isLast));
    }

    private static String readHead(InputStream in, ByteArrayOutputStream bytes) throws IOException {
        StringBuilder head = new StringBuilder(bytes.toString(StandardCharsets.ISO_8859_1));
        while (head.indexOf(HEAD_END, Math.max(0, head.length() - HEAD_END.length())) < 0) {
            int next = in.read();
            if (next < 0 || head.length() > LONGEST_HEAD) {
                throw new EOFException("a message ended in its head, after " + head.length() + " bytes");
            }
            bytes.write(next);
            head.append((char) next);
        }
        return head.toString();
    }

    private static Optional<String> header(String lowerHead, String name) {
        int at = lowerHead.indexOf("\r\n" + name + ":");
        if (at < 0) {
            return Optional.empty();
        }
        int begin = at + name.length() + 3;
        return Optional.of(
                lowerHead.substring(begin, lowerHead.indexOf("\r\n", begin)).trim());
    }

    private static void copy(InputStream in, ByteArrayOutputStream bytes, int length) throws IOException {
        byte[] body = in.readNBytes(length);
        bytes.write(body);
        if (body.length < length) {
            throw new EOFException("a body ended after %d of %d bytes".formatted(body.length, length));
        }
    }

    private static void copyChunks(InputStream in, ByteArrayOutputStream bytes) throws IOException {
        int size;
        do {
            String line = readLine(in, bytes);
            size = Integer.parseInt(line.split(";", 2)[0].trim(), 16);
            copy(in, bytes, size + 2);
        } while (size > 0);
    }

    private static String readLine(InputStream in, ByteArrayOutputStream bytes) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("a message ended between two chunks");
            }
            bytes.write(next);
            line.append((char) next);
        }
        bytes.write('\n');
        return line.toString();
    }
}
