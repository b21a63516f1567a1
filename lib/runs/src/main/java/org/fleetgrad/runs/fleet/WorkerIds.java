package org.fleetgrad.runs.fleet;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The ids under which the activations of a run register, a new one for each: if an activation never responds, the server
 * still reports its counts under this id. Thread-safe.
 */
public final class WorkerIds implements Supplier<String> {

    private static final int RUN_BYTES = 4;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{%d}-\\d+".formatted(2 * RUN_BYTES));

    private final String run;
    private final AtomicLong count = new AtomicLong();

    /** Draws a random prefix, so that a resumed run reuses no id of the previous run. */
    WorkerIds() {
        byte[] drawn = new byte[RUN_BYTES];
        new SecureRandom().nextBytes(drawn);
        run = HexFormat.of().formatHex(drawn);
    }

    /** Returns whether a driver gave this id to a worker, in this run or before it continued. */
    public static boolean isOne(String id) {
        return ID.matcher(id).matches();
    }

    @Override
    public String get() {
        return "%s-%d".formatted(run, count.incrementAndGet());
    }
}
