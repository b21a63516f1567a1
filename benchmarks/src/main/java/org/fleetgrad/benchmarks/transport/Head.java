package org.fleetgrad.benchmarks.transport;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.fleetgrad.protocol.HeaderNames;

/** Heads of HTTP messages, as far as a push needs them. */
final class Head {

    private static final String LENGTH = "content-length:";

    private Head() {}

    /** Returns the head of a push. */
    static byte[] of(URI uri, long length) {
        String head = "POST %s?%s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                .formatted(uri.getPath(), uri.getQuery(), uri.getAuthority(), HeaderNames.SAFETENSORS, length);
        return head.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads an answer's head.
     *
     * @param head the head without its empty last line
     * @return the length of the body
     * @throws IOException for any status but 200, and if the head states no length
     */
    static int bodyLength(String head) throws IOException {
        String[] lines = head.split("\r\n");
        if (!lines[0].contains(" 200")) {
            throw new IOException("the server answered: " + lines[0]);
        }
        for (String line : lines) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                return Integer.parseInt(line.substring(LENGTH.length()).strip());
            }
        }
        throw new IOException("the answer states no length: " + head);
    }
}
