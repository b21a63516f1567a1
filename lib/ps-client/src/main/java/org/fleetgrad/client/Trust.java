package org.fleetgrad.client;

import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.fleetgrad.files.pem.PemTrust;

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
        return new Trust(PemTrust.context(file));
    }

    /** Returns the context that opens connections. One instance for all of them, or no TLS session is reused. */
    SSLContext context() {
        return context;
    }
}
