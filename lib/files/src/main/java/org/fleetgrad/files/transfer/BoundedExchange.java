package org.fleetgrad.files.transfer;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.fleetgrad.files.text.Printable;

/**
 * Sends a request once, and reads its response within limits of time and length. Does not follow redirects, so that credentials are sent
 * to no other server. Thread-safe.
 */
public final class BoundedExchange {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient http;
    private final int longestAnswer;

    /**
     * @param trust         the certificates to trust over https; the JDK's if absent
     * @param longestAnswer longest response, in bytes
     */
    public BoundedExchange(Optional<SSLContext> trust, int longestAnswer) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT);
        trust.ifPresent(builder::sslContext);
        this.http = builder.build();
        this.longestAnswer = longestAnswer;
    }

    /**
     * Sends a request, and waits for the last byte of its response.
     *
     * @throws TimeoutException   if that is not here in time; the exchange ends then, and when the thread is interrupted
     * @throws ExecutionException if there is no complete response; a {@link BoundedBody.TooLongException} among the causes says that it
     *     is too long
     */
    public HttpResponse<byte[]> send(HttpRequest request, Duration timeout)
            throws TimeoutException, ExecutionException, InterruptedException {
        // The request's own timeout ends with the head of the response, but a body may arrive forever; so the wait is
        // limited here.
        CompletableFuture<HttpResponse<byte[]>> response =
                http.sendAsync(request, head -> BoundedBody.upTo(longestAnswer));
        try {
            return response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            response.cancel(true);
        }
    }

    /** Returns what failed, without the exception of the wait around it. */
    public static Throwable causeOf(ExecutionException failed) {
        return failed.getCause() == null ? failed : failed.getCause();
    }

    /** Says why there is no response, for people: the JDK identifies some failures only by their class. */
    public static String reason(Throwable failure) {
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
