package org.fleetgrad.cli.pipeline.place;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.cli.start.Starting;

/** A program that runs one stage, or all of them as threads. */
public interface StageHost {

    /** Returns the stages in it. */
    List<Integer> stages();

    /** Returns what a wait for its start looks at. */
    Starting starting();

    /** Waits up to {@code patience} for its end, and tells whether it has ended. */
    boolean hasEnded(Duration patience) throws IOException, InterruptedException;

    /** Says how it ended, with its exit code, in words that fit into a sentence. */
    String describeEnd() throws IOException, InterruptedException;

    /** Ends it, if it has not ended. */
    void end() throws IOException, InterruptedException;
}
