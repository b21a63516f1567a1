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
 * A link of so many bits a second each way, all of its connections together, in front of a server. It is as slow as it is
 * to be by waiting before it passes bytes on; it has no delay of its own.
 */
final class ThrottledLink implements AutoCloseable {

    private static final int BITS_IN_BYTE = 8;
    /** As much as a switch would keep; what is asked for at once stays small beside a model. */
    private static final int CHUNK = 1 << 13;

    private static final double BURST = 2.0 * CHUNK;

    private final ServerSocket socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final URI server;
    private final Direction up;
    private final Direction down;

    /** Listens; connections are passed on to {@code server}. */
    ThrottledLink(URI server, double bitsASecond) throws IOException {
        this.server = server;
        up = new Direction(bitsASecond / BITS_IN_BYTE);
        down = new Direction(bitsASecond / BITS_IN_BYTE);
        start(this::accept);
    }

    /** One way of the link. */
    private static final class Direction {

        private final TokenBucket bucket;
        private long bytes;

        Direction(double bytesASecond) {
            bucket = new TokenBucket(bytesASecond, BURST, System.nanoTime());
        }

        /** Waits until as many bytes may pass. */
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

    /** Returns where it listens. */
    URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** Returns how many bytes went to the server. */
    long bytesUp() {
        return up.bytes();
    }

    /** Returns how many bytes came from the server. */
    long bytesDown() {
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
            // Either side went away; closing the other says so.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
