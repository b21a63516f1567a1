package org.fleetgrad.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A server's certificate for a test, made by the JDK's keytool.
 *
 * @param keystore PKCS12, with {@link #PASSWORD}
 * @param pem      the certificate to trust
 */
public record TestCertificate(Path keystore, Path pem) {

    public static final String PASSWORD = "of-a-test";

    /** Makes a certificate in {@code folder} for these names, such as {@code dns:localhost,ip:127.0.0.1}. */
    public static TestCertificate create(Path folder, String names) {
        Path keystore = folder.resolve("server.p12");
        Path pem = folder.resolve("server.pem");
        keytool(
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "SAN=" + names,
                "-storetype",
                "PKCS12",
                "-keystore",
                keystore.toString(),
                "-storepass",
                PASSWORD);
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "server",
                "-file",
                pem.toString(),
                "-keystore",
                keystore.toString(),
                "-storepass",
                PASSWORD);
        return new TestCertificate(keystore, pem);
    }

    /** Returns the context with which a server of the JDK presents this certificate. */
    public SSLContext serverContext() {
        try (InputStream in = Files.newInputStream(keystore)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException unusable) {
            throw new IllegalStateException("the certificate of the test is unusable", unusable);
        }
    }

    /** Returns Spring Boot's settings with which a service presents this certificate. */
    public List<String> settings() {
        return List.of(
                "server.ssl.bundle=test",
                "spring.ssl.bundle.jks.test.keystore.location=file:" + keystore,
                "spring.ssl.bundle.jks.test.keystore.password=" + PASSWORD,
                "spring.ssl.bundle.jks.test.keystore.type=PKCS12");
    }

    private static void keytool(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool failed: " + output);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("keytool did not start", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
