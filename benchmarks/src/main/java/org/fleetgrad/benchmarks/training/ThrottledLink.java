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
     * Computes how long bytes must wait so that a rate is not exceeded. An idle bucket fills up to its depth only, so
     * that after a pause at most one burst passes. The caller passes the time. Thread-safe.
     */
    static final class TokenBucket {

        private static final double NANOS_IN_SECOND = 1e9;

        private final double bytesANano;
        private final double depth;
        private double tokens;
        private long filledAt;
        private long bytes;

        /** Makes a full bucket; its depth is the longest burst, in bytes. */
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
         * Takes the tokens of {@code count} bytes and returns the nanoseconds to wait; if there are too few tokens, the
         * bucket goes into debt until then.
         */
        synchronized long take(int count, long nowNanos) {
            bytes += count;
            tokens = Math.min(depth, tokens + (nowNanos - filledAt) * bytesANano) - count;
            filledAt = nowNanos;
            return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / bytesANano);
        }

        /** Returns the bytes of all takes. */
        synchronized long bytes() {
            return bytes;
        }
    }

    private final ServerSocket socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final URI server;
    private final TokenBucket up;
    private final TokenBucket down;

    /** Listens; passes connections on to {@code server}. */
    public ThrottledLink(URI server, double bitsASecond) throws IOException {
        this.server = server;
        up = new TokenBucket(bitsASecond / BITS_IN_BYTE, BURST, System.nanoTime());
        down = new TokenBucket(bitsASecond / BITS_IN_BYTE, BURST, System.nanoTime());
        start(this::accept);
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

    private static void pump(Socket from, Socket to, TokenBucket direction) {
        byte[] chunk = new byte[CHUNK];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                TimeUnit.NANOSECONDS.sleep(direction.take(read, System.nanoTime()));
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
