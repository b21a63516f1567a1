package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.fleetgrad.access.Role;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.testing.TestCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service over TLS, by Spring Boot's own settings. */
@ExtendWith(OutputCaptureExtension.class)
class TlsTest {

    @TempDir
    private Path folder;

    @Test
    void shouldSpeakTlsByASslBundle(CapturedOutput output) throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "dns:localhost,ip:127.0.0.1");
        List<String> settings = new ArrayList<>(certificate.settings());
        settings.add("server.address=0.0.0.0");
        try (SecuredService secured = SecuredService.start(settings.toArray(String[]::new))) {
            URI plain = secured.service().uri("");
            URI server = URI.create("https://127.0.0.1:" + plain.getPort());
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(trusting(certificate.pem()))
                    .build();

            HttpResponse<String> token = client.send(
                    HttpRequest.newBuilder(server.resolve(Routes.ISSUE_TOKEN))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{%s}".formatted(SecuredService.keys(Role.READER))))
                            .build(),
                    BodyHandlers.ofString());
            JsonNode reply = JsonMapper.shared().readTree(token.body());
            HttpRequest status = SecuredService.with(
                            reply.get("token").asString(), HttpRequest.newBuilder(server.resolve(Routes.STATUS)))
                    .build();

            assertThat(client.send(status, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThat(client.send(
                                    HttpRequest.newBuilder(server.resolve("/actuator/health"))
                                            .build(),
                                    BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            // A client that does not trust the certificate fails, and so does one without TLS.
            assertThatThrownBy(() -> HttpClient.newHttpClient().send(status, BodyHandlers.ofString()))
                    .isInstanceOf(SSLHandshakeException.class);
            HttpRequest clear =
                    HttpRequest.newBuilder(plain.resolve(Routes.STATUS)).build();
            assertThatThrownBy(() -> HttpClient.newHttpClient().send(clear, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
        assertThat(output).doesNotContain("in the clear", TestCertificate.PASSWORD);
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
