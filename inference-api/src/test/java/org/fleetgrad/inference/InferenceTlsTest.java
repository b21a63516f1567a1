package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.fleetgrad.testing.TestCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service over TLS, with Spring Boot's own settings. */
class InferenceTlsTest {

    @TempDir
    private Path folder;

    @Test
    void shouldSpeakTlsByASslBundle() throws Exception {
        TestCertificate certificate = TestCertificate.create(folder, "dns:localhost,ip:127.0.0.1");
        List<String> settings = new ArrayList<>(certificate.settings());
        settings.add("inference.server=http://127.0.0.1:1");
        try (RunningService service = RunningService.start(settings.toArray(String[]::new))) {
            URI health = URI.create("https://127.0.0.1:%d/actuator/health/liveness"
                    .formatted(service.uri("").getPort()));
            HttpsURLConnection connection = (HttpsURLConnection) health.toURL().openConnection();
            connection.setReadTimeout(Math.toIntExact(Duration.ofSeconds(30).toMillis()));
            connection.setSSLSocketFactory(trusting(certificate).getSocketFactory());

            assertThat(connection.getResponseCode()).isEqualTo(200);
        }
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
