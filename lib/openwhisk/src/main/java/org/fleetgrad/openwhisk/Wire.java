package org.fleetgrad.openwhisk;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.openwhisk.OpenWhiskException.Kind;

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
}
