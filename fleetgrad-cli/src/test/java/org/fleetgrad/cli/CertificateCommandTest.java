package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.files.pem.PemTrust;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("whole")
class CertificateCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldMakeAKeystoreACertificateAndTheSettingsThatUseThem() throws Exception {
        Path tls = folder.resolve("a/tls");

        assertThat(run(
                        "--out",
                        tls.toString(),
                        "--host",
                        "ps.example.org",
                        "--host",
                        "192.0.2.7",
                        "--host",
                        "::1",
                        "--days",
                        "9"))
                .as(err.toString())
                .isZero();

        X509Certificate certificate = read(tls.resolve("fleetgrad.pem"));
        assertThat(certificate.getSubjectAlternativeNames().stream().map(name -> String.valueOf(name.get(1))))
                .containsExactlyInAnyOrder("localhost", "127.0.0.1", "ps.example.org", "192.0.2.7", "0:0:0:0:0:0:0:1");
        certificate.verify(certificate.getPublicKey());
        Duration validity = Duration.between(Instant.now(), expiry(certificate));
        assertThat(validity).isBetween(Duration.ofDays(8), Duration.ofDays(9));
        Map<String, String> settings = settings(tls);
        assertThat(settings)
                .containsEntry("SERVER_SSL_BUNDLE", "fleetgrad")
                .containsEntry(
                        "SPRING_SSL_BUNDLE_JKS_FLEETGRAD_KEYSTORE_LOCATION", "file:" + tls.resolve("fleetgrad.p12"))
                .containsEntry("SPRING_SSL_BUNDLE_JKS_FLEETGRAD_KEYSTORE_TYPE", "PKCS12");
        KeyStore keystore = KeyStore.getInstance(
                tls.resolve("fleetgrad.p12").toFile(), password(settings).toCharArray());
        assertThat(keystore.isKeyEntry("fleetgrad")).isTrue();
        assertThat(keystore.getCertificate("fleetgrad")).isEqualTo(certificate);
        assertThat(PemTrust.context(tls.resolve("fleetgrad.pem"))).isNotNull();
        settings.forEach((name, value) -> assertThat(out.toString()).contains(name + "=" + value));
        assertThat(out.toString()).contains("FLEETGRAD_TRUST='%s'".formatted(tls.resolve("fleetgrad.pem")));
        try (Stream<Path> files = Files.list(tls)) {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void shouldKeepTheKeyToItsOwner() throws IOException {
        run("--out", folder.toString());

        for (String secret : List.of("fleetgrad.p12", "server.env")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(secret))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void shouldReplaceAnEarlierOneOnlyWhenToldTo() throws IOException {
        run("--out", folder.toString());
        byte[] first = Files.readAllBytes(folder.resolve("fleetgrad.pem"));

        assertThat(run("--out", folder.toString())).isEqualTo(3);
        assertThat(err.toString()).contains("exists; pass --force to replace it, or another --out");
        assertThat(Files.readAllBytes(folder.resolve("fleetgrad.pem"))).isEqualTo(first);

        assertThat(run("--out", folder.toString(), "--force")).isZero();
        assertThat(Files.readAllBytes(folder.resolve("fleetgrad.pem"))).isNotEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://ps",
                "ps:29500",
                "",
                "a b",
                "-a",
                "a,dns:evil",
                "ps_1",
                "a..b",
                ".a",
                "*",
                "ä.org",
                "a/b",
                "1.2.3.4,ip:5.6.7.8"
            })
    void shouldRefuseWhatIsNoName(String host) {
        assertThat(run("--out", folder.resolve("x").toString(), "--host=" + host))
                .isEqualTo(3);
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "fleetgrad: --host must be a name or an address alone, such as ps.example.org or 192.0.2.7; it is '%s'"
                                .formatted(host));
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "3651"})
    void shouldRefuseAnotherTime(String days) {
        assertThat(run("--out", folder.toString(), "--days", days)).isEqualTo(3);
        assertThat(err.toString()).contains("--days must be from 1 to 3650; it is " + days);
    }

    @Test
    void shouldQuoteAPathThatAShellWouldSplit() throws IOException {
        Path odd = folder.resolve("it's a folder");
        run("--out", odd.toString());

        assertThat(Files.readString(odd.resolve("server.env")))
                .contains("_LOCATION='file:%s/it'\\''s a folder/fleetgrad.p12'".formatted(folder));
    }

    private static Map<String, String> settings(Path tls) throws IOException {
        return Files.readAllLines(tls.resolve("server.env")).stream()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }

    private static String password(Map<String, String> settings) {
        return settings.entrySet().stream()
                .filter(setting -> setting.getKey().endsWith("_PASSWORD"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private static Instant expiry(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    private static X509Certificate read(Path pem) throws Exception {
        try (InputStream in = Files.newInputStream(pem)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private int run(String... arguments) {
        CommandLine commandLine = Fleetgrad.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        String[] all =
                Stream.concat(Stream.of("certificate"), Stream.of(arguments)).toArray(String[]::new);
        return commandLine.execute(all);
    }
}
