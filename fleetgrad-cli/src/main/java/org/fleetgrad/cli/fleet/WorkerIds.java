package org.fleetgrad.cli.fleet;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Ids under which the activations of a run register, each another: by its id a server tells what it counted of an
 * activation that nobody heard of again. Safe from several threads.
 */
final class WorkerIds implements Supplier<String> {

    private static final int RUN_BYTES = 4;

    private final String run;
    private final AtomicLong count = new AtomicLong();

    /** Draws a prefix: a run that goes on from another meets none of its ids. */
    WorkerIds() {
        byte[] drawn = new byte[RUN_BYTES];
        new SecureRandom().nextBytes(drawn);
        run = HexFormat.of().formatHex(drawn);
    }

    @Override
    public String get() {
        return "%s-%d".formatted(run, count.incrementAndGet());
    }
}
