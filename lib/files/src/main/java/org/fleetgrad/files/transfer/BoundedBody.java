package org.fleetgrad.files.transfer;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;

/** Receives the body of a response up to a limit. */
public final class BoundedBody {

    private BoundedBody() {}

    /**
     * Collects the bytes of a response. A longer or endless one fails with a {@link TooLongException}, and closes the connection.
     *
     * @param limit most bytes
     */
    public static BodySubscriber<byte[]> upTo(int limit) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BodySubscriber<Void> parts = BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(received -> {
            if (received.length > limit - bytes.size()) {
                throw new TooLongException(limit);
            }
            bytes.writeBytes(received);
        }));
        return BodySubscribers.mapping(parts, complete -> bytes.toByteArray());
    }

    /** The response has more bytes than the limit. */
    public static final class TooLongException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private TooLongException(int limit) {
            super("more than %d bytes".formatted(limit));
        }
    }
}
