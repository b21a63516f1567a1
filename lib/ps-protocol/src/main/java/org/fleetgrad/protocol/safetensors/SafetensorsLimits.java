package org.fleetgrad.protocol.safetensors;

/**
 * The sizes that a receiver accepts.
 *
 * @param headerBytes longest header, without its 8-byte length
 * @param bodyBytes   longest body, header and length included
 */
public record SafetensorsLimits(long headerBytes, long bodyBytes) {

    /** Headers to 1 MiB (some ten thousand tensors), bodies up to the largest buffer. */
    public static final SafetensorsLimits DEFAULT = new SafetensorsLimits(1 << 20, Integer.MAX_VALUE);

    /**
     * For files that the program wrote itself: they hold more than any accepted parameter set, such as each tensor's
     * momentum under a longer name, so the limits for received files must not apply to them.
     */
    public static final SafetensorsLimits OWN_FILES = new SafetensorsLimits(256 << 20, Integer.MAX_VALUE);

    /** Checks that both limits are positive. */
    public SafetensorsLimits {
        if (headerBytes <= 0 || bodyBytes <= 0) {
            throw new IllegalArgumentException(
                    "limits must be positive: header %d, body %d".formatted(headerBytes, bodyBytes));
        }
    }
}
