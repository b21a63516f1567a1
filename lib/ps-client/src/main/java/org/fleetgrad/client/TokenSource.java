package org.fleetgrad.client;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One token and its renewal. Thread-safe: one renews, the others wait for it. */
final class TokenSource {

    private static final Duration MAX_MARGIN = Duration.ofSeconds(30);

    /**
     * A token in use.
     *
     * @param text     empty if the server requires none
     * @param renewAt  when to request another
     */
    private record CachedToken(String text, Instant renewAt) {}

    /** A token from the server, or an empty text if it requires none. */
    record IssuedToken(String text, Duration lifetime) {
        @Override
        public String toString() {
            return "IssuedToken[lifetime=%s]".formatted(lifetime);
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
        IssuedToken issue(String last) throws IOException;
    }

    private final Clock clock;
    private final Issuer issuer;
    private volatile @Nullable CachedToken cached;
    private String last = "";

    TokenSource(Clock clock, Issuer issuer) {
        this.clock = clock;
        this.issuer = issuer;
    }

    /** Returns a token that has not expired, or an empty text if the server requires none. */
    String token() throws IOException {
        CachedToken now = cached;
        return now != null && clock.instant().isBefore(now.renewAt()) ? now.text() : renewed();
    }

    private synchronized String renewed() throws IOException {
        CachedToken now = cached;
        if (now == null || !clock.instant().isBefore(now.renewAt())) {
            now = store(issuer.issue(last));
        }
        return now.text();
    }

    /** Stores the token of a registration. */
    synchronized CachedToken store(IssuedToken issued) {
        // Renew it before it expires, so that no push is refused for its token.
        Duration quarter = issued.lifetime().dividedBy(4);
        Duration margin = quarter.compareTo(MAX_MARGIN) < 0 ? quarter : MAX_MARGIN;
        CachedToken now = new CachedToken(
                issued.text(), clock.instant().plus(issued.lifetime().minus(margin)));
        cached = now;
        last = issued.text();
        return now;
    }

    /** Discards a token that may have expired, unless another has replaced it. */
    synchronized void invalidate(String text) {
        CachedToken now = cached;
        if (now != null && now.text().equals(text)) {
            cached = null;
        }
    }
}
