package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.protocol.ProblemRules;
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
    private static final TokenSource.Given NONE_WANTED = new TokenSource.Given("", Duration.ofDays(365));

    private final URI base;
    private final Transport transport;
    private final Clock clock;
    private final Credentials credentials;
    private final Json json = new Json();
    private final Map<String, TokenSource> sources = new ConcurrentHashMap<>();

    Session(URI base, Transport transport, Clock clock, Credentials credentials) {
        this.base = base;
        this.transport = transport;
        this.clock = clock;
        this.credentials = credentials;
    }

    /** Returns a transport that adds the token; {@code worker} is null if the client acts for none. */
    Transport transport(@Nullable String worker) {
        return new TokenTransport(transport, source(worker));
    }

    /** Adds the keys to a registration. */
    RegisterWorkerRequest signed(RegisterWorkerRequest request) {
        return request.withKeys(credentials.accessKey(), credentials.secretKey());
    }

    /**
     * Stores a registration's token for the client of that worker. A registration without one means that the server
     * requires none.
     */
    void keep(RegisterWorkerReply reply) {
        String token = reply.token();
        Long lifetime = reply.tokenExpiresMs();
        source(reply.id())
                .keep(
                        token == null || lifetime == null
                                ? NONE_WANTED
                                : new TokenSource.Given(token, Duration.ofMillis(lifetime)));
    }

    /** Returns the tokens of a client that acts for no worker. */
    TokenSource tokens() {
        return source(null);
    }

    private TokenSource source(@Nullable String worker) {
        return sources.computeIfAbsent(
                worker == null ? "" : worker, id -> new TokenSource(clock, last -> issue(worker, last)));
    }

    private TokenSource.Given issue(@Nullable String worker, String last) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json");
        if (worker != null && !last.isEmpty()) {
            headers.put("Authorization", "Bearer " + last);
        }
        Transport.Response response = transport.exchange(new Transport.Request(
                "POST",
                URI.create(base + Routes.ISSUE_TOKEN),
                headers,
                List.of(ByteBuffer.wrap(
                        json.write(new IssueTokenRequest(credentials.accessKey(), credentials.secretKey(), worker)))),
                Duration.ZERO));
        if (response.status() == 200) {
            IssueTokenReply reply = json.read(new CallResponse(CALL, response), IssueTokenReply.class);
            return new TokenSource.Given(reply.token(), Duration.ofMillis(reply.expiresMs()));
        }
        if (response.status() == 503 || response.status() == 429) {
            // Retried after a pause, like any other call.
            throw new IOException(CALL + " answers " + response.status());
        }
        Problem problem = json.problem(response);
        if (problem.rule().equals(ProblemRules.SECURITY_OFF)) {
            return NONE_WANTED;
        }
        throw new ProblemException(CALL, problem);
    }
}
