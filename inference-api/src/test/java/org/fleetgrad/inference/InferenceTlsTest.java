package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
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

/** The service over TLS, with Spring Boot's own settings. */
@ExtendWith(OutputCaptureExtension.class)
class InferenceTlsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void shouldSpeakTlsByASslBundle(CapturedOutput output) throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "dns:localhost,ip:127.0.0.1");
        List<String> settings = new ArrayList<>(certificate.settings());
        settings.add("server.address=0.0.0.0");
        try (SecuredInference service = SecuredInference.start(settings.toArray(String[]::new))) {
            URI plain = service.uri("");
            URI server = URI.create("https://127.0.0.1:%d".formatted(plain.getPort()));
            HttpClient client =
                    HttpClient.newBuilder().sslContext(trusting(certificate)).build();
            HttpRequest health = HttpRequest.newBuilder(server.resolve("/actuator/health/liveness"))
                    .timeout(PATIENCE)
                    .build();
            HttpResponse<byte[]> token = client.send(
                    HttpRequest.newBuilder(server.resolve(Routes.ISSUE_TOKEN))
                            .timeout(PATIENCE)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{%s}".formatted(SecuredInference.keys(Role.READER))))
                            .build(),
                    BodyHandlers.ofByteArray());
            HttpRequest status = SecuredInference.with(
                            SecuredInference.body(token).get("token").asString(),
                            HttpRequest.newBuilder(server.resolve(Routes.STATUS)))
                    .timeout(PATIENCE)
                    .build();

            assertThat(client.send(health, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
            assertThat(client.send(status, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
            // A client without the trust fails, and so does plain HTTP.
            assertThatThrownBy(() -> HttpClient.newHttpClient().send(status, BodyHandlers.discarding()))
                    .isInstanceOf(SSLHandshakeException.class);
            HttpRequest clear =
                    HttpRequest.newBuilder(plain.resolve(Routes.STATUS)).build();
            assertThatThrownBy(() -> HttpClient.newHttpClient().send(clear, BodyHandlers.discarding()))
                    .isInstanceOf(IOException.class);
        }
        assertThat(output).doesNotContain("in the clear", TestCertificate.PASSWORD);
    }

    private static SSLContext trusting(TestCertificate certificate) throws Exception {
        KeyStore anchors =
                KeyStore.getInstance(certificate.keystore().toFile(), TestCertificate.PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", anchors.getCertificate("server"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
