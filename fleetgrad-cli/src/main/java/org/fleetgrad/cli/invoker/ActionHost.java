package org.fleetgrad.cli.invoker;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.cli.start.Starting;

/** Runs an action from its start to its end; it can be started again after its end. */
interface ActionHost {

    /** Starts it; returns before it listens. */
    void start() throws IOException;

    /** Returns its address; empty as long as it does not listen. */
    Optional<URI> address() throws IOException;

    /** Returns where it answers predictions; empty if it does not. */
    default Optional<URI> serving() throws IOException {
        return Optional.empty();
    }

    /** Returns what a wait for its start looks at; only after {@link #start}. */
    Starting starting();

    /** Tells whether it has ended, or ends within {@code patience}. */
    boolean hasEnded(Duration patience) throws InterruptedException;

    /** Says how it ended. */
    String describeEnd();

    /** Ends it, if it has not ended by itself. */
    void end();
}
