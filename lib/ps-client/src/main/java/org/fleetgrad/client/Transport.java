package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Carries one request to the server and its whole answer back. Implementations are safe from several threads. */
interface Transport {

    /**
     * A request.
     *
     * @param headers beyond Content-Length, which follows from the body
     * @param body    array-backed parts sent one after the other; empty for none
     * @param silence time the server may stay silent by agreement, as in a long poll
     */
    record Request(String method, URI uri, Map<String, String> headers, List<ByteBuffer> body, Duration silence) {}

    /** An answer, whatever its status. Header names are looked up without regard to case. */
    record Response(int status, Map<String, String> headers, ByteBuffer body) {
        Optional<String> header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(Map.Entry::getValue)
                    .findFirst();
        }
    }

    /** Exchanges one request for one answer; an {@link IOException} leaves open whether the server acted on it. */
    Response exchange(Request request) throws IOException;
}
