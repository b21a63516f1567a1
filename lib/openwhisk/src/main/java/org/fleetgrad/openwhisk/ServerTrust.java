package org.fleetgrad.openwhisk;

import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.fleetgrad.files.pem.PemTrust;
import org.jspecify.annotations.Nullable;

/** The certificates that a client trusts. Immutable. */
public final class ServerTrust {

    private static final ServerTrust JDK = new ServerTrust("the JDK's certificates", null);

    private final String name;
    private final @Nullable SSLContext context;

    private ServerTrust(String name, @Nullable SSLContext context) {
        this.name = name;
        this.context = context;
    }

    /** Trusts the certificates that the JDK trusts. */
    public static ServerTrust jdk() {
        return JDK;
    }

    /** Trusts any certificate, as {@code wsk --insecure} does: a man in the middle can read the key. */
    public static ServerTrust anybody() {
        try {
            return new ServerTrust("any certificate", context(new Anybody()));
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
        return new ServerTrust("the certificates of " + file, PemTrust.context(file));
    }

    private static SSLContext context(TrustManager manager) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {manager}, null);
        return context;
    }

    /** Returns the context that opens connections; empty if it is the JDK's default. */
    Optional<SSLContext> context() {
        return Optional.ofNullable(context);
    }

    @Override
    public String toString() {
        return "ServerTrust[%s]".formatted(name);
    }

    /** The extended class: with the plain interface the JDK would still check the host's name. */
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
