package org.fleetgrad.openwhisk;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Whose certificates a client trusts. Immutable. */
public final class ServerTrust {

    private static final ServerTrust JDK = new ServerTrust("the JDK's certificates", null);

    private final String name;
    private final @Nullable SSLContext context;

    private ServerTrust(String name, @Nullable SSLContext context) {
        this.name = name;
        this.context = context;
    }

    /** Trusts those that the JDK trusts. */
    public static ServerTrust jdk() {
        return JDK;
    }

    /** Trusts anybody, as {@code wsk --insecure} does: whoever stands in between reads the key. */
    public static ServerTrust anybody() {
        try {
            return new ServerTrust("any certificate", context(new TrustManager[] {new Anybody()}));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has TLS", impossible);
        }
    }

    /**
     * Trusts the certificates of a PEM file and no others: servers' own, or those of the authorities that signed them.
     *
     * @throws IllegalArgumentException when the file cannot be read or has no certificate; the message names it
     */
    public static ServerTrust pem(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new IllegalArgumentException(
                        "%s has no certificate; write the path of a PEM file with one or more".formatted(file));
            }
            return new ServerTrust("the certificates of " + file, context(anchored(certificates)));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the certificate to trust cannot be read: %s".formatted(unreadable), unreadable);
        } catch (GeneralSecurityException malformed) {
            throw new IllegalArgumentException(
                    "%s is no PEM file of certificates: %s".formatted(file, malformed.getMessage()), malformed);
        }
    }

    private static TrustManager[] anchored(Collection<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
        anchors.load(null, null);
        int number = 0;
        for (Certificate certificate : certificates) {
            anchors.setCertificateEntry("trusted-" + number++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(anchors);
        return factory.getTrustManagers();
    }

    private static SSLContext context(TrustManager[] managers) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers, null);
        return context;
    }

    /** Returns what connections are made with, where it is not the JDK's. */
    Optional<SSLContext> context() {
        return Optional.ofNullable(context);
    }

    @Override
    public String toString() {
        return "ServerTrust[%s]".formatted(name);
    }

    /** The extended kind, so that the JDK does not check the host's name behind its back. */
    private static final class Anybody extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
