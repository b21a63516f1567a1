package org.fleetgrad.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;

/**
 * Exchanges over blocking connections that the JDK keeps alive between requests.
 *
 * <p>Chosen over {@code java.net.http} for its cost: it spends a fraction of the processor time on a request of a few
 * hundred kilobytes, which beside milliseconds of arithmetic decides a worker's throughput (docs/adr).
 */
final class BlockingTransport implements Transport {

    /** Longest array that every JVM allocates. */
    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8L;

    private final ClientOptions options;

    BlockingTransport(ClientOptions options) {
        this.options = options;
    }

    @Override
    public Response exchange(Request request) throws IOException {
        try {
            return send(request);
        } catch (SSLException unsafe) {
            throw explained(request, unsafe);
        }
    }

    private Response send(Request request) throws IOException {
        URLConnection opened = request.uri().toURL().openConnection();
        if (!(opened instanceof HttpURLConnection connection)) {
            throw new IOException("not an HTTP address: " + request.uri());
        }
        connection.setRequestMethod(request.method());
        connection.setConnectTimeout(Math.toIntExact(options.connectTimeout().toMillis()));
        connection.setReadTimeout(
                Math.toIntExact(options.readTimeout().plus(request.silence()).toMillis()));
        connection.setUseCaches(false);
        connection.setInstanceFollowRedirects(false);
        if (connection instanceof HttpsURLConnection secure) {
            options.trust().ifPresent(trust -> secure.setSSLSocketFactory(trust.sockets()));
        }
        request.headers().forEach(connection::setRequestProperty);
        if (!request.body().isEmpty()) {
            send(connection, request.body());
        }
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer of %s is not HTTP".formatted(request.uri()));
        }
        return new Response(status, headers(connection), ByteBuffer.wrap(body(connection, status)));
    }

    /** Tells what no repetition helps against from what may be a server that is just going. */
    private static IOException explained(Request request, SSLException unsafe) {
        String server = request.uri().getScheme() + "://" + request.uri().getRawAuthority();
        for (Throwable cause = unsafe; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return new UntrustedServerException(
                        "the certificate of %s is not trusted: %s; name the PEM file to trust (%s, inference.trust)"
                                .formatted(server, cause.getMessage(), ClientEnvironment.TRUST),
                        unsafe);
            }
        }
        // The JDK's words for bytes that are no TLS at all.
        if (String.valueOf(unsafe.getMessage()).contains("unrecognized SSL message")) {
            return new UntrustedServerException("%s does not speak TLS; write http://".formatted(server), unsafe);
        }
        return unsafe;
    }

    private static void send(HttpURLConnection connection, List<ByteBuffer> body) throws IOException {
        long length = body.stream().mapToLong(ByteBuffer::remaining).sum();
        connection.setDoOutput(true);
        // With a stated length the JDK sends a body once: it is we who repeat it, under its sequence number.
        connection.setFixedLengthStreamingMode(length);
        try (OutputStream out = connection.getOutputStream()) {
            for (ByteBuffer part : body) {
                out.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
            }
        }
    }

    private static Map<String, String> headers(HttpURLConnection connection) {
        Map<String, String> headers = new LinkedHashMap<>();
        connection.getHeaderFields().forEach((name, values) -> {
            // The status line is listed as a header without a name.
            if (name != null && !values.isEmpty()) {
                headers.put(name, values.get(0));
            }
        });
        return headers;
    }

    private byte[] body(HttpURLConnection connection, int status) throws IOException {
        // A 304 may state the length of the body that it does not have.
        if (status == HttpURLConnection.HTTP_NOT_MODIFIED || status == HttpURLConnection.HTTP_NO_CONTENT) {
            return new byte[0];
        }
        long length = connection.getContentLengthLong();
        if (length > options.maxResponseBytes()) {
            connection.disconnect();
            throw new OversizedAnswerException(
                    "the answer has %d bytes, accepted are %d".formatted(length, options.maxResponseBytes()));
        }
        // Of a 401 to a body that was streamed the JDK keeps the head and throws the rest away: Json.problem knows.
        // The error stream, too, must be read to its end, or the connection is not used again.
        try (InputStream in = status >= HttpURLConnection.HTTP_BAD_REQUEST
                ? connection.getErrorStream()
                : connection.getInputStream()) {
            byte[] body = in == null
                    ? new byte[0]
                    : length < 0 ? readToEnd(connection, in) : readExactly(in, Math.toIntExact(length));
            // The JDK takes a head that was cut for a whole one, without the headers that did not come.
            if (body.length == 0 && length < 0 && connection.getHeaderField("Transfer-Encoding") == null) {
                throw new EOFException("the answer ended in its head, or states neither a body nor its length");
            }
            return body;
        }
    }

    private byte[] readToEnd(HttpURLConnection connection, InputStream in) throws IOException {
        byte[] body = in.readNBytes((int) Math.min(options.maxResponseBytes(), LONGEST_ARRAY));
        if (in.read() >= 0) {
            // Closing would read on to keep the connection: there may be no end.
            connection.disconnect();
            throw new OversizedAnswerException(
                    "the answer has more than the %d bytes that are accepted".formatted(body.length));
        }
        return body;
    }

    private static byte[] readExactly(InputStream in, int length) throws IOException {
        byte[] body = new byte[length];
        int read = in.readNBytes(body, 0, length);
        if (read < length) {
            throw new EOFException("the answer ended after %d of %d bytes".formatted(read, length));
        }
        // Reading past the last byte is what hands the connection back.
        if (in.read() >= 0) {
            throw new IOException("the answer goes on after its %d bytes".formatted(length));
        }
        return body;
    }
}
