package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.fleetgrad.files.pem.PemTrust;
import org.fleetgrad.openwhisk.OpenWhiskException.Kind;
import org.fleetgrad.testing.TestCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TlsTest {

    @TempDir
    private static Path folder;

    private static HttpsServer server;
    private static TestCertificate certificate;
    private static TestCertificate otherName;

    @BeforeAll
    static void start() throws IOException {
        certificate = TestCertificate.create(folder, "ip:127.0.0.1");
        otherName = TestCertificate.create(Files.createDirectory(folder.resolve("other")), "dns:elsewhere");
        server = serve(certificate);
    }

    private static HttpsServer serve(TestCertificate shown) throws IOException {
        HttpsServer started = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        started.setHttpsConfigurator(new HttpsConfigurator(shown.serverContext()));
        started.createContext("/", exchange -> {
            byte[] body = "{\"invocationsPerMinute\":60,\"concurrentInvocations\":30}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        started.start();
        return started;
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    private static OpenWhiskClient client(String scheme, HttpsServer of, Optional<SSLContext> trust) {
        return new OpenWhiskClient(
                ApiHost.parse(scheme + "127.0.0.1:" + of.getAddress().getPort()), WhiskAuth.parse("u:k"), trust);
    }

    @Test
    void shouldTrustTheCertificateOfThePemFile() throws Exception {
        assertThat(client("", server, Optional.of(PemTrust.context(certificate.pem())))
                        .limits())
                .isEqualTo(new NamespaceLimits(60, 30, true));
    }

    @Test
    void shouldNotTrustByItself() {
        refuses(client("", server, Optional.empty()), "is not trusted");
    }

    @Test
    void shouldNotTrustAnotherCertificate() {
        refuses(client("", server, Optional.of(PemTrust.context(otherName.pem()))), "is not trusted");
    }

    @Test
    void shouldNotTrustATrustedCertificateOfAnotherName() throws IOException {
        HttpsServer strange = serve(otherName);
        try {
            refuses(client("", strange, Optional.of(PemTrust.context(otherName.pem()))), "127.0.0.1");
        } finally {
            strange.stop(0);
        }
    }

    private static void refuses(OpenWhiskClient client, String reason) {
        OpenWhiskException failure = catchThrowableOfType(OpenWhiskException.class, client::limits);

        assertThat(failure.kind()).isEqualTo(Kind.UNTRUSTED);
        assertThat(failure.isTransient()).isFalse();
        assertThat(failure)
                .hasMessageStartingWith("the certificate of https://127.0.0.1:")
                .hasMessageContaining(reason)
                .hasMessageEndingWith("; name the PEM file to trust in OPENWHISK_TRUST");
    }

    @Test
    void shouldSayThatAServerSpeaksNoTls() throws IOException {
        try (RawServer plain = RawServer.answering(400, "", "")) {
            OpenWhiskClient client = new OpenWhiskClient(
                    ApiHost.parse("127.0.0.1:" + plain.uri().getPort()), WhiskAuth.parse("u:k"), Optional.empty());

            OpenWhiskException failure = catchThrowableOfType(OpenWhiskException.class, client::limits);

            assertThat(failure)
                    .hasMessage(
                            "https://127.0.0.1:%d does not speak TLS; write http:// before the address in OPENWHISK_APIHOST",
                            plain.uri().getPort());
            assertThat(failure.kind()).isEqualTo(Kind.UNTRUSTED);
        }
    }

    @Test
    void shouldFailWhereAPlainAddressMeetsTls() {
        OpenWhiskException failure =
                catchThrowableOfType(OpenWhiskException.class, client("http://", server, Optional.empty())::limits);

        assertThat(failure.kind()).isIn(Kind.LOST, Kind.REFUSED);
    }
}
