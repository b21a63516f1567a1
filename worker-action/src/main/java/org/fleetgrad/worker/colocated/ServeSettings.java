package org.fleetgrad.worker.colocated;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.fleetgrad.access.ReaderKeys;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.protocol.ServingAddress;

/**
 * How a worker serves.
 *
 * @param mode    how it answers
 * @param every   with {@link ServeMode#THREAD}: steps after which the copy is renewed
 * @param address where it listens; port 0 is any free one
 * @param url     the address that clients use; if absent, its host's address and the bound port
 * @param keys    of the clients that may send requests; without keys, only this machine may
 */
public record ServeSettings(ServeMode mode, int every, InetSocketAddress address, Optional<URI> url, ReaderKeys keys) {

    /** The port; without it a worker serves nothing. */
    public static final String PORT = "WORKER_SERVE";

    /** The mode. */
    public static final String MODE = "WORKER_SERVE_MODE";

    /** Steps between two copies. */
    public static final String EVERY = "WORKER_SERVE_EVERY";

    /** The address to listen on. */
    public static final String ADDRESS = "WORKER_SERVE_ADDRESS";

    /** The address that clients use. */
    public static final String URL = "WORKER_SERVE_URL";

    /** The prefix of the names of the keys. */
    static final String KEYS = "WORKER_SERVE_";

    private static final String LOOPBACK = "127.0.0.1";
    private static final int LAST_PORT = 65_535;
    private static final int MOST_STEPS = 1_000_000;

    /**
     * Reads the settings; empty if {@value #PORT} is not set.
     *
     * @throws IllegalArgumentException when one is wrong; the message names it
     */
    public static Optional<ServeSettings> read(Map<String, String> environment) {
        String port = environment.getOrDefault(PORT, "");
        if (port.isEmpty()) {
            return Optional.empty();
        }
        int number = wholeNumber(PORT, port, 0, LAST_PORT);
        String url = environment.getOrDefault(URL, "");
        InetSocketAddress address = address(environment.getOrDefault(ADDRESS, LOOPBACK), number);
        ReaderKeys keys = new ReaderKeys(KEYS, environment);
        keys.requireSafe(address.getAddress(), ADDRESS);
        return Optional.of(new ServeSettings(
                ServeMode.named(MODE, environment.getOrDefault(MODE, ServeMode.INTERLEAVED.label())),
                wholeNumber(EVERY, environment.getOrDefault(EVERY, "1"), 1, MOST_STEPS),
                address,
                url.isEmpty() ? Optional.empty() : Optional.of(ServingAddress.parse(URL, url)),
                keys));
    }

    private static InetSocketAddress address(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "%s must be an address of this machine, such as 127.0.0.1 or 0.0.0.0; '%s' is none that can be found"
                            .formatted(ADDRESS, host));
        }
        return address;
    }

    private static int wholeNumber(String name, String text, int smallest, int largest) {
        if (text.matches("\\d{1,7}")) {
            int number = Integer.parseInt(text);
            if (number >= smallest && number <= largest) {
                return number;
            }
        }
        throw new IllegalArgumentException(
                "%s must be a whole number from %d to %d; it is '%s'".formatted(name, smallest, largest, text));
    }

    /** Creates the endpoint that issues and verifies the clients' tokens. */
    TokenIssuer issuer() {
        return keys.issuer(Clock.systemUTC());
    }

    /** Returns the address under which clients reach a worker that bound {@code port}. */
    URI reachedAt(int port) {
        return url.orElseGet(() -> URI.create("http://%s:%d".formatted(host(), port)));
    }

    private String host() {
        InetAddress listening = address.getAddress();
        try {
            // No client can connect to the wildcard address: the machine's own address is the best guess.
            InetAddress own = listening.isAnyLocalAddress() ? InetAddress.getLocalHost() : listening;
            String text = own.getHostAddress();
            return text.contains(":") ? "[" + text.replaceFirst("%.*", "") + "]" : text;
        } catch (UnknownHostException nameless) {
            throw new IllegalArgumentException(
                    "this machine does not know its own address: write %s, such as http://10.0.0.7:29700"
                            .formatted(URL),
                    nameless);
        }
    }

    /** How a worker answers predictions with the network that it trains. */
    public enum ServeMode {

        /** Between two batches, outstanding requests first; never while a batch is computed. */
        INTERLEAVED,

        /** In a separate thread, on a copy that is renewed after a number of steps. */
        THREAD,

        /** In a separate thread, on the trained tensors, without a lock: an answer may be torn. */
        LIVE;

        /** Returns the name in settings and answers. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Finds the mode of a name.
         *
         * @param setting that holds the name, for the message
         * @throws IllegalArgumentException if there is no such mode
         */
        public static ServeMode named(String setting, String label) {
            return Arrays.stream(values())
                    .filter(mode -> mode.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("%s must be %s; it is '%s'"
                            .formatted(
                                    setting,
                                    Arrays.stream(values())
                                            .map(ServeMode::label)
                                            .collect(Collectors.joining(" or ")),
                                    label)));
        }
    }
}
