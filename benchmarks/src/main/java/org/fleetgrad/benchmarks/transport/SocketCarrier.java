package org.fleetgrad.benchmarks.transport;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;

/** No HTTP client: writes the same bytes to a socket, and reads the answer from it. */
final class SocketCarrier implements Carrier {

    private final URI uri;
    private final byte[] data;
    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;

    SocketCarrier(URI uri, byte[] data) throws IOException {
        this.uri = uri;
        this.data = data;
        socket = new Socket(uri.getHost(), uri.getPort());
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        in = new BufferedInputStream(socket.getInputStream());
    }

    @Override
    public int push(byte[] header) throws IOException {
        out.write(Head.of(uri, (long) header.length + data.length));
        out.write(header);
        out.write(data);
        byte[] body = new byte[Head.bodyLength(head())];
        if (in.readNBytes(body, 0, body.length) < body.length) {
            throw new EOFException("the body ended early");
        }
        return body.length;
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder(256);
        while (head.length() < 4 || head.lastIndexOf("\r\n\r\n") != head.length() - 4) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the head ended early");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
