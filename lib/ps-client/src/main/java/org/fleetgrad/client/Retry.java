package org.fleetgrad.client;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Retries a call while the server is unreachable or busy, with growing pauses, for a bounded time. */
final class Retry {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    /** One attempt. */
    @FunctionalInterface
    interface Attempt {
        Transport.Response run() throws IOException;
    }

    /** Waits; tests move a clock instead. */
    @FunctionalInterface
    interface Pause {
        void sleep(Duration duration) throws InterruptedException;
    }

    private final Duration retryFor;
    private final Clock clock;
    private final Pause pause;

    Retry(Duration retryFor, Clock clock, Pause pause) {
        this.retryFor = retryFor;
        this.clock = clock;
        this.pause = pause;
    }

    /**
     * Runs {@code attempt} until it answers something other than 429 and 503.
     *
     * @throws ServerUnavailableException when the time is up, or the thread is interrupted
     * @throws IOException at once if a retry would not help: a response that is too large, a server that is not
     *     trusted, keys that are refused
     */
    Transport.Response run(String what, Attempt attempt) throws IOException {
        Instant begin = clock.instant();
        Duration backoff = FIRST_PAUSE;
        for (int tries = 1; ; tries++) {
            String failure;
            IOException cause = null;
            Duration wait = backoff;
            try {
                Transport.Response response = attempt.run();
                if (response.status() != SERVICE_UNAVAILABLE && response.status() != TOO_MANY_REQUESTS) {
                    return response;
                }
                failure = "it answers " + response.status();
                wait = retryAfter(response).orElse(backoff);
            } catch (OversizedResponseException | UntrustedServerException | ProblemException lasting) {
                throw lasting;
            } catch (IOException away) {
                failure = String.valueOf(away.getMessage());
                cause = away;
            }
            Duration passed = Duration.between(begin, clock.instant());
            if (passed.plus(wait).compareTo(retryFor) > 0) {
                throw new ServerUnavailableException(
                        "%s failed at try %d, after %d ms: %s".formatted(what, tries, passed.toMillis(), failure),
                        cause);
            }
            sleep(what, wait);
            backoff = min(backoff.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    /** Returns the clock that measures the pauses. */
    Clock clock() {
        return clock;
    }

    private void sleep(String what, Duration wait) throws ServerUnavailableException {
        try {
            pause.sleep(wait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException(what + " was interrupted", interrupted);
        }
    }

    /** Reads the pause that the server requests, within bounds: "0" does not allow retries without a pause. */
    private static Optional<Duration> retryAfter(Transport.Response response) {
        return response.header("Retry-After")
                .filter(value -> value.matches("\\d{1,4}"))
                .map(value -> min(max(Duration.ofSeconds(Long.parseLong(value)), FIRST_PAUSE), LONGEST_PAUSE));
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
