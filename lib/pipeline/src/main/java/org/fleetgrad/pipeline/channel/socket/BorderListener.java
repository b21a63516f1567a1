package org.fleetgrad.pipeline.channel.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.function.Consumer;
import org.fleetgrad.files.text.Printable;

/**
 * The port on which a stage waits for the stage before it, and the last one also for the first one, if they share a tensor.
 * Used by one thread at a time.
 */
public final class BorderListener implements AutoCloseable {

    /** A stage accepts only once the stage after it has accepted it: until then, untrusted clients must not fill the backlog. */
    private static final int BACKLOG = 1024;

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
        try (Callers callers = new Callers(server, token, onRefused)) {
            while (true) {
                Callers.Caller caller =
                        callers.next(Duration.ofNanos(end - System.nanoTime())).orElseThrow(() -> late(border, limit));
                try {
                    if (!caller.hello().equals(border.text())) {
                        throw new IOException("the caller has the border '%s', this stage '%s'"
                                .formatted(Printable.text(caller.hello()), border.text()));
                    }
                    return new SocketLink(caller.accept(), border, capacity);
                } catch (IOException refused) {
                    caller.refuse();
                    onRefused.accept(String.valueOf(refused.getMessage()));
                }
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
