package org.fleetgrad.serving;

/**
 * How many versions a model holds at a time.
 *
 * @param versions maximum number of versions, 2 or more: one answers while the next one loads
 * @param bytes    memory beyond which a fifth version is not held
 */
public record HeldLimit(int versions, long bytes) {

    static final int LEAST = 2;

    /** The best, the one that answers, the one under evaluation, and the newest: policies need these of a network of any size. */
    static final int OF_ANY_SIZE = 4;

    public HeldLimit {
        if (versions < LEAST) {
            throw new IllegalArgumentException(
                    "a model holds %d versions or more, since one answers while the next one loads; asked for were %d"
                            .formatted(LEAST, versions));
        }
    }

    /** Makes a limit that does not depend on the size of a version. */
    public static HeldLimit ofVersions(int versions) {
        return new HeldLimit(versions, Long.MAX_VALUE);
    }

    /** Returns how many versions of a size are held. */
    int of(long bytesEach) {
        return (int) Math.min(versions, Math.max(OF_ANY_SIZE, bytes / Math.max(1, bytesEach)));
    }
}
