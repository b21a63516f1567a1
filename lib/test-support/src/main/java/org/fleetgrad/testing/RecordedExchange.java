package org.fleetgrad.testing;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** One request and its complete response, as sent over the wire. Header names are case-insensitive. */
public record RecordedExchange(
        String method,
        URI uri,
        Map<String, List<String>> requestHeaders,
        ByteBuffer requestBody,
        int status,
        Map<String, List<String>> responseHeaders,
        ByteBuffer responseBody) {

    /** Converts an exchange of {@code java.net.http}; {@code body} is the body of the response. */
    public static RecordedExchange of(HttpRequest request, HttpResponse<?> response, byte[] body) {
        return new RecordedExchange(
                request.method(),
                request.uri(),
                request.headers().map(),
                ByteBuffer.wrap(
                        request.bodyPublisher().map(RecordedExchange::sent).orElseGet(() -> new byte[0])),
                response.statusCode(),
                response.headers().map(),
                ByteBuffer.wrap(body));
    }

    byte[] requestBytes() {
        return bytes(requestBody);
    }

    byte[] responseBytes() {
        return bytes(responseBody);
    }

    Optional<String> responseHeader(String name) {
        return responseHeaders.entrySet().stream()
                .filter(header -> name.equalsIgnoreCase(header.getKey()))
                .flatMap(header -> header.getValue().stream())
                .findFirst();
    }

    @Override
    public String toString() {
        return "%s %s -> %d".formatted(method, uri, status);
    }

    private static byte[] bytes(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return bytes;
    }

    /** The JDK's publishers give their bytes to every subscriber, so this second subscription changes nothing. */
    private static byte[] sent(HttpRequest.BodyPublisher publisher) {
        CompletableFuture<byte[]> all = new CompletableFuture<>();
        publisher.subscribe(new Flow.Subscriber<>() {
            private final ByteArrayOutputStream collected = new ByteArrayOutputStream();

            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(ByteBuffer part) {
                byte[] bytes = new byte[part.remaining()];
                part.get(bytes);
                collected.writeBytes(bytes);
            }

            @Override
            public void onError(Throwable failure) {
                all.completeExceptionally(failure);
            }

            @Override
            public void onComplete() {
                all.complete(collected.toByteArray());
            }
        });
        return all.join();
    }
}
