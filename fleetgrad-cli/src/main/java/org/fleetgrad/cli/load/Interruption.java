package org.fleetgrad.cli.load;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.load.LoadRun;

/** On Ctrl-C, ends a load early without losing it: the program exits when the results are written. */
final class Interruption {

    private static final int PATIENCE_SECONDS = 20;

    private final CountDownLatch written = new CountDownLatch(1);
    private final Thread hook;

    private Interruption(LoadRun run) {
        this.hook = new Thread(
                () -> {
                    run.stop();
                    try {
                        boolean unused = written.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "end-load");
    }

    /** From now on, a signal stops the run and waits for {@link #over}. */
    static Interruption of(LoadRun run) {
        Interruption interruption = new Interruption(run);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** The results are written. */
    void over() {
        written.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook is already running, and has just been notified.
        }
    }
}
