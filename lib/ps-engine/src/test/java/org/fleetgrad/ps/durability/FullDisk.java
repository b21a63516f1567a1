package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.util.function.Predicate;

/** Fails the changes that a test selects. */
final class FullDisk implements WatchedDisk.Watch {

    private volatile Predicate<String> failing = change -> false;

    /** Fails changes such as {@code force segment-000001.journal} from now on. */
    void fail(Predicate<String> changes) {
        failing = changes;
    }

    void mend() {
        failing = change -> false;
    }

    @Override
    public void before(String change) throws IOException {
        if (failing.test(change)) {
            throw new IOException("no space left on device");
        }
    }

    @Override
    public void after(String change) {}
}
