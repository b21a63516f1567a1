package org.fleetgrad.client;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One token and its renewal. Thread-safe: one renews, the others wait for it. */
final class TokenSource {

    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(30);

    /**
     * A token in use.
     *
     * @param text     empty if the server requires none
     * @param renewAt  when to request another
     */
    private record Held(String text, Instant renewAt) {}

    /** A token from the server, or an empty text if it requires none. */
    record Given(String text, Duration lifetime) {
        @Override
        public String toString() {
            return "Given[lifetime=%s]".formatted(lifetime);
        }
    }

    /** Requests a token from the server. */
    @FunctionalInterface
    interface Issuer {

        /**
         * Returns one.
         *
         * @param last the token before it, which proves that the worker is the same; empty if there was none
         */
        Given issue(String last) throws IOException;
    }

    private final Clock clock;
    private final Issuer issuer;
    private volatile @Nullable Held held;
    private String last = "";

    TokenSource(Clock clock, Issuer issuer) {
        this.clock = clock;
        this.issuer = issuer;
    }

    /** Returns a token that has not expired, or an empty text if the server requires none. */
    String token() throws IOException {
        Held now = held;
        return now != null && clock.instant().isBefore(now.renewAt()) ? now.text() : renewed();
    }

    private synchronized String renewed() throws IOException {
        Held now = held;
        if (now == null || !clock.instant().isBefore(now.renewAt())) {
            now = keep(issuer.issue(last));
        }
        return now.text();
    }

    /** Stores the token of a registration. */
    synchronized Held keep(Given given) {
        // Renew it before it expires, so that no push is refused for its token.
        Duration quarter = given.lifetime().dividedBy(4);
        Duration margin = quarter.compareTo(LONGEST_MARGIN) < 0 ? quarter : LONGEST_MARGIN;
        Held now = new Held(given.text(), clock.instant().plus(given.lifetime().minus(margin)));
        held = now;
        last = given.text();
        return now;
    }

    /** Discards a token that may have expired, unless another has replaced it. */
    synchronized void doubt(String text) {
        Held now = held;
        if (now != null && now.text().equals(text)) {
            held = null;
        }
    }
}
