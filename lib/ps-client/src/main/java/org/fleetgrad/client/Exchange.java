package org.fleetgrad.client;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.client.internal.http.Transport.OversizedResponseException;
import org.fleetgrad.client.internal.http.Transport.Request;
import org.fleetgrad.client.internal.http.Transport.Response;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.files.time.SteadyClock;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ServerAddresses;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one caller to one server, with a token if there are keys. Retries while the server is
 * unreachable or busy, with growing pauses, for a bounded time. Thread-safe.
 */
final class Exchange {

    private static final Duration INITIAL_PAUSE = Duration.ofMillis(50);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

    private final URI base;
    private final Transport transport;
    private final Duration retryFor;
    private final Clock clock;
    private final Sleeper sleeper;

    /** The worker whose lease every request renews. */
    private final Optional<String> worker;

    private final Optional<Session> session;

    /**
     * @param base     the address without a slash at its end
     * @param retryFor how long a request is retried
     * @param clock    measures the retries, and the lifetimes of tokens: one that nobody can set
     */
    Exchange(URI base, Transport transport, Duration retryFor, Clock clock, Sleeper sleeper) {
        this(base, transport, retryFor, clock, sleeper, Optional.empty(), Optional.empty());
    }

    private Exchange(
            URI base,
            Transport transport,
            Duration retryFor,
            Clock clock,
            Sleeper sleeper,
            Optional<String> worker,
            Optional<Session> session) {
        this.base = base;
        this.transport = transport;
        this.retryFor = retryFor;
        this.clock = clock;
        this.sleeper = sleeper;
        this.worker = worker;
        this.session = session;
    }

    /** Makes an exchange with the server at an address, in nobody's name, and with keys if the options have some. */
    static Exchange with(URI address, ClientOptions options) {
        Exchange anonymous = new Exchange(
                ServerAddresses.requestBase(address),
                Transport.of(address, options.transport()),
                options.retryFor(),
                SteadyClock.system(),
                Sleeper.THREAD);
        return options.credentials().map(anonymous::with).orElse(anonymous);
    }

    /** Returns the same in the name of a worker. */
    Exchange as(String name) {
        return new Exchange(base, transport, retryFor, clock, sleeper, Optional.of(name), session);
    }

    /** Returns the same with tokens for these keys. */
    Exchange with(Credentials credentials) {
        Session opened = new Session(base, transport, clock, credentials);
        return new Exchange(base, transport, retryFor, clock, sleeper, worker, Optional.of(opened));
    }

    /** Closes the connections that no request uses. */
    void closeIdle() {
        transport.closeIdle();
    }

    /** Returns the keys and tokens. */
    Optional<Session> session() {
        return session;
    }

    /**
     * Sends a request until the response is something other than 408, 429 and 503.
     *
     * @param silence time for which the server may be silent, as in a long poll
     * @throws ServerUnavailableException when the time is up, or the thread is interrupted
     * @throws IOException at once if a retry would not help: a response that is too large, a server that is not
     *     trusted, keys that are refused
     */
    Response send(String method, String path, Map<String, String> headers, List<ByteBuffer> body, Duration silence)
            throws IOException {
        return send(request(method, path, headers, body, silence), session.orElse(null));
    }

    /** Sends a request with a body, without a token. */
    Response sendWithoutToken(String method, String path, Map<String, String> headers, ByteBuffer body)
            throws IOException {
        return send(request(method, path, headers, List.of(body), Duration.ZERO), null);
    }

    private Request request(
            String method, String path, Map<String, String> headers, List<ByteBuffer> body, Duration silence) {
        Map<String, String> all = new HashMap<>(headers);
        worker.ifPresent(name -> all.put(HeaderNames.WORKER, name));
        return new Request(method, URI.create(base + path), all, body, silence);
    }

    private Response send(Request request, @Nullable Session tokens) throws IOException {
        Instant begin = clock.instant();
        Backoff backoff = null;
        for (int tries = 1; ; tries++) {
            String failure;
            IOException cause = null;
            Optional<Duration> requested = Optional.empty();
            try {
                Response response =
                        tokens == null ? transport.exchange(request) : tokens.exchange(worker.orElse(""), request);
                if (!response.isTransient()) {
                    return response;
                }
                failure = "it answers " + response.status();
                requested = retryAfter(response);
            } catch (OversizedResponseException | SSLPeerUnverifiedException | ProblemException permanent) {
                throw permanent;
            } catch (IOException unreachable) {
                failure = String.valueOf(unreachable.getMessage());
                cause = unreachable;
            }
            // Made at the first failure: nearly every request has none.
            backoff = backoff == null ? new Backoff(INITIAL_PAUSE, MAX_PAUSE, 2) : backoff;
            Duration next = backoff.next();
            Duration pause = requested.orElse(next);
            Duration passed = Duration.between(begin, clock.instant());
            if (passed.plus(pause).compareTo(retryFor) > 0) {
                throw new ServerUnavailableException(
                        "%s %s failed at try %d, after %d ms: %s"
                                .formatted(request.method(), request.uri(), tries, passed.toMillis(), failure),
                        cause);
            }
            sleep(request, pause);
        }
    }

    private void sleep(Request request, Duration pause) throws ServerUnavailableException {
        try {
            sleeper.sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException(
                    "%s %s was interrupted".formatted(request.method(), request.uri()), interrupted);
        }
    }

    /** Reads the pause that the server requests, within bounds: "0" does not allow retries without a pause. */
    private static Optional<Duration> retryAfter(Response response) {
        return response.header("Retry-After")
                .filter(value -> value.matches("\\d{1,4}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .map(asked -> asked.compareTo(INITIAL_PAUSE) < 0 ? INITIAL_PAUSE : asked)
                .map(asked -> asked.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : asked);
    }
}
