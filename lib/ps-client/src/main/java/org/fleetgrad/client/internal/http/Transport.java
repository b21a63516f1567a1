package org.fleetgrad.client.internal.http;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.fleetgrad.files.transfer.StalledTransferMonitor;

/** Sends one request to the server, and returns the complete response. Implementations are thread-safe. */
public interface Transport {

    /**
     * Limits of an exchange.
     *
     * @param connectTimeout   longest wait for a connection
     * @param readTimeout      longest silence of the server, beyond that of the request
     * @param maxResponseBytes largest response that is read into memory
     * @param trust            the certificates to trust over https; the JDK's if absent. One instance for all
     *     connections, or no TLS session is reused
     */
    record Settings(Duration connectTimeout, Duration readTimeout, long maxResponseBytes, Optional<SSLContext> trust) {

        /** Returns how long the server may be silent within this exchange. */
        Duration silence(Request request) {
            return readTimeout.plus(request.silence());
        }

        /**
         * Returns the time before a slow exchange is ended: a connection, a body and a response may each begin late.
         */
        Duration gracePeriod(Request request) {
            return silence(request).plus(readTimeout).plus(connectTimeout);
        }
    }

    /**
     * A request.
     *
     * @param headers beyond Content-Length, which follows from the body
     * @param body    array-backed parts sent one after the other; empty for none
     * @param silence time for which the server may be silent, as in a long poll
     */
    record Request(String method, URI uri, Map<String, String> headers, List<ByteBuffer> body, Duration silence) {

        /**
         * Encodes the head of an HTTP/1.1 request (RFC 9112): the request line and the headers.
         *
         * @param host value of the header Host
         * @throws IllegalArgumentException when a header holds a character that would end it
         */
        byte[] head(String host) {
            StringBuilder head = new StringBuilder(256)
                    .append(method)
                    .append(' ')
                    .append(uri.getRawPath().isEmpty() ? "/" : uri.getRawPath());
            if (uri.getRawQuery() != null) {
                head.append('?').append(uri.getRawQuery());
            }
            head.append(" HTTP/1.1\r\nHost: ").append(host).append("\r\nUser-Agent: fleetgrad\r\n");
            headers.forEach((name, value) -> append(head, name, value));
            if (!body.isEmpty() || !method.equals("GET")) {
                long length = 0;
                for (ByteBuffer part : body) {
                    length += part.remaining();
                }
                append(head, "Content-Length", Long.toString(length));
            }
            return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        }

        private static void append(StringBuilder head, String name, String value) {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c < ' ' || c == 0x7f || c > 0xff) {
                    throw new IllegalArgumentException(
                            "the header %s cannot hold the character %d at place %d".formatted(name, (int) c, i));
                }
            }
            head.append(name).append(": ").append(value).append("\r\n");
        }
    }

    /**
     * A response of any status.
     *
     * @param headers by name, in a map that ignores case
     */
    record Response(int status, Map<String, String> headers, ByteBuffer body) {

        /** Returns whether the server did nothing, and may do it later: 408, 429 or 503. */
        public boolean isTransient() {
            return status == 408 || status == 429 || status == 503;
        }

        /** Returns a header's value. */
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /** A response is larger than the client accepts. A retry would not help. */
    final class OversizedResponseException extends IOException {

        private static final long serialVersionUID = 1L;

        OversizedResponseException(String message) {
            super(message);
        }
    }

    /**
     * Sends a request and returns its response. After an {@link IOException} the server may or may not have acted on
     * it.
     *
     * @throws OversizedResponseException when the response is larger than the limit; a retry would not help
     * @throws javax.net.ssl.SSLPeerUnverifiedException when the server's certificate is not trusted, or it has none; a
     *     retry would not help
     */
    Response exchange(Request request) throws IOException;

    /** Closes the connections that no exchange uses; the next exchange opens one. May be called at any time, by any thread. */
    default void closeIdle() {}

    /**
     * Returns our own channel for plain HTTP and Unix domain sockets, and a client library's transport for TLS and
     * proxies.
     */
    static Transport of(URI address, Settings settings) {
        boolean isUnix = "unix".equals(address.getScheme());
        return isUnix || ("http".equals(address.getScheme()) && isDirect(address))
                ? new ChannelTransport(address, settings, StalledTransferMonitor.shared())
                : overLibrary(settings);
    }

    /** Returns a client library's transport, which reaches any http and https address, also through proxies. */
    static Transport overLibrary(Settings settings) {
        return new BlockingTransport(settings, StalledTransferMonitor.shared());
    }

    private static boolean isDirect(URI address) {
        ProxySelector proxies = ProxySelector.getDefault();
        return proxies == null || proxies.select(address).stream().allMatch(proxy -> proxy.type() == Proxy.Type.DIRECT);
    }
}
