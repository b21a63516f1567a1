package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.client.internal.http.Transport.Request;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;

/** A client's keys, and its tokens: one for each worker that it acts for. Thread-safe. */
final class Session {

    private static final String CALL = "POST " + Routes.ISSUE_TOKEN;
    private static final TokenSource.IssuedToken NONE_REQUIRED = new TokenSource.IssuedToken("", Duration.ofDays(365));

    private static final int UNAUTHORIZED = 401;

    private final URI base;
    private final Transport transport;
    private final Clock clock;
    private final Credentials credentials;
    private final MessageCodec codec = new MessageCodec();
    private final Map<String, TokenSource> sources = new ConcurrentHashMap<>();

    Session(URI base, Transport transport, Clock clock, Credentials credentials) {
        this.base = base;
        this.transport = transport;
        this.clock = clock;
        this.credentials = credentials;
    }

    /**
     * Sends a request with a token, and once more with a new one if the server refuses the first.
     *
     * @param worker the worker that the client acts for; empty for none
     */
    Response exchange(String worker, Request request) throws IOException {
        TokenSource tokens = source(worker);
        String token = tokens.token();
        Response response = exchange(request, tokens, token);
        if (response.status() != UNAUTHORIZED) {
            return response;
        }
        // The same request to the last byte: a push keeps its sequence number, and counts once.
        tokens.invalidate(token);
        return exchange(request, tokens, tokens.token());
    }

    private Response exchange(Request request, TokenSource tokens, String token) throws IOException {
        try {
            return transport.exchange(token.isEmpty() ? request : with(request, token));
        } catch (IOException broken) {
            // It may be another server by now, which signs with another key, and refuses a push that is too large to be
            // read completely.
            tokens.invalidate(token);
            throw broken;
        }
    }

    private static Request with(Request request, String token) {
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("Authorization", "Bearer " + token);
        return new Request(request.method(), request.uri(), headers, request.body(), request.silence());
    }

    /** Adds the keys to a registration. */
    RegisterWorkerRequest signed(RegisterWorkerRequest request) {
        return request.withKeys(credentials.accessKey(), credentials.secretKey());
    }

    /**
     * Stores a registration's token for the client of that worker. A registration without one means that the server
     * requires none.
     */
    void store(RegisterWorkerReply reply) {
        String token = reply.token();
        Long lifetime = reply.tokenExpiresMs();
        source(reply.id())
                .store(
                        token == null || lifetime == null
                                ? NONE_REQUIRED
                                : new TokenSource.IssuedToken(token, Duration.ofMillis(lifetime)));
    }

    /** Returns the tokens of a client that acts for no worker. */
    TokenSource tokens() {
        return source("");
    }

    private TokenSource source(String worker) {
        return sources.computeIfAbsent(worker, id -> new TokenSource(clock, last -> issue(id, last)));
    }

    private TokenSource.IssuedToken issue(String worker, String last) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json");
        if (!worker.isEmpty() && !last.isEmpty()) {
            headers.put("Authorization", "Bearer " + last);
        }
        IssueTokenRequest request = new IssueTokenRequest(
                credentials.accessKey(), credentials.secretKey(), worker.isEmpty() ? null : worker);
        Response response = transport.exchange(new Request(
                "POST",
                URI.create(base + Routes.ISSUE_TOKEN),
                headers,
                List.of(ByteBuffer.wrap(codec.encode(request))),
                Duration.ZERO));
        if (response.status() == 200) {
            IssueTokenReply reply = codec.decode(CALL, response, IssueTokenReply.class);
            return new TokenSource.IssuedToken(reply.token(), Duration.ofMillis(reply.expiresMs()));
        }
        if (response.status() == 503 || response.status() == 429) {
            // Retried after a pause, like any other call.
            throw new IOException(CALL + " answers " + response.status());
        }
        Problem problem = codec.problem(response);
        if (problem.rule().equals(ProblemRules.SECURITY_OFF)) {
            return NONE_REQUIRED;
        }
        throw new ProblemException(CALL, problem);
    }
}
