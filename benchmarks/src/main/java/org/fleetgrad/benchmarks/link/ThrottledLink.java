package org.fleetgrad.benchmarks.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/**
 * A link in front of a server with a limited number of bits per second each way, shared by all of its connections. It
 * waits before it passes bytes on, and adds no other delay.
 */
public final class ThrottledLink implements AutoCloseable {

    private static final int BITS_IN_BYTE = 8;
    /** About the buffer of a switch; small compared with a model. */
    private static final int CHUNK = 1 << 13;

    private static final double BURST = 2.0 * CHUNK;

    private final ServerSocket socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final URI server;
    private final Direction up;
    private final Direction down;

    /** Listens; passes connections on to {@code server}. */
    public ThrottledLink(URI server, double bitsASecond) throws IOException {
        this.server = server;
        up = new Direction(bitsASecond / BITS_IN_BYTE);
        down = new Direction(bitsASecond / BITS_IN_BYTE);
        start(this::accept);
    }

    /** One direction of the link. */
    private static final class Direction {

        private final TokenBucket bucket;
        private long bytes;

        Direction(double bytesASecond) {
            bucket = new TokenBucket(bytesASecond, BURST, System.nanoTime());
        }

        /** Waits until {@code count} bytes may pass. */
        void pass(int count) throws InterruptedException {
            long wait;
            synchronized (this) {
                bytes += count;
                wait = bucket.take(count, System.nanoTime());
            }
            TimeUnit.NANOSECONDS.sleep(wait);
        }

        synchronized long bytes() {
            return bytes;
        }
    }

    /** Returns the address at which it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** Returns the number of bytes sent to the server. */
    public long bytesUp() {
        return up.bytes();
    }

    /** Returns the number of bytes received from the server. */
    public long bytesDown() {
        return down.bytes();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Socket upstream = new Socket(server.getHost(), server.getPort());
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                start(() -> pump(client, upstream, up));
                start(() -> pump(upstream, client, down));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "link");
        thread.setDaemon(true);
        thread.start();
    }

    private static void pump(Socket from, Socket to, Direction direction) {
        byte[] chunk = new byte[CHUNK];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                direction.pass(read);
                out.write(chunk, 0, read);
            }
        } catch (IOException gone) {
            // One side closed its connection; closing the other tells it.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
