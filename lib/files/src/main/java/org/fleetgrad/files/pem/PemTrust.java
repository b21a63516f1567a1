package org.fleetgrad.files.pem;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Trust in the certificates of a PEM file, and in no others. */
public final class PemTrust {

    private PemTrust() {}

    /**
     * Reads a PEM file: servers' own certificates, or those of the authorities that signed them. Returns a context for
     * connections that trust them. Use one context for all connections of a client: it caches TLS sessions.
     *
     * @throws IllegalArgumentException when the file cannot be read or has no certificate; the message names the file
     */
    public static SSLContext context(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new IllegalArgumentException(
                        "%s has no certificate; write the path of a PEM file with one or more".formatted(file));
            }
            return context(certificates);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the certificate to trust cannot be read: %s".formatted(unreadable), unreadable);
        } catch (GeneralSecurityException malformed) {
            throw new IllegalArgumentException(
                    "%s is not a PEM file of certificates: %s".formatted(file, malformed.getMessage()), malformed);
        }
    }

    private static SSLContext context(Collection<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
        anchors.load(null, null);
        int number = 0;
        for (Certificate certificate : certificates) {
            anchors.setCertificateEntry("trusted-" + number++, certificate);
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(anchors);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
