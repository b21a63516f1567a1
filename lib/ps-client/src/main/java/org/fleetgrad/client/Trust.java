package org.fleetgrad.client;

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

/** The certificates that a client trusts, and no others. Immutable. */
public final class Trust {

    private final SSLContext context;

    private Trust(SSLContext context) {
        this.context = context;
    }

    /**
     * Trusts the certificates of a PEM file: servers' own, or those of the authorities that signed them.
     *
     * @throws IllegalArgumentException when the file cannot be read or has no certificate; the message names it
     */
    public static Trust pem(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new IllegalArgumentException(
                        "%s has no certificate; write the path of a PEM file with one or more".formatted(file));
            }
            return new Trust(context(certificates));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "the certificate to trust cannot be read: %s".formatted(unreadable), unreadable);
        } catch (GeneralSecurityException malformed) {
            throw new IllegalArgumentException(
                    "%s is no PEM file of certificates: %s".formatted(file, malformed.getMessage()), malformed);
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

    /** Returns what connections are opened with; one instance for all, or no session would be used again. */
    SSLContext context() {
        return context;
    }
}
