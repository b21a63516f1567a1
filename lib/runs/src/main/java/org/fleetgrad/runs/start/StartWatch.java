package org.fleetgrad.runs.start;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.runs.output.RunOutput;

/**
 * Begins waits for programs that start. A wait has no deadline, since the load of the machine is unknown: it lasts as long
 * as a program makes progress, and the timeout is for one that does not. Thread-safe.
 */
public final class StartWatch {

    /** The default timeout. */
    public static final Duration USUAL_TIMEOUT = Duration.ofMinutes(3);

    private final Duration timeout;
    private final RunOutput teller;
    private final LongSupplier nanoTime;
    private final Sleeper sleeper;

    /**
     * @param timeout after which a program that neither used a hundredth of this processor time nor logged anything is stuck
     */
    public StartWatch(Duration timeout, RunOutput teller) {
        this(timeout, teller, System::nanoTime, Sleeper.THREAD);
    }

    StartWatch(Duration timeout, RunOutput teller, LongSupplier nanoTime, Sleeper sleeper) {
        this.timeout = timeout;
        this.teller = teller;
        this.nanoTime = nanoTime;
        this.sleeper = sleeper;
    }

    public Duration timeout() {
        return timeout;
    }

    /**
     * Begins to wait for a program.
     *
     * @param goal the awaited event, such as {@code listen on 127.0.0.1:29500}
     */
    public StartWait begin(Starting program, String goal) {
        return begin(List.of(program), goal);
    }

    /** Begins to wait for programs that wait for each other: they are stuck if none of them makes progress. */
    public StartWait begin(List<? extends Starting> programs, String goal) {
        return new StartWait(programs, goal, timeout, teller, nanoTime, sleeper);
    }
}
