package org.fleetgrad.inference.grpc;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.List;
import javax.net.ssl.SSLException;
import org.fleetgrad.web.StartRefusedException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerSslBundle;

/** TLS with the settings {@code server.ssl.*}, as the port of REST has it: certificate, clients' certificates, versions and ciphers. */
final class TlsOfServer {

    private TlsOfServer() {}

    static SslContext context(Ssl ssl, SslBundles bundles) {
        SslBundle bundle = WebServerSslBundle.get(ssl, bundles);
        SslContextBuilder builder = SslContextBuilder.forServer(
                        bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory())
                .clientAuth(Ssl.ClientAuth.map(
                        ssl.getClientAuth(), ClientAuth.NONE, ClientAuth.OPTIONAL, ClientAuth.REQUIRE));
        GrpcSslContexts.configure(builder, SslProvider.JDK);
        if (bundle.getOptions().getEnabledProtocols() != null) {
            builder.protocols(bundle.getOptions().getEnabledProtocols());
        }
        if (bundle.getOptions().getCiphers() != null) {
            builder.ciphers(List.of(bundle.getOptions().getCiphers()));
        }
        try {
            return builder.build();
        } catch (SSLException unusable) {
            throw new StartRefusedException(
                    "server.ssl cannot be used for inference.grpc-port: " + unusable.getMessage(), unusable);
        }
    }
}
