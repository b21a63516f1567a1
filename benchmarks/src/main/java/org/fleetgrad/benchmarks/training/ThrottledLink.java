package org.fleetgrad.benchmarks.training;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.benchmarks.process.Programs;

/**
 * A link in front of a server with a limited number of bits per second each way, shared by all of its connections. It
 * waits before it passes bytes on, and adds no other delay.
 */
public final class ThrottledLink implements AutoCloseable {

    private static final int BITS_IN_BYTE = 8;
    /** About the buffer of a switch; small compared with a model. */
    private static final int CHUNK = 1 << 13;

    private static final double BURST = 2.0 * CHUNK;

    /**
     * Computes how long bytes must wait so that a rate is not exceeded. An idle bucket fills up to its depth only, so that
     * after a pause at most one burst passes. The caller passes the time. Not thread-safe.
     */
    static final class TokenBucket {

        private static final double NANOS_IN_SECOND = 1e9;

        private final double bytesANano;
        private final double depth;
        private double tokens;
        private long filledAt;

        /**
         * Makes a full bucket.
         *
         * @param bytesASecond the rate
         * @param depth        the longest burst, in bytes
         */
        TokenBucket(double bytesASecond, double depth, long nowNanos) {
            if (!(bytesASecond > 0) || !(depth > 0)) {
                throw new IllegalArgumentException("rate and depth must be above 0; they are %s bytes/s and %s bytes"
                        .formatted(bytesASecond, depth));
            }
            this.bytesANano = bytesASecond / NANOS_IN_SECOND;
            this.depth = depth;
            this.tokens = depth;
            this.filledAt = nowNanos;
        }

        /**
         * Takes the tokens of {@code bytes} bytes and returns the nanoseconds to wait; if there are too few tokens, the
         * bucket goes into debt until then.
         */
        long take(int bytes, long nowNanos) {
            tokens = Math.min(depth, tokens + (nowNanos - filledAt) * bytesANano) - bytes;
            filledAt = nowNanos;
            return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / bytesANano);
        }
    }

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

    public URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    long bytesUp() {
        return up.bytes();
    }

    long bytesDown() {
        return down.bytes();
    }

    /** The samples per second of a training behind links, and the bytes that went through all of them, both ways. */
    public record Training(double samplesPerSecond, long bytes) {}

    /** Runs the tasks, each behind a link of its own, with these additional parameters. */
    public static Training train(
            Programs.Server server, List<RunRequest> tasks, double bitsASecond, Map<String, Object> parameters)
            throws Exception {
        List<ThrottledLink> links = new ArrayList<>();
        try {
            List<RunRequest> requests = new ArrayList<>();
            for (RunRequest task : tasks) {
                ThrottledLink link = new ThrottledLink(server.address(), bitsASecond);
                links.add(link);
                requests.add(task.through(link.address()).with(parameters));
            }
            double samplesPerSecond = WarmFleet.train(server.client(), requests);
            return new Training(
                    samplesPerSecond,
                    links.stream()
                            .mapToLong(link -> link.bytesUp() + link.bytesDown())
                            .sum());
        } finally {
            for (ThrottledLink link : links) {
                link.close();
            }
        }
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
