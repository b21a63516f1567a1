package org.fleetgrad.runs.invoker;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.runs.start.Starting;

/** Runs an action from its start to its end; it can be started again after its end. */
interface ActionHost {

    /** Starts it; returns before it listens. */
    void start() throws IOException;

    /** Returns its address; empty until it listens. */
    Optional<URI> address() throws IOException;

    /** Returns the address at which it serves predictions; empty if it does not. */
    default Optional<URI> serving() throws IOException {
        return Optional.empty();
    }

    /** Returns the view of its start that a waiting thread polls; only after {@link #start}. */
    Starting starting();

    /** Returns whether it has ended, or ends within {@code patience}. */
    boolean hasEnded(Duration patience) throws InterruptedException;

    /** Describes how it ended. */
    String describeEnd();

    /** Ends it, if it has not already ended. */
    void end();
}
