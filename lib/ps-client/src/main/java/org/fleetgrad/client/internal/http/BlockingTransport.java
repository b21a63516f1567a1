package org.fleetgrad.client.internal.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProxySelector;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.SystemDefaultRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.fleetgrad.files.transfer.RateCheckedInputStream;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.files.transfer.TransferRate;

/**
 * Exchanges over blocking connections that are kept alive between requests.
 *
 * <p>Apache's client, chosen by measurement (docs/adr): a push-and-pull of 247 KB costs a worker a quarter of the
 * processor time that it costs over {@code java.net.http}, and half of what it costs over {@code HttpURLConnection}.
 * Nothing is repeated, redirected, decompressed or cached here: a request is sent once, and its response is returned as
 * received. A server that reads or responds slowly holds a thread for a bounded time ({@link StalledTransferMonitor}).
 */
final class BlockingTransport implements Transport {

    /** The longest array that every JVM can allocate. */
    private static final long MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8L;

    /** More than any process has threads: a lower limit would only be another queue. */
    private static final int MAX_CONNECTIONS = 1024;

    /** The most that the JDK passes to the system at a time. */
    private static final int PIECE = 128 * 1024;

    private final Settings settings;
    private final PoolingHttpClientConnectionManager connections;
    private final CloseableHttpClient http;
    private final StalledTransferMonitor monitor;

    BlockingTransport(Settings settings, StalledTransferMonitor monitor) {
        this.settings = settings;
        this.monitor = monitor;
        this.connections = connections(settings);
        this.http = HttpClients.custom()
                .setConnectionManager(connections)
                .setRoutePlanner(new SystemDefaultRoutePlanner(ProxySelector.getDefault()))
                .setUserAgent("fleetgrad")
                .disableAutomaticRetries()
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .disableConnectionState()
                .build();
    }

    private static PoolingHttpClientConnectionManager connections(Settings settings) {
        PoolingHttpClientConnectionManagerBuilder connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(MAX_CONNECTIONS)
                .setMaxConnTotal(MAX_CONNECTIONS)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(settings.connectTimeout()))
                        .setSocketTimeout(Timeout.of(settings.readTimeout()))
                        .build());
        settings.trust().ifPresent(trust -> connections.setTlsSocketStrategy(new DefaultClientTlsStrategy(trust)));
        return connections.build();
    }

    @Override
    public Response exchange(Request request) throws IOException {
        HttpUriRequestBase outgoing = new HttpUriRequestBase(request.method(), request.uri());
        try (StalledTransferMonitor.Transfer transfer = monitor.begin(settings.gracePeriod(request), outgoing::abort)) {
            prepare(outgoing, request, settings.silence(request), transfer.rate());
            return exchange(request, outgoing, transfer);
        }
    }

    private Response exchange(Request request, HttpUriRequestBase outgoing, StalledTransferMonitor.Transfer transfer)
            throws IOException {
        try (ClassicHttpResponse response = http.executeOpen(HttpHost.create(request.uri()), outgoing, null)) {
            ByteBuffer body = ByteBuffer.wrap(body(outgoing, response, transfer.rate()));
            return new Response(response.getCode(), headers(response), body);
        } catch (IOException failure) {
            if (transfer.isEnded()) {
                throw transfer.rate().tooSlow();
            }
            throw failure instanceof SSLException unsafe ? explained(request, unsafe) : failure;
        }
    }

    @Override
    public void closeIdle() {
        connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
    }

    private static void prepare(HttpUriRequestBase outgoing, Request request, Duration silence, TransferRate rate) {
        outgoing.setConfig(RequestConfig.custom()
                .setResponseTimeout(Timeout.of(silence))
                .setProtocolUpgradeEnabled(false)
                .build());
        request.headers().forEach(outgoing::setHeader);
        if (!request.body().isEmpty()) {
            long length =
                    request.body().stream().mapToLong(ByteBuffer::remaining).sum();
            outgoing.setEntity(new EntityTemplate(length, null, null, out -> write(request.body(), out, rate)));
        }
    }

    /** Writes array-backed parts without a copy, and read-only ones by pieces; progress is counted piece by piece. */
    private static void write(List<ByteBuffer> parts, OutputStream out, TransferRate rate) throws IOException {
        for (ByteBuffer part : parts) {
            byte[] copy = part.hasArray() ? new byte[0] : new byte[Math.min(PIECE, part.remaining())];
            for (int sent = 0; sent < part.remaining(); sent += PIECE) {
                int piece = Math.min(PIECE, part.remaining() - sent);
                int from = part.position() + sent;
                if (part.hasArray()) {
                    out.write(part.array(), part.arrayOffset() + from, piece);
                } else {
                    part.get(from, copy, 0, piece);
                    out.write(copy, 0, piece);
                }
                rate.count(piece);
            }
        }
    }

    /** Distinguishes a failure that no retry can help from one of a server that may just be stopping. */
    private static IOException explained(Request request, SSLException unsafe) {
        String server = request.uri().getScheme() + "://" + request.uri().getRawAuthority();
        for (Throwable cause = unsafe; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return untrusted(
                        "the certificate of %s is not trusted: %s; name the PEM file to trust (FLEETGRAD_TRUST, inference.trust)"
                                .formatted(server, cause.getMessage()),
                        unsafe);
            }
        }
        // The JDK's message for bytes that are not TLS.
        if (String.valueOf(unsafe.getMessage()).contains("unrecognized SSL message")) {
            return untrusted("%s does not speak TLS; write http://".formatted(server), unsafe);
        }
        if (unsafe instanceof SSLPeerUnverifiedException) {
            return untrusted(
                    "the certificate of %s is not trusted: %s; use a name that it has"
                            .formatted(server, unsafe.getMessage()),
                    unsafe);
        }
        return unsafe;
    }

    private static SSLPeerUnverifiedException untrusted(String message, SSLException cause) {
        SSLPeerUnverifiedException untrusted = new SSLPeerUnverifiedException(message);
        untrusted.initCause(cause);
        return untrusted;
    }

    private static Map<String, String> headers(ClassicHttpResponse response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Header header : response.getHeaders()) {
            headers.putIfAbsent(header.getName(), header.getValue());
        }
        return headers;
    }

    private byte[] body(HttpUriRequestBase request, ClassicHttpResponse response, TransferRate rate)
            throws IOException {
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return new byte[0];
        }
        long length = entity.getContentLength();
        if (length > settings.maxResponseBytes()) {
            request.abort();
            throw new OversizedResponseException(
                    "the answer has %d bytes, accepted are %d".formatted(length, settings.maxResponseBytes()));
        }
        // Without a length or chunks, a truncated response looks complete.
        if (length < 0 && !entity.isChunked()) {
            request.abort();
            throw new EOFException("the answer ended in its head, or states neither a body nor its length");
        }
        try (InputStream in = entity.getContent()) {
            return length < 0 ? readToEnd(request, in, rate) : readExactly(in, Math.toIntExact(length), rate);
        }
    }

    private byte[] readToEnd(HttpUriRequestBase request, InputStream in, TransferRate rate) throws IOException {
        byte[] body = new RateCheckedInputStream(in, rate)
                .readNBytes((int) Math.min(settings.maxResponseBytes(), MAX_ARRAY_LENGTH));
        if (in.read() >= 0) {
            // Closing would read on to keep the connection alive, perhaps without end.
            request.abort();
            throw new OversizedResponseException(
                    "the answer has more than the %d bytes that are accepted".formatted(body.length));
        }
        return body;
    }

    private static byte[] readExactly(InputStream in, int length, TransferRate rate) throws IOException {
        byte[] body = ResponseReader.begin(length);
        int read = 0;
        try {
            for (int count = 0; count >= 0 && read < length; read += Math.max(0, count)) {
                if (read == body.length) {
                    body = ResponseReader.more(body, length);
                }
                count = in.read(body, read, body.length - read);
                rate.count(Math.max(0, count));
            }
        } catch (ConnectionClosedException cut) {
            // The caller reports it below, with the numbers.
        }
        if (read < length) {
            throw new EOFException("the answer ended after %d of %d bytes".formatted(read, length));
        }
        return body;
    }
}
