package org.fleetgrad.e2e.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One connection whose bytes are written by hand, since no client of HTTP would send them. */
final class Wire implements AutoCloseable {

    private static final int CONNECT_MS = 5_000;
    private static final int LONGEST_LINE = 1024;
    private static final int FIRST_ERROR = 400;

    private final Socket socket;

    private Wire(Socket socket) {
        this.socket = socket;
    }

    static Wire open(URI service) throws IOException {
        return open(service, 0);
    }

    /**
     * Opens a connection.
     *
     * @param receiveBytes the buffer of what comes, which is small for a client that does not read; 0 for the system's
     */
    static Wire open(URI service, int receiveBytes) throws IOException {
        Socket socket = new Socket();
        try {
            if (receiveBytes > 0) {
                socket.setReceiveBufferSize(receiveBytes);
            }
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(service.getHost(), service.getPort()), CONNECT_MS);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
        return new Wire(socket);
    }

    Wire send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Wire send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Waits for an answer, and tells whether it is a refusal; a closed connection is one, silence is none. */
    boolean isRefused(Duration timeout) {
        try {
            socket.setSoTimeout((int) timeout.toMillis());
            String line = line(socket.getInputStream());
            return line.isEmpty() || Integer.parseInt(line.split(" ")[1]) >= FIRST_ERROR;
        } catch (java.net.SocketTimeoutException silent) {
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\r' && line.length() < LONGEST_LINE; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            // It is gone.
        }
    }
}
