package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.IssueTokenReply;
import org.fleetgrad.protocol.messages.IssueTokenRequest;
import org.fleetgrad.protocol.messages.Problem;
import org.fleetgrad.protocol.messages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.RegisterWorkerRequest;
import org.jspecify.annotations.Nullable;

/** The keys of a client and the tokens they got it, one for each worker it speaks for. Safe from several threads. */
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

    /** Returns what carries requests with tokens; {@code worker} is null where it speaks for none. */
    Transport transport(@Nullable String worker) {
        return new TokenTransport(transport, source(worker));
    }

    /** Adds the keys that a registration wants. */
    RegisterWorkerRequest signed(RegisterWorkerRequest request) {
        return request.withKeys(credentials.accessKey(), credentials.secretKey());
    }

    /** Keeps the token that a registration brought, for the client made for that worker; without one, none is wanted. */
    void keep(RegisterWorkerReply reply) {
        String token = reply.token();
        Long lifetime = reply.tokenExpiresMs();
        source(reply.id())
                .keep(
                        token == null || lifetime == null
                                ? NONE_WANTED
                                : new TokenSource.Given(token, Duration.ofMillis(lifetime)));
    }

    private TokenSource source(@Nullable String worker) {
        return sources.computeIfAbsent(worker == null ? "" : worker, id -> new TokenSource(clock, () -> issue(worker)));
    }

    private TokenSource.Given issue(@Nullable String worker) throws IOException {
        Transport.Response response = transport.exchange(new Transport.Request(
                "POST",
                URI.create(base + Routes.ISSUE_TOKEN),
                Map.of("Content-Type", "application/json", "Accept", "application/json"),
                List.of(ByteBuffer.wrap(
                        json.write(new IssueTokenRequest(credentials.accessKey(), credentials.secretKey(), worker)))),
                Duration.ZERO));
        if (response.status() == 200) {
            IssueTokenReply reply = json.read(new Answer(CALL, response), IssueTokenReply.class);
            return new TokenSource.Given(reply.token(), Duration.ofMillis(reply.expiresMs()));
        }
        if (response.status() == 503) {
            // As any other call is: repeated in a while.
            throw new IOException(CALL + " answers 503");
        }
        Problem problem = json.problem(response);
        if (problem.rule().equals(ProblemRules.SECURITY_OFF)) {
            return NONE_WANTED;
        }
        throw new ProblemException(CALL, problem);
    }
}
