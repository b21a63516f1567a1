package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sends one request to the server, and returns the complete response. Implementations are thread-safe. */
interface Transport {

    /**
     * A request.
     *
     * @param headers beyond Content-Length, which follows from the body
     * @param body    array-backed parts sent one after the other; empty for none
     * @param silence time for which the server may be silent, as in a long poll
     */
    record Request(String method, URI uri, Map<String, String> headers, List<ByteBuffer> body, Duration silence) {}

    /** A response of any status. Header names are case-insensitive. */
    record Response(int status, Map<String, String> headers, ByteBuffer body) {
        Optional<String> header(String name) {
            for (Map.Entry<String, String> header : headers.entrySet()) {
                if (header.getKey().equalsIgnoreCase(name)) {
                    return Optional.of(header.getValue());
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Sends a request and returns its response. After an {@link IOException} the server may or may not have acted on it.
     */
    Response exchange(Request request) throws IOException;
}
