package org.fleetgrad.worker.colocated;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

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
                                Arrays.stream(values()).map(ServeMode::label).collect(Collectors.joining(" or ")),
                                label)));
    }
}
