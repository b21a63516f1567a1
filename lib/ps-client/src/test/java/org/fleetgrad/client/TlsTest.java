package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.files.pem.PemTrust;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.TestCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    private static final VersionReply VERSION = new VersionReply(200, 7, null, null, null, null, "g", true);
    private static final ClientOptions LONG_RETRY = ClientOptions.DEFAULT.withRetryFor(Duration.ofMinutes(10));

    @TempDir
    private static Path folder;

    private static TestCertificate certificate;
    private static TestCertificate other;

    private ScriptedServer server;

    @BeforeAll
    static void makeCertificates() throws IOException {
        certificate = TestCertificate.create(folder, "dns:localhost,ip:127.0.0.1");
        other = TestCertificate.create(Files.createDirectory(folder.resolve("other")), "dns:elsewhere");
    }

    @BeforeEach
    void start() throws IOException {
        server = ScriptedServer.secure(certificate.serverContext());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldTrustTheCertificateOfThePemFileOverOneConnection() throws IOException {
        server.then(Reply.json(200, VERSION)).then(Reply.json(200, VERSION));
        PsClient client = client(certificate);

        assertThat(client.version()).isEqualTo(VERSION);
        assertThat(client.version()).isEqualTo(VERSION);

        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void shouldTrustEveryCertificateOfThePemFile() throws IOException {
        Path both = Files.writeString(
                folder.resolve("both.pem"), Files.readString(other.pem()) + Files.readString(certificate.pem()));
        server.then(Reply.json(200, VERSION));

        assertThat(new PsClient(
                                server.uri(),
                                LONG_RETRY.withSecurity(Optional.of(PemTrust.context(both)), Optional.empty()))
                        .version())
                .isEqualTo(VERSION);
    }

    @Test
    void shouldFailAtOnceWhereNothingSaysToTrustTheServer() {
        assertThatThrownBy(() -> new PsClient(server.uri(), LONG_RETRY).version())
                .isInstanceOf(SSLPeerUnverifiedException.class)
                .hasMessageStartingWith("the certificate of %s is not trusted: ", server.uri())
                .hasMessageEndingWith("; name the PEM file to trust (FLEETGRAD_TRUST, inference.trust)");
    }

    @Test
    void shouldFailAtOnceWhereAnotherCertificateIsTrusted() {
        assertThatThrownBy(() -> client(other).version())
                .isInstanceOf(SSLPeerUnverifiedException.class)
                .hasMessageStartingWith("the certificate of %s is not trusted: ", server.uri());
    }

    @Test
    void shouldFailAtOnceWhereTheCertificateIsOfAnotherName() throws IOException {
        try (ScriptedServer elsewhere = ScriptedServer.secure(other.serverContext())) {
            assertThatThrownBy(() -> new PsClient(
                                    elsewhere.uri(),
                                    LONG_RETRY.withSecurity(
                                            Optional.of(PemTrust.context(other.pem())), Optional.empty()))
                            .version())
                    .isInstanceOf(SSLPeerUnverifiedException.class)
                    .hasMessageContaining("127.0.0.1");
        }
    }

    @Test
    void shouldFailAtOnceWhereTheServerSpeaksNoTls() throws IOException {
        // As Jetty does, it answers a greeting that it does not understand at once.
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answerInTheClear(plain));
            answering.start();
            URI https = URI.create("https://127.0.0.1:" + plain.getLocalPort());

            assertThatThrownBy(() -> new PsClient(
                                    https,
                                    LONG_RETRY.withSecurity(
                                            Optional.of(PemTrust.context(certificate.pem())), Optional.empty()))
                            .version())
                    .isInstanceOf(SSLPeerUnverifiedException.class)
                    .hasMessage("%s does not speak TLS; write http://", https);
        }
    }

    private static void answerInTheClear(ServerSocket plain) {
        try (Socket socket = plain.accept()) {
            socket.getInputStream().read();
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            // Read to the end: closing on unread bytes would reset what was just sent.
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** As over HTTP: the JDK drops the body of the 401 and the connection, and the complete push is sent again. */
    @Test
    void shouldPushOnceMoreWithANewToken() throws IOException {
        server.then(Reply.json(200, new IssueTokenReply(200, "t1", "worker", 900_000)))
                .then(Reply.unauthenticated("the token expired"))
                .then(Reply.json(200, new IssueTokenReply(200, "t2", "worker", 900_000)))
                .then(Reply.json(200, new PushReply(200, "applied", 8, 0, false, null)));
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("w", 50_000)));

        PushResult result = client(certificate)
                .withCredentials(new Credentials("a", "b"))
                .push(new GradientMetadata("w", 4, "g", 7, 1, 0), layout, new float[50_000], false);

        assertThat(result).isEqualTo(new PushResult.Applied(8, 0, false, false, Optional.empty()));
        assertThat(server.received().get(3).body())
                .isEqualTo(server.received().get(1).body());
        assertThat(server.received().get(3).header("Authorization")).isEqualTo("Bearer t2");
    }

    private PsClient client(TestCertificate trusted) {
        return new PsClient(
                server.uri(), LONG_RETRY.withSecurity(Optional.of(PemTrust.context(trusted.pem())), Optional.empty()));
    }
}
