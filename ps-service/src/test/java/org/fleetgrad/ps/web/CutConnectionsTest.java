package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.parameters.SnapshotMemory;
import org.fleetgrad.testing.TestCertificate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stalled clients lose their connection and what they hold, those that keep up do not, in plaintext and over TLS. */
@Timeout(120)
class CutConnectionsTest {

    /** 16 MB: more than the sockets of both sides buffer. */
    private static final int VALUES = 4_000_000;

    private static final long BYTES = 4L * VALUES;
    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", VALUES)));
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCutAReaderThatStops(boolean isEncrypted) throws Exception {
        try (Server server = new Server(isEncrypted)) {
            server.put("If-None-Match");
            try (Socket reader = server.say("GET /getParameter HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
                assertThat(reader.getInputStream().read()).isEqualTo('H');
                server.put("If-Match");
                SnapshotMemory versions =
                        server.service.bean(PublishedParameters.class).memory();

                Awaitility.await().atMost(LONGEST).until(() -> versions.usedBytes() < 2 * BYTES);
                // It was released because the reader was disconnected, not because the reader had everything.
                assertThat(readToEnd(reader)).isLessThan(BYTES);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCutASenderThatStops(boolean isEncrypted) throws Exception {
        try (Server server = new Server(isEncrypted)) {
            server.put("If-None-Match");
            byte[] gradient =
                    Tensors.file(LAYOUT, Tensors.metadata("a", 1, server.service.generation(), 0), new float[VALUES]);
            String part = new String(gradient, 0, gradient.length / 4, StandardCharsets.ISO_8859_1);
            try (Socket sender = server.say(
                    "POST /putGradient HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(HeaderNames.SAFETENSORS, gradient.length, part))) {
                CompletableFuture<Boolean> cut = CompletableFuture.supplyAsync(() -> isOver(sender));
                // If this thread gets no CPU time in the meantime, it sees only the end.
                Awaitility.await().atMost(LONGEST).until(() -> server.pendingBytes() == BYTES || cut.isDone());

                assertThat(cut.get(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
                Awaitility.await().atMost(LONGEST).until(() -> server.pendingBytes() == 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetAReaderGoOnThatKeepsUp(boolean isEncrypted) throws Exception {
        ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
        // A reader that gets no CPU time for seconds still keeps up with this rate. One whose progress is not seen does
        // not.
        try (Server server = new Server(isEncrypted, "64KB")) {
            server.put("If-None-Match");
            try (Socket reader =
                    server.say("GET /getParameter HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
                AtomicLong read = new AtomicLong();
                // Twice the grace period: fast enough only if progress within a version is seen.
                ScheduledFuture<?> unused = pace.scheduleAtFixedRate(
                        () -> read.addAndGet(next(reader, 1 << 20)), 0, 250, TimeUnit.MILLISECONDS);

                Awaitility.await().atMost(LONGEST).until(() -> read.get() > BYTES);
            }
        } finally {
            pace.shutdownNow();
        }
    }

    /** Reads what is still in flight, and returns its number of bytes. */
    private static long readToEnd(Socket reader) {
        byte[] part = new byte[1 << 16];
        long all = 0;
        try {
            for (int read = reader.getInputStream().read(part);
                    read >= 0;
                    read = reader.getInputStream().read(part)) {
                all += read;
            }
        } catch (IOException reset) {
            // The peer closed in the middle.
        }
        return all;
    }

    private static int next(Socket reader, int most) {
        try {
            return reader.getInputStream().readNBytes(most).length;
        } catch (IOException cut) {
            return 0;
        }
    }

    /** Tells whether the peer has closed without a response. */
    private static boolean isOver(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    private final class Server implements AutoCloseable {

        private final RunningService service;
        private final SSLContext trust;
        private final boolean isEncrypted;

        Server(boolean isEncrypted) throws IOException, GeneralSecurityException {
            this(isEncrypted, "1MB");
        }

        Server(boolean isEncrypted, String rate) throws IOException, GeneralSecurityException {
            TestCertificate certificate = TestCertificate.create(folder, "dns:localhost,ip:127.0.0.1");
            List<String> settings = new ArrayList<>(List.of(
                    "server.address=127.0.0.1", "ps.slow-client.grace-period=2s", "ps.slow-client.rate=" + rate));
            if (isEncrypted) {
                settings.addAll(certificate.settings());
            }
            this.isEncrypted = isEncrypted;
            this.trust = trusting(certificate.pem());
            this.service = RunningService.start(settings.toArray(String[]::new));
        }

        /** Puts a parameter set, whether or not there is one. */
        void put(String precondition) throws IOException, InterruptedException {
            URI plain = service.uri(Routes.PUT_PARAMETER);
            URI uri = isEncrypted ? URI.create(plain.toString().replace("http:", "https:")) : plain;
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Content-Type", HeaderNames.SAFETENSORS)
                    .header(precondition, "*")
                    .PUT(BodyPublishers.ofByteArray(Tensors.file(LAYOUT, Map.of("network", "fc"), new float[VALUES])))
                    .build();
            HttpClient client = HttpClient.newBuilder().sslContext(trust).build();
            assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
                    .isBetween(200, 201);
        }

        /** Opens a connection with a small buffer and sends the beginning of a request. */
        Socket say(String beginning) throws IOException {
            Socket plain = new Socket();
            plain.setReceiveBufferSize(4096);
            plain.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), service.uri("").getPort()));
            Socket socket = isEncrypted
                    ? trust.getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true)
                    : plain;
            socket.getOutputStream().write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return socket;
        }

        double pendingBytes() {
            return service.bean(MeterRegistry.class)
                    .get("ps.pending.bytes")
                    .gauge()
                    .value();
        }

        @Override
        public void close() {
            service.close();
        }
    }

    private static SSLContext trusting(Path pem) throws IOException, GeneralSecurityException {
        KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
        anchors.load(null, null);
        try (InputStream in = Files.newInputStream(pem)) {
            anchors.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(anchors);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
