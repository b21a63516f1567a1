package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.client.internal.http.Transport.Request;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.jspecify.annotations.Nullable;

/** A client's keys, and its tokens: one for each worker that it acts for. Thread-safe. */
final class Session {

    private static final String CALL = "POST " + Routes.ISSUE_TOKEN;
    private static final int UNAUTHORIZED = 401;
    private static final Duration MAX_MARGIN = Duration.ofSeconds(30);
    private static final Duration YEAR = Duration.ofDays(365);

    private final URI base;
    private final Transport transport;
    private final Clock clock;
    private final Credentials credentials;
    private final MessageCodec codec = new MessageCodec();
    private final Map<String, RenewedToken> tokens = new ConcurrentHashMap<>();

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
        RenewedToken token = token(worker);
        String text = token.text();
        Response response = exchange(request, token, text);
        if (response.status() != UNAUTHORIZED) {
            return response;
        }
        // The same request to the last byte: a push keeps its sequence number, and counts once.
        token.invalidate(text);
        return exchange(request, token, token.text());
    }

    private Response exchange(Request request, RenewedToken token, String text) throws IOException {
        try {
            return transport.exchange(text.isEmpty() ? request : with(request, text));
        } catch (IOException broken) {
            // It may be another server by now, which signs with another key, and refuses a push that is too large to be
            // read completely.
            token.invalidate(text);
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
        String text = reply.token();
        Long lifetime = reply.tokenExpiresMs();
        RenewedToken token = token(reply.id());
        if (text == null || lifetime == null) {
            token.store("", YEAR);
        } else {
            token.store(text, Duration.ofMillis(lifetime));
        }
    }

    /** Returns the token of a client that acts for {@code worker}; empty for none. */
    RenewedToken token(String worker) {
        return tokens.computeIfAbsent(worker, RenewedToken::new);
    }

    /** Requests a token from the server, and stores it. */
    private Issued issue(RenewedToken token) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json");
        if (!token.worker.isEmpty() && !token.last.isEmpty()) {
            headers.put("Authorization", "Bearer " + token.last);
        }
        IssueTokenRequest request = new IssueTokenRequest(
                credentials.accessKey(), credentials.secretKey(), token.worker.isEmpty() ? null : token.worker);
        Response response = transport.exchange(new Request(
                "POST",
                URI.create(base + Routes.ISSUE_TOKEN),
                headers,
                List.of(ByteBuffer.wrap(codec.encode(request))),
                Duration.ZERO));
        if (response.status() == 200) {
            IssueTokenReply reply = codec.decode(CALL, response, IssueTokenReply.class);
            return token.store(reply.token(), Duration.ofMillis(reply.expiresMs()));
        }
        if (response.isTransient()) {
            // Retried after a pause, like any other call.
            throw new IOException(CALL + " answers " + response.status());
        }
        Problem problem = codec.problem(response);
        if (problem.is(ProblemKind.SECURITY_OFF)) {
            return token.store("", YEAR);
        }
        throw new ProblemException(CALL, problem);
    }

    /**
     * A token in use.
     *
     * @param text    empty if the server requires none
     * @param renewAt when to request another
     */
    private record Issued(String text, Instant renewAt) {}

    /** The token for one worker, and its renewal. Thread-safe: one renews, the others wait for it. */
    final class RenewedToken {

        private final String worker;
        private volatile @Nullable Issued issued;

        /** The token before the next one, to which it proves that the worker is the same; empty if there was none. */
        private String last = "";

        private RenewedToken(String worker) {
            this.worker = worker;
        }

        /** Returns a token that has not expired, or an empty text if the server requires none. */
        String text() throws IOException {
            Issued now = issued;
            return now != null && isFresh(now) ? now.text() : renewed();
        }

        private synchronized String renewed() throws IOException {
            Issued now = issued;
            return now != null && isFresh(now) ? now.text() : issue(this).text();
        }

        private boolean isFresh(Issued token) {
            return clock.instant().isBefore(token.renewAt());
        }

        private synchronized Issued store(String text, Duration lifetime) {
            // Renew it before it expires, so that no push is refused for its token.
            Duration quarter = lifetime.dividedBy(4);
            Duration margin = quarter.compareTo(MAX_MARGIN) < 0 ? quarter : MAX_MARGIN;
            Issued now = new Issued(text, clock.instant().plus(lifetime.minus(margin)));
            issued = now;
            last = text;
            return now;
        }

        /** Discards a token that may have expired, unless another has replaced it. */
        synchronized void invalidate(String text) {
            Issued now = issued;
            if (now != null && now.text().equals(text)) {
                issued = null;
            }
        }
    }
}
