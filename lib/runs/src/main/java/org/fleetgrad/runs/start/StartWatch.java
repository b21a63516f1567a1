package org.fleetgrad.runs.start;

import java.time.Duration;
import java.util.List;
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
    private final StartClock clock;

    /**
     * @param timeout after which a program that neither used a hundredth of this processor time nor logged anything is stuck
     */
    public StartWatch(Duration timeout, RunOutput teller) {
        this(timeout, teller, StartClock.SYSTEM);
    }

    StartWatch(Duration timeout, RunOutput teller, StartClock clock) {
        this.timeout = timeout;
        this.teller = teller;
        this.clock = clock;
    }

    /** Returns a watch that reports nothing before it fails. */
    public static StartWatch silent() {
        return new StartWatch(USUAL_TIMEOUT, RunOutput.SILENT);
    }

    /** Returns the timeout. */
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
        return new StartWait(programs, goal, timeout, teller, clock);
    }
}
