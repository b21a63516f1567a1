package org.fleetgrad.benchmarks.exchange;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One keep-alive connection that costs almost nothing compared with the server: sends prepared bytes, reads the
 * Content-Length in the head, and drops the body.
 */
public final class LoadConnection implements AutoCloseable {

    private static final int BUFFER = 1 << 16;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] sink = new byte[BUFFER];

    /** Connects to an address such as {@code http://127.0.0.1:29500}. */
    public LoadConnection(URI address) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), BUFFER);
        out = socket.getOutputStream();
    }

    /** Sends one request and returns the length of the answer's body; throws for any status but 200. */
    public long exchange(byte[]... parts) throws IOException {
        for (byte[] part : parts) {
            out.write(part);
        }
        String status = line();
        long length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Long.parseLong(
                        header.substring("content-length:".length()).strip());
            }
        }
        for (long left = length; left > 0; ) {
            int read = in.read(sink, 0, (int) Math.min(left, sink.length));
            if (read < 0) {
                throw new EOFException("the body ended early");
            }
            left -= read;
        }
        if (!status.contains(" 200")) {
            throw new IOException("the server answered: " + status);
        }
        return length;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the head ended early");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    public static byte[] get(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
