package org.fleetgrad.pipeline.channel.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The port on which a stage waits for the stage before it, and the last one also for the first one, if they share a tensor.
 * Used by one thread at a time.
 */
public final class BorderListener implements AutoCloseable {

    private static final int BACKLOG = 4;
    /** A silent untrusted client must not block the neighbour. On a busy machine a neighbour needs seconds. */
    private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(10);

    private final ServerSocket server;

    private BorderListener(ServerSocket server) {
        this.server = server;
    }

    /** Listens on a free port of an address: the loopback address, unless the neighbour is on another machine. */
    public static BorderListener open(InetAddress address) throws IOException {
        ServerSocket server = new ServerSocket();
        server.bind(new InetSocketAddress(address, 0), BACKLOG);
        return new BorderListener(server);
    }

    /** Returns the port. */
    public int port() {
        return server.getLocalPort();
    }

    /**
     * Waits for the stage at the other side of a border. Any other client is refused, and the wait continues.
     *
     * @param capacity  frames that may wait in each queue of the link
     * @param limit     for the whole wait
     * @param onRefused is notified of each client that was refused
     * @throws IOException if it does not connect in time; the message names the border
     */
    public SocketLink accept(RunToken token, Border border, int capacity, Duration limit, Consumer<String> onRefused)
            throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                throw late(border, limit);
            }
            server.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            Socket socket;
            try {
                socket = server.accept();
            } catch (SocketTimeoutException over) {
                throw late(border, limit);
            }
            try {
                Handshake handshake = new Handshake(token, LONGEST_HANDSHAKE);
                Handshake.Request request = handshake.readRequest(socket);
                if (!request.hello().equals(border.text())) {
                    throw new IOException("the caller has the border '%s', this stage '%s'"
                            .formatted(request.hello(), border.text()));
                }
                handshake.accept(socket, request);
                return new SocketLink(socket, border, capacity);
            } catch (IOException refused) {
                socket.close();
                onRefused.accept(String.valueOf(refused.getMessage()));
            }
        }
    }

    private static IOException late(Border border, Duration limit) {
        return new IOException(
                "the other stage did not connect within %s: the border is %s".formatted(limit, border.text()));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
