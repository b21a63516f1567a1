package org.fleetgrad.client;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Sends requests with a token, and once more with a new one if the server refuses the first. */
final class TokenTransport implements Transport {

    private static final int UNAUTHORIZED = 401;

    private final Transport transport;
    private final TokenSource tokens;

    TokenTransport(Transport transport, TokenSource tokens) {
        this.transport = transport;
        this.tokens = tokens;
    }

    @Override
    public Response exchange(Request request) throws IOException {
        String token = tokens.token();
        Response response = exchange(request, token);
        if (response.status() != UNAUTHORIZED) {
            return response;
        }
        // The same request to the last byte: a push keeps its sequence number, and counts once.
        tokens.doubt(token);
        return exchange(request, tokens.token());
    }

    private Response exchange(Request request, String token) throws IOException {
        try {
            return transport.exchange(token.isEmpty() ? request : with(request, token));
        } catch (IOException broken) {
            // It may be another server by now, which signs with another key, and refuses a push that is too large to be
            // read completely.
            tokens.doubt(token);
            throw broken;
        }
    }

    private static Request with(Request request, String token) {
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("Authorization", "Bearer " + token);
        return new Request(request.method(), request.uri(), headers, request.body(), request.silence());
    }
}
