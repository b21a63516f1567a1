package org.fleetgrad.pipeline.channel.socket;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The programs of a run that call a port. Each handshake has a thread of its own and a bounded time, so that a client that is silent, or
 * sends a byte now and then, delays nobody. If too many clients are in their handshake, the oldest are ended. For one thread.
 */
public final class Callers implements AutoCloseable {

    /** On a busy machine a program of the run needs seconds. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    /** A handshake that is younger is not ended for another one. */
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(1);

    private static final int MOST_HANDSHAKES = 128;

    /** Interval between two looks at the handshakes, while there are some. */
    private static final int LOOK_MS = 10;

    /** The first refusals are all reported; after them the log must not grow with each client. */
    private static final int REPORTED = 20;

    private final ServerSocket server;
    private final RunToken token;
    private final Consumer<String> onRefused;
    private final LongSupplier nanoTime;
    private final Queue<Caller> known = new ConcurrentLinkedQueue<>();
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();

    /** The handshakes with the times of their beginning, the oldest first. */
    private final Map<Socket, Long> handshakes = new LinkedHashMap<>();

    private long refused;
    private volatile boolean isClosed;

    /**
     * @param onRefused is notified of clients that do not belong to the run, in the thread that waits: of the first ones, then of ever
     *     fewer
     */
    public Callers(ServerSocket server, RunToken token, Consumer<String> onRefused) {
        this(server, token, onRefused, System::nanoTime);
    }

    Callers(ServerSocket server, RunToken token, Consumer<String> onRefused, LongSupplier nanoTime) {
        this.server = server;
        this.token = token;
        this.onRefused = onRefused;
        this.nanoTime = nanoTime;
    }

    /** A client that has proved that it knows the run's token. It waits for the answer. */
    public static final class Caller {

        private final Socket socket;
        private final Handshake handshake;
        private final Handshake.Request request;

        private Caller(Socket socket, Handshake handshake, Handshake.Request request) {
            this.socket = socket;
            this.handshake = handshake;
            this.request = request;
        }

        /** Returns what it wants. */
        public String hello() {
            return request.hello();
        }

        /** Accepts it. */
        Socket accept() throws IOException {
            handshake.accept(socket, request);
            return socket;
        }

        /** Ends its connection. */
        public void refuse() throws IOException {
            socket.close();
        }
    }

    /**
     * Waits for the next caller.
     *
     * @return empty if none came in time
     */
    public Optional<Caller> next(Duration patience) throws IOException {
        long begin = nanoTime.getAsLong();
        while (true) {
            Caller caller = known.poll();
            for (String why = refusals.poll(); why != null; why = refusals.poll()) {
                report(why);
            }
            if (caller != null) {
                return Optional.of(caller);
            }
            long leftMs = TimeUnit.NANOSECONDS.toMillis(patience.toNanos() - (nanoTime.getAsLong() - begin));
            if (leftMs <= 0) {
                return Optional.empty();
            }
            int underWay = endLate();
            if (underWay == MOST_HANDSHAKES) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
            } else {
                accept((int) Math.min(leftMs, underWay == 0 ? Integer.MAX_VALUE : LOOK_MS));
            }
        }
    }

    private void report(String why) {
        refused++;
        if (refused <= REPORTED) {
            onRefused.accept(why);
        } else if (Long.bitCount(refused) == 1) {
            onRefused.accept("%s (%d were refused)".formatted(why, refused));
        }
    }

    private void accept(int timeoutMs) throws IOException {
        server.setSoTimeout(timeoutMs);
        Socket socket;
        try {
            socket = server.accept();
        } catch (SocketTimeoutException nobody) {
            return;
        }
        synchronized (handshakes) {
            handshakes.put(socket, nanoTime.getAsLong());
        }
        Thread thread = new Thread(() -> shakeHands(socket), "handshake");
        thread.setDaemon(true);
        thread.start();
    }

    private void shakeHands(Socket socket) {
        try {
            Handshake handshake = new Handshake(token, LIMIT);
            known.add(new Caller(socket, handshake, handshake.readRequest(socket)));
            if (isClosed) {
                close(socket);
            }
        } catch (IOException | RuntimeException failed) {
            close(socket);
            refusals.add(
                    isUnderWay(socket) ? String.valueOf(failed.getMessage()) : "it did not end its handshake in time");
        } finally {
            synchronized (handshakes) {
                handshakes.remove(socket);
            }
        }
    }

    private boolean isUnderWay(Socket socket) {
        synchronized (handshakes) {
            return handshakes.containsKey(socket);
        }
    }

    /** Ends the handshakes whose time is over, and returns how many are left. */
    private int endLate() {
        synchronized (handshakes) {
            long now = nanoTime.getAsLong();
            Iterator<Map.Entry<Socket, Long>> oldest = handshakes.entrySet().iterator();
            while (oldest.hasNext()) {
                Map.Entry<Socket, Long> next = oldest.next();
                Duration limit = handshakes.size() == MOST_HANDSHAKES ? GRACE_PERIOD : LIMIT;
                if (now - next.getValue() < limit.toNanos()) {
                    break;
                }
                oldest.remove();
                close(next.getKey());
            }
            return handshakes.size();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // It counts as closed anyway.
        }
    }

    /** Ends the handshakes that are under way. The port remains open. */
    @Override
    public void close() {
        isClosed = true;
        synchronized (handshakes) {
            handshakes.keySet().forEach(Callers::close);
        }
        for (Caller unwanted = known.poll(); unwanted != null; unwanted = known.poll()) {
            close(unwanted.socket);
        }
    }
}
