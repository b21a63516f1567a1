package org.fleetgrad.pipeline.channel.socket;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * A connection of lines between the driver of a run and a stage. One thread at a time reads; any thread may send and close.
 */
public final class LineConnection implements AutoCloseable {

    /** A window's figures with their spans take some hundred kilobytes. */
    private static final int LONGEST_LINE = 8 << 20;

    private final Socket socket;
    private final String hello;
    private final InputStream in;
    private final OutputStream out;

    private LineConnection(Socket socket, String hello) throws IOException {
        this.socket = socket;
        this.hello = hello;
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /**
     * Connects to a driver.
     *
     * @param hello who this is
     */
    public static LineConnection connect(InetSocketAddress driver, RunToken token, String hello, Duration limit)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(driver, Math.toIntExact(limit.toMillis()));
            new Handshake(token, limit).call(socket, hello);
            return new LineConnection(socket, hello);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    /**
     * Accepts a caller.
     *
     * @throws IOException if it is gone
     */
    public static LineConnection accept(Callers.Caller caller) throws IOException {
        try {
            return new LineConnection(caller.accept(), caller.hello());
        } catch (IOException failed) {
            caller.refuse();
            throw failed;
        }
    }

    /** Returns the identity that the caller states. */
    public String hello() {
        return hello;
    }

    /** Returns the address of the other side. */
    public InetAddress peer() {
        return socket.getInetAddress();
    }

    /** Sends a line; it must have no line break. */
    public void send(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            out.write(bytes);
            out.flush();
        }
    }

    /**
     * Waits for the next line.
     *
     * @return empty if the other side has ended the connection
     * @throws IOException if the connection broke, or the line is longer than 8 MiB
     */
    public Optional<String> read() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return Optional.empty();
            }
            if (line.size() == LONGEST_LINE) {
                throw new IOException("a line of '%s' is longer than %d bytes".formatted(hello, LONGEST_LINE));
            }
            line.write(next);
        }
        return Optional.of(line.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
