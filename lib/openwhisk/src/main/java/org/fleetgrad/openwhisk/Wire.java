package org.fleetgrad.openwhisk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.openwhisk.OpenWhiskException.Kind;
import org.fleetgrad.openwhisk.Wire.Call;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request once, and reads its response within limits of time and length. Does not follow redirects, so that the
 * key is sent to no other server.
 */
final class Wire {

    private final HttpClient http;
    private final WhiskAuth auth;
    private final OpenWhiskOptions options;

    Wire(WhiskAuth auth, OpenWhiskOptions options) {
        this.auth = auth;
        this.options = options;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(options.connectTimeout());
        options.trust().context().ifPresent(builder::sslContext);
        this.http = builder.build();
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
        // The request's own timeout ends with the head of the response, but a body may arrive forever; so the wait is
        // limited here.
        CompletableFuture<HttpResponse<byte[]>> response =
                http.sendAsync(request.build(), head -> new BoundedBody(options.longestAnswer()));
        try {
            HttpResponse<byte[]> whole = response.get(options.answerTimeout().toMillis(), TimeUnit.MILLISECONDS);
            return new WhiskResponse(call, auth, whole.statusCode(), whole.headers(), whole.body());
        } catch (TimeoutException late) {
            response.cancel(true);
            throw OpenWhiskException.withoutAnswer(
                    Kind.LOST,
                    "%s got no complete answer within %d ms"
                            .formatted(call, options.answerTimeout().toMillis()),
                    late);
        } catch (InterruptedException interrupted) {
            response.cancel(true);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw explained(call, failed.getCause() == null ? failed : failed.getCause());
        }
    }

    private static OpenWhiskException explained(Call call, Throwable failure) {
        String server = call.uri().getScheme() + "://" + call.uri().getRawAuthority();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BoundedBody.TooLongException) {
                return OpenWhiskException.withoutAnswer(
                        Kind.MALFORMED, "%s got an answer of %s".formatted(call, cause.getMessage()), failure);
            }
            if (cause instanceof CertificateException) {
                return OpenWhiskException.withoutAnswer(
                        Kind.UNTRUSTED,
                        "the certificate of %s is not trusted: %s; name the PEM file to trust in %s, or trust any certificate (--insecure)"
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
                "%s %s: %s".formatted(call, isUnsent ? "could not connect" : "got no complete answer", reason(failure)),
                failure);
    }

    /** The JDK identifies some failures only by their class. */
    private static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return "there is no such host";
            }
            if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
                return Printable.text(cause.getMessage());
            }
        }
        return failure instanceof ConnectException ? "nobody listens there" : "the connection broke";
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

    /** Collects the bytes of a response up to a limit. A longer or endless response fails and closes the connection. */
    static final class BoundedBody implements BodySubscriber<byte[]> {

        /** A response exceeds the limit. */
        static final class TooLongException extends IOException {

            private static final long serialVersionUID = 1L;

            TooLongException(int limit) {
                super("more than %d bytes".formatted(limit));
            }
        }

        private final int limit;
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private @Nullable Subscription subscription;

        BoundedBody(int limit) {
            this.limit = limit;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (body.isDone()) {
                    return;
                }
                if (buffer.remaining() > limit - bytes.size()) {
                    if (subscription != null) {
                        subscription.cancel();
                    }
                    body.completeExceptionally(new TooLongException(limit));
                    return;
                }
                byte[] part = new byte[buffer.remaining()];
                buffer.get(part);
                bytes.writeBytes(part);
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
