package org.fleetgrad.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.VersionReply;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.TensorLayout;

/** Requests a second over 8 connections, beside loopback TCP with the same bytes both ways. */
final class RequestRates {

    private static final int CONNECTIONS = 8;
    private static final long WARM_UP_MS = 2_000;
    private static final long ROUND_MS = 2_000;

    private final Programs programs;

    RequestRates(Programs programs) {
        this.programs = programs;
    }

    /** What one connection sends, again and again. */
    @FunctionalInterface
    private interface Load {
        void send(LoadConnection connection) throws IOException;
    }

    List<Figure> getParameter() throws Exception {
        byte[] request = LoadConnection.get(Routes.GET_PARAMETER);
        int body = (int) Networks.named("lenet5").spec().layout().byteLength() + 1024;
        Programs.Server server = programs.startServerWithParameters();
        return compare(
                "getParameter/s, 247 KB, 8 connections",
                server,
                request.length,
                body,
                i -> connection -> connection.exchange(request));
    }

    List<Figure> getVersion() throws Exception {
        byte[] request = LoadConnection.get(Routes.GET_VERSION);
        Programs.Server server = programs.startServerWithParameters();
        return compare(
                "getVersion/s, 8 connections",
                server,
                request.length,
                90,
                i -> connection -> connection.exchange(request));
    }

    List<Figure> putGradient() throws Exception {
        Programs.Server server = programs.startServerWithParameters();
        TensorLayout layout = Networks.named("lenet5").spec().layout();
        List<Pusher> pushers = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            pushers.add(new Pusher(server, layout));
        }
        int bytes = pushers.get(0).requestBytes();
        return compare("putGradient/s applied, 247 KB, 8 connections", server, bytes, 90, i -> pushers.get(i)::push);
    }

    /** Gives each connection its load. */
    @FunctionalInterface
    private interface Loads {
        Load of(int connection);
    }

    private List<Figure> compare(String what, Programs.Server server, int requestBytes, int bodyBytes, Loads loads)
            throws Exception {
        try (LoopbackAnswer loopback = new LoopbackAnswer(requestBytes, bodyBytes)) {
            byte[] raw = new byte[requestBytes];
            rate(server.address(), loads, WARM_UP_MS);
            double[] ours = new double[Benchmarks.ROUNDS];
            double[] limit = new double[Benchmarks.ROUNDS];
            for (int round = 0; round < Benchmarks.ROUNDS; round++) {
                ours[round] = rate(server.address(), loads, ROUND_MS);
                limit[round] = rate(loopback.address(), i -> connection -> connection.exchange(raw), ROUND_MS);
            }
            return List.of(new Figure(
                    what,
                    Figure.median(ours),
                    Figure.median(limit),
                    "loopback TCP, the same bytes, a thread a connection"));
        } finally {
            Programs.end(server.process());
        }
    }

    private static double rate(URI address, Loads loads, long forMs) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<Long>> counts = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < CONNECTIONS; i++) {
            Load load = loads.of(i);
            counts.add(threads.submit(() -> {
                long count = 0;
                try (LoadConnection connection = new LoadConnection(address)) {
                    while (!stop.get()) {
                        load.send(connection);
                        count++;
                    }
                }
                return count;
            }));
        }
        Thread.sleep(forMs);
        stop.set(true);
        long total = 0;
        for (Future<Long> count : counts) {
            total += count.get();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        threads.shutdown();
        return (double) total / seconds;
    }

    /** One registered worker that pushes the same small gradient with a new sequence number each time. */
    private static final class Pusher {

        private final TensorLayout layout;
        private final String worker;
        private final ParameterVersion base;
        private final byte[] data;
        private long sequence;

        Pusher(Programs.Server server, TensorLayout layout) throws IOException {
            this.layout = layout;
            RegisterWorkerReply reply = server.client().register(new RegisterWorkerRequest(null, "load", null, "cpu"));
            VersionReply version = server.client().version();
            this.worker = reply.id();
            this.base = new ParameterVersion(version.generation(), version.version());
            ByteBuffer bytes = ByteBuffer.allocate((int) layout.byteLength()).order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) {
                bytes.putFloat(1e-6f);
            }
            this.data = bytes.array();
        }

        int requestBytes() {
            return head(header()).length + header().length + data.length;
        }

        void push(LoadConnection connection) throws IOException {
            sequence++;
            byte[] header = header();
            connection.exchange(head(header), header, data);
        }

        private byte[] header() {
            return SafetensorsHeader.encode(
                    layout,
                    new GradientMetadata(worker, Math.max(1, sequence), base.generation(), base.version(), 32, 1.0)
                            .toMap(),
                    0);
        }

        private byte[] head(byte[] header) {
            return ("POST " + Routes.PUT_GRADIENT + " HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Type: application/vnd.safetensors\r\nContent-Length: "
                            + (header.length + data.length) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }
}
