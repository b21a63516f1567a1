package org.fleetgrad.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A client that sends the body of its request as fast as it can, whatever the server answers. */
public final class FloodOfBytes {

    private static final int CHUNK_BYTES = 0x10000;
    private static final long GIVE_UP_BYTES = 1L << 30;

    private FloodOfBytes() {}

    /**
     * Sends chunks, which may be bytes of a body with a length, too.
     *
     * @return the bytes that were sent when the server ended the connection; a gigabyte if it did not
     */
    public static long sent(Socket socket) {
        byte[] head = "10000\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] chunk = Arrays.copyOf(head, head.length + CHUNK_BYTES + 2);
        Arrays.fill(chunk, head.length, head.length + CHUNK_BYTES, (byte) 'x');
        chunk[chunk.length - 2] = '\r';
        chunk[chunk.length - 1] = '\n';
        long sent = 0;
        try {
            OutputStream out = socket.getOutputStream();
            while (sent < GIVE_UP_BYTES) {
                out.write(chunk);
                sent += chunk.length;
            }
        } catch (IOException ended) {
            // This is what the test waits for.
        }
        return sent;
    }
}
