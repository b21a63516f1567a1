package org.fleetgrad.access.rate;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Counts requests by token, and failures by address. The failures of untrusted clients are counted separately: they never
 * delay a caller with a token of this server behind the same address. Thread-safe.
 */
public final class Rates {

    /** Half of an IPv6 address: the network prefix that a provider assigns to one customer. */
    private static final int NETWORK_BYTES = 8;

    private static final int IPV6_BYTES = 16;

    private final RateLimits limits;
    private final Optional<PermitLimiter> requests;
    private final Optional<PermitLimiter> failures;

    /** Counts from now on; {@code nanoTime} is as {@link System#nanoTime}. */
    public Rates(RateLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.requests = limiter(limits.requestsPerSecond(), Duration.ofSeconds(1), nanoTime);
        this.failures = limiter(limits.failuresPerMinute(), Duration.ofMinutes(1), nanoTime);
    }

    private static Optional<PermitLimiter> limiter(int permits, Duration period, LongSupplier nanoTime) {
        return permits == 0 ? Optional.empty() : Optional.of(new PermitLimiter(permits, period, nanoTime));
    }

    /** The limit that a request exceeds, and how long it has to wait. */
    public record Throttled(String detail, Duration pause) {}

    /**
     * Counts a request.
     *
     * @param token   that it presented
     * @param address of the caller
     * @return why it is not admitted now; empty if it is
     */
    public Optional<Throttled> request(String token, String address) {
        if (requests.isEmpty() || isLocal(address) || requests.get().tryAcquire(token)) {
            return Optional.empty();
        }
        return Optional.of(new Throttled(
                "the token makes more than %d requests a second".formatted(limits.requestsPerSecond()),
                requests.get().timeUntilPermit(token)));
    }

    /**
     * Counts a wrong key or a wrong token.
     *
     * @param identity identity of the caller by the token that it presented; empty for an untrusted client
     */
    public void failed(String address, String identity) {
        if (failures.isPresent() && !isLocal(address)) {
            boolean unused = failures.get().tryAcquire(failureKey(address, identity));
        }
    }

    /** Returns why keys or a wrong token from an address are not checked now; empty if they are. */
    public Optional<Throttled> throttled(String address, String identity) {
        if (failures.isEmpty() || isLocal(address)) {
            return Optional.empty();
        }
        Duration wait = failures.get().timeUntilPermit(failureKey(address, identity));
        return wait.isZero()
                ? Optional.empty()
                : Optional.of(new Throttled(
                        "more than %d wrong keys or tokens a minute came from this address"
                                .formatted(limits.failuresPerMinute()),
                        wait));
    }

    /** Returns whether a caller is on this machine; one over a Unix domain socket has no address. */
    private static boolean isLocal(String address) {
        return address.isEmpty()
                || address.startsWith("127.")
                || address.equals("::1")
                || address.equals("0:0:0:0:0:0:0:1")
                || address.equals("[::1]")
                || address.equals("[0:0:0:0:0:0:0:1]");
    }

    private static String failureKey(String address, String identity) {
        return identity.isEmpty() ? network(address) : network(address) + ' ' + identity;
    }

    /** IPv6 addresses of one network count together: one customer has 2^64. */
    private static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            // A literal: no name is looked up.
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length == IPV6_BYTES ? HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES)) : address;
        } catch (UnknownHostException noLiteral) {
            return address;
        }
    }

    /**
     * How often other machines may send requests. Callers on this machine are not limited.
     *
     * @param requestsPerSecond requests that a token may make, in bursts of as many as fit into one second; 0 for no limit
     * @param failuresPerMinute wrong keys and wrong tokens from one address, in bursts of as many as fit into one minute; 0 for
     *     no limit
     */
    public record RateLimits(int requestsPerSecond, int failuresPerMinute) {

        /** More requests than a worker of a small model sends, and fewer guesses of a key than any dictionary has. */
        public static final RateLimits DEFAULT = new RateLimits(5_000, 20);

        public static final RateLimits NONE = new RateLimits(0, 0);

        /**
         * Checks the limits.
         *
         * @param prefix of the settings' names, for messages
         */
        public RateLimits checked(String prefix) {
            require(prefix, "requests-per-second", requestsPerSecond);
            require(prefix, "failures-per-minute", failuresPerMinute);
            return this;
        }

        private static void require(String prefix, String name, int value) {
            if (value < 0) {
                throw new IllegalArgumentException(
                        "%s.%s is %d; write a number of 1 or more, or 0 for no limit".formatted(prefix, name, value));
            }
        }
    }
}
