package org.fleetgrad.load.question;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.fleetgrad.client.ServiceToken;
import org.jspecify.annotations.Nullable;

/**
 * One connection of HTTP/1.1 that lives until the server ends it. A request is sent at most once: a retry would hide a
 * failure. Only a connection that was idle for a second is checked before it is used, since a server may have closed it.
 */
public final class HttpPredictClient implements PredictClient {

    private static final String JSON = "application/json";
    /** Beside the predictions. */
    private static final String FEEDBACK = "feedback";

    private static final int MOST_ANSWER_BYTES = 16 << 20;
    private static final int BUFFER = 1 << 14;
    private static final int MOST_LINE = 1 << 16;
    private static final int MOST_HEADERS = 200;
    private static final long IDLE_NANOS = 1_000_000_000L;
    private static final int FIRST_FINAL_STATUS = 200;
    private static final int UNAUTHORIZED = 401;

    private final URI url;
    private final String mediaType;
    private final Map<String, String> headers;
    private final Duration timeout;
    private final Optional<SSLContext> trust;
    private final Optional<ServiceToken> token;
    private volatile @Nullable DefaultBHttpClientConnection connection;
    private volatile boolean isClosed;
    private final AtomicLong connections = new AtomicLong();
    private long lastUse;

    /**
     * Prepares a connection.
     *
     * @param timeout timeout of a connection attempt, and of each read of the response
     * @param trust   decides which certificates are trusted; if it is absent, the JDK's are
     * @param token   of a service with keys; clients of one service share it
     */
    public HttpPredictClient(
            URI url, String mediaType, Duration timeout, Optional<SSLContext> trust, Optional<ServiceToken> token) {
        this(url, mediaType, Map.of("Accept", JSON), timeout, trust, token);
    }

    /** Prepares a connection whose requests have more headers. */
    public HttpPredictClient(
            URI url,
            String mediaType,
            Map<String, String> headers,
            Duration timeout,
            Optional<SSLContext> trust,
            Optional<ServiceToken> token) {
        this.url = url;
        this.mediaType = mediaType;
        this.headers = Map.copyOf(headers);
        this.timeout = timeout;
        this.trust = trust;
        this.token = token;
    }

    @Override
    public void connect() throws IOException {
        // Before the first request: it must not be part of the request's latency.
        Optional<String> unusedToken = authorization();
        DefaultBHttpClientConnection unused = open();
    }

    private Optional<String> authorization() throws IOException {
        return token.isPresent() ? token.get().authorization() : Optional.empty();
    }

    @Override
    public Reply send(byte[] body) throws IOException {
        return send(url.getRawPath(), mediaType, body);
    }

    @Override
    public Reply giveFeedback(byte[] body) throws IOException {
        return send(url.resolve(FEEDBACK).getRawPath(), JSON, body);
    }

    private Reply send(String path, String type, byte[] body) throws IOException {
        DefaultBHttpClientConnection open = open();
        try {
            Optional<String> authorization = authorization();
            Reply reply = exchange(open, path, type, body, authorization);
            if (reply.status() == UNAUTHORIZED && authorization.isPresent()) {
                // Expired, or of a restarted service. The request counts as failed; the next one uses another token.
                token.orElseThrow().invalidate(authorization.get());
            }
            lastUse = System.nanoTime();
            return reply;
        } catch (HttpException malformed) {
            open.close(CloseMode.IMMEDIATE);
            throw new IOException("the response is not HTTP: " + malformed.getMessage(), malformed);
        } catch (IOException | RuntimeException broken) {
            open.close(CloseMode.IMMEDIATE);
            throw broken;
        }
    }

    private Reply exchange(
            DefaultBHttpClientConnection open, String path, String type, byte[] body, Optional<String> authorization)
            throws IOException, HttpException {
        ClassicHttpRequest request = new BasicClassicHttpRequest("POST", path);
        request.setHeader("Host", url.getRawAuthority());
        request.setHeader("Content-Type", type);
        headers.forEach(request::setHeader);
        request.setHeader("Content-Length", body.length);
        request.setHeader("User-Agent", "fleetgrad-load");
        authorization.ifPresent(header -> request.setHeader("Authorization", header));
        request.setEntity(new ByteArrayEntity(body, null));
        open.sendRequestHeader(request);
        open.sendRequestEntity(request);
        open.flush();
        ClassicHttpResponse response = open.receiveResponseHeader();
        while (response.getCode() < FIRST_FINAL_STATUS) {
            response = open.receiveResponseHeader();
        }
        open.receiveResponseEntity(response);
        byte[] answer = read(response);
        if (!DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, null)) {
            open.close(CloseMode.GRACEFUL);
        }
        return new Reply(response.getCode(), answer);
    }

    private static byte[] read(ClassicHttpResponse response) throws IOException {
        if (response.getEntity() == null) {
            return new byte[0];
        }
        InputStream in = response.getEntity().getContent();
        byte[] answer = in.readNBytes(MOST_ANSWER_BYTES + 1);
        if (answer.length > MOST_ANSWER_BYTES) {
            throw new IOException("the response has more than %d bytes".formatted(MOST_ANSWER_BYTES));
        }
        return answer;
    }

    private DefaultBHttpClientConnection open() throws IOException {
        DefaultBHttpClientConnection now = connection;
        if (now != null && now.isOpen()) {
            if (System.nanoTime() - lastUse < IDLE_NANOS || !now.isStale()) {
                return now;
            }
            now.close(CloseMode.IMMEDIATE);
        }
        if (isClosed) {
            throw new IOException("closed");
        }
        DefaultBHttpClientConnection fresh = bound();
        fresh.setSocketTimeout(Timeout.of(timeout));
        connection = fresh;
        connections.incrementAndGet();
        lastUse = System.nanoTime();
        if (isClosed) {
            // Closed while it connected: nothing else has a reference to it.
            fresh.close(CloseMode.IMMEDIATE);
        }
        return fresh;
    }

    private DefaultBHttpClientConnection bound() throws IOException {
        boolean isSecure = "https".equals(url.getScheme());
        int port = url.getPort() >= 0 ? url.getPort() : isSecure ? 443 : 80;
        DefaultBHttpClientConnection fresh = new DefaultBHttpClientConnection(Http1Config.custom()
                .setBufferSize(BUFFER)
                .setMaxLineLength(MOST_LINE)
                .setMaxHeaderCount(MOST_HEADERS)
                .build());
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(url.getHost(), port), (int) timeout.toMillis());
            socket.setSoTimeout((int) timeout.toMillis());
            if (isSecure) {
                fresh.bind(secured(socket, port), socket);
            } else {
                fresh.bind(socket);
            }
            return fresh;
        } catch (IOException | RuntimeException unconnected) {
            socket.close();
            throw unconnected;
        }
    }

    private SSLSocket secured(Socket socket, int port) throws IOException {
        SSLContext context;
        try {
            context = trust.isPresent() ? trust.get() : SSLContext.getDefault();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IOException(impossible);
        }
        SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, url.getHost(), port, true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }

    @Override
    public long connections() {
        return connections.get();
    }

    @Override
    public void close() {
        isClosed = true;
        DefaultBHttpClientConnection now = connection;
        if (now != null) {
            now.close(CloseMode.IMMEDIATE);
        }
    }
}
