package org.fleetgrad.openwhisk;

import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.files.transfer.BoundedBody.TooLongException;
import org.fleetgrad.files.transfer.BoundedExchange;
import org.fleetgrad.openwhisk.OpenWhiskException.Kind;
import org.fleetgrad.openwhisk.Wire.Call;
import org.jspecify.annotations.Nullable;

/** Sends a request to a controller once, with the key, and explains why it has no response. */
final class Wire {

    private final BoundedExchange http;
    private final WhiskAuth auth;
    private final Duration answerTimeout;

    /**
     * @param trust         the certificates to trust over https; the JDK's if absent
     * @param answerTimeout longest wait for the last byte of a response
     * @param longestAnswer longest response, in bytes
     */
    Wire(WhiskAuth auth, Optional<SSLContext> trust, Duration answerTimeout, int longestAnswer) {
        this.auth = auth;
        this.answerTimeout = answerTimeout;
        this.http = new BoundedExchange(trust, longestAnswer);
    }

    WhiskResponse exchange(Call call) throws OpenWhiskException, InterruptedException {
        byte[] body = call.body();
        HttpRequest.Builder request = HttpRequest.newBuilder(call.uri())
                .header("Authorization", auth.header())
                .header("Accept", "application/json")
                .method(call.method(), body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<byte[]> whole = http.send(request.build(), answerTimeout);
            return new WhiskResponse(call, auth, whole.statusCode(), whole.headers(), whole.body());
        } catch (TimeoutException late) {
            throw OpenWhiskException.withoutAnswer(
                    Kind.LOST,
                    "%s got no complete answer within %d ms".formatted(call, answerTimeout.toMillis()),
                    late);
        } catch (ExecutionException failed) {
            throw explained(call, BoundedExchange.causeOf(failed));
        }
    }

    private static OpenWhiskException explained(Call call, Throwable failure) {
        String server = call.uri().getScheme() + "://" + call.uri().getRawAuthority();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TooLongException) {
                return OpenWhiskException.withoutAnswer(
                        Kind.MALFORMED, "%s got an answer of %s".formatted(call, cause.getMessage()), failure);
            }
            if (cause instanceof CertificateException) {
                return OpenWhiskException.withoutAnswer(
                        Kind.UNTRUSTED,
                        "the certificate of %s is not trusted: %s; name the PEM file to trust in %s"
                                .formatted(server, cause.getMessage(), OpenWhiskEnvironment.TRUST),
                        failure);
            }
            // The JDK's message for bytes that are not TLS.
            if (cause instanceof SSLException
                    && String.valueOf(cause.getMessage())
                            .toLowerCase(Locale.ROOT)
                            .contains("unrecognized ssl message")) {
                return OpenWhiskException.withoutAnswer(
                        Kind.UNTRUSTED,
                        "%s does not speak TLS; write http:// before the address in %s"
                                .formatted(server, OpenWhiskEnvironment.APIHOST),
                        failure);
            }
        }
        boolean isUnsent = failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException
                || failure instanceof SSLHandshakeException;
        return OpenWhiskException.withoutAnswer(
                isUnsent ? Kind.UNREACHABLE : Kind.LOST,
                "%s %s: %s"
                        .formatted(
                                call,
                                isUnsent ? "could not connect" : "got no complete answer",
                                BoundedExchange.reason(failure)),
                failure);
    }

    /** A request. Messages use its text form. */
    record Call(String method, URI uri, byte @Nullable [] body) {

        static Call get(URI uri) {
            return new Call("GET", uri, null);
        }

        @Override
        public String toString() {
            return method + " " + uri;
        }
    }

    /**
     * A complete response. Its content may be hostile, and may even contain the key that was sent: only {@link #shown} may
     * put it into a message.
     */
    record WhiskResponse(Call call, WhiskAuth auth, int status, HttpHeaders headers, byte[] body) {

        private static final int MULTIPLE_CHOICES = 300;
        private static final int OK = 200;

        boolean isSuccess() {
            return status >= OK && status < MULTIPLE_CHOICES;
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** Makes text of this response safe to show: removes the key and control characters, and limits the length. */
        String shown(String text) {
            return Printable.text(auth.hideIn(text));
        }
    }
}
