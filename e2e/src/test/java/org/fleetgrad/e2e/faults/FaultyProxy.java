package org.fleetgrad.e2e.faults;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A network between workers and server that loses, cuts, repeats, delays and reorders requests and answers. */
final class FaultyProxy implements AutoCloseable {

    /** Longest silence of an upstream connection: longer than any long poll and than a stopped server. */
    private static final int SILENCE_MS = 30_000;

    private static final int LONGEST_DELAY_MS = 120;

    /** The faults of a request. */
    enum Fault {
        NONE,
        /** The server processes the request, but its answer is lost. */
        REPLY_LOST,
        /** The client gets the first half of the answer. */
        REPLY_CUT,
        /** The server gets the first half of the request. */
        REQUEST_CUT,
        /** Two copies race; the client gets the answer of either. */
        TWICE_TOGETHER,
        /** Two copies come one after the other; the client gets the answer of either. */
        TWICE_IN_TURN,
        /** A copy arrives long after its worker has moved on. */
        LATE_COPY,
        /** Other requests overtake it. */
        DELAYED
    }

    private final int serverPort;
    private final ServerSocket socket;
    private final double rate;
    private final Random random;
    private final AtomicInteger underWay = new AtomicInteger();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "proxy");
        thread.setDaemon(true);
        return thread;
    });

    /** @param rate share of the pushes with a fault */
    FaultyProxy(int serverPort, double rate, long seed) throws IOException {
        this.serverPort = serverPort;
        this.rate = rate;
        this.random = new Random(seed);
        this.socket = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    /** Returns whether no request is on its way, late copies included. */
    boolean isIdle() {
        return underWay.get() == 0;
    }

    /** Returns the number of requests with each fault. */
    synchronized Map<Fault, Integer> counts() {
        return new EnumMap<>(counts);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                threads.execute(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Upstream upstream = new Upstream()) {
            client.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(client.getInputStream());
            boolean isOpen = true;
            while (isOpen) {
                Optional<HttpMessage> request = HttpMessage.read(in);
                if (request.isEmpty()) {
                    return;
                }
                underWay.incrementAndGet();
                try {
                    isOpen = pass(request.get(), client, upstream);
                } finally {
                    underWay.decrementAndGet();
                }
            }
        } catch (IOException | UncheckedIOException | CompletionException broken) {
            // One side closed its connection; closing the other tells it.
        }
    }

    private Fault draw(HttpMessage request) {
        synchronized (this) {
            Fault fault = Fault.NONE;
            if (random.nextDouble() < (request.isPush() ? rate : rate / 4)) {
                Fault[] all = Fault.values();
                fault = request.isPush()
                        ? all[1 + random.nextInt(all.length - 1)]
                        : random.nextBoolean() ? Fault.REPLY_LOST : Fault.DELAYED;
            }
            counts.merge(fault, 1, Integer::sum);
            return fault;
        }
    }

    private synchronized long delayNanos() {
        return TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_DELAY_MS));
    }

    private synchronized boolean coin() {
        return random.nextBoolean();
    }

    /** Passes a request on, with its fault; returns whether the connection stays open. */
    private boolean pass(HttpMessage request, Socket client, Upstream upstream) throws IOException {
        switch (draw(request)) {
            case REPLY_LOST -> {
                HttpMessage unused = upstream.exchange(request);
                return false;
            }
            case REPLY_CUT -> {
                byte[] reply = upstream.exchange(request).bytes();
                client.getOutputStream().write(reply, 0, reply.length / 2);
                return false;
            }
            case REQUEST_CUT -> {
                upstream.sendHalf(request);
                return false;
            }
            case TWICE_TOGETHER -> {
                CompletableFuture<HttpMessage> copy = CompletableFuture.supplyAsync(() -> repeat(request), threads);
                HttpMessage reply = upstream.exchange(request);
                HttpMessage other = copy.join();
                return answer(client, coin() ? reply : other);
            }
            case TWICE_IN_TURN -> {
                HttpMessage reply = upstream.exchange(request);
                HttpMessage other = repeat(request);
                return answer(client, coin() ? reply : other);
            }
            case LATE_COPY -> {
                underWay.incrementAndGet();
                threads.execute(() -> {
                    try {
                        LockSupport.parkNanos(delayNanos());
                        HttpMessage unused = repeat(request);
                    } catch (RuntimeException away) {
                        // A copy may be lost too.
                    } finally {
                        underWay.decrementAndGet();
                    }
                });
                return answer(client, upstream.exchange(request));
            }
            case DELAYED -> {
                LockSupport.parkNanos(delayNanos());
                return answer(client, upstream.exchange(request));
            }
            default -> {
                return answer(client, upstream.exchange(request));
            }
        }
    }

    private static boolean answer(Socket client, HttpMessage reply) throws IOException {
        client.getOutputStream().write(reply.bytes());
        return !reply.isLast();
    }

    private HttpMessage repeat(HttpMessage request) {
        try (Upstream own = new Upstream()) {
            return own.exchange(request);
        } catch (IOException away) {
            throw new UncheckedIOException(away);
        }
    }

    /** The connection to the server for one client's connection. */
    private final class Upstream implements AutoCloseable {

        private Optional<Socket> open = Optional.empty();
        private InputStream in = InputStream.nullInputStream();

        HttpMessage exchange(HttpMessage request) throws IOException {
            connected().getOutputStream().write(request.bytes());
            HttpMessage reply = HttpMessage.read(in)
                    .orElseThrow(() -> new IOException("the server ended the connection without an answer"));
            if (reply.isLast()) {
                close();
            }
            return reply;
        }

        void sendHalf(HttpMessage request) throws IOException {
            connected().getOutputStream().write(request.bytes(), 0, request.bytes().length / 2);
            close();
        }

        private Socket connected() throws IOException {
            if (open.isEmpty()) {
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                open = Optional.of(server);
                server.setTcpNoDelay(true);
                server.setSoTimeout(SILENCE_MS);
                in = new BufferedInputStream(server.getInputStream());
            }
            return open.get();
        }

        @Override
        public void close() throws IOException {
            if (open.isPresent()) {
                open.get().close();
                open = Optional.empty();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
