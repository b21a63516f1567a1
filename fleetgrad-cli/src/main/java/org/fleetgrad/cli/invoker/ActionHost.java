package org.fleetgrad.cli.invoker;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** What an action runs in, between its start and its end; it may be started again after it. */
interface ActionHost {

    /** Starts it and returns where it will listen. */
    URI start() throws IOException;

    /** Tells whether it has ended, or ends within {@code patience}. */
    boolean hasEnded(Duration patience) throws InterruptedException;

    /** Says how it ended. */
    String describeEnd();

    /** Ends it, where it has not ended by itself. */
    void end();
}
