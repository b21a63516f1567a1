package org.fleetgrad.pipelineruns.place;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.runs.start.Starting;

/** Where programs of stages run, and how they reach the driver and the run's folder. */
public interface HostPlace extends AutoCloseable {

    /** A program that runs one stage, or all of them as threads. */
    public interface StageHost {

        /** Returns the stages in it. */
        List<Integer> stages();

        /** Returns the view of its start that a waiting thread polls. */
        Starting starting();

        /** Waits up to {@code patience} for its end, and returns whether it has ended. */
        boolean hasEnded(Duration patience) throws IOException, InterruptedException;

        /** Describes how it ended, with its exit code, as a part of a sentence. */
        String describeEnd() throws IOException, InterruptedException;

        /** Ends it, if it has not already ended. */
        void end() throws IOException, InterruptedException;
    }

    /** Returns the address of this machine on which the driver listens. */
    String driverAddress();

    /** Starts a program. */
    StageHost start(StageProgramPlan plan) throws IOException, InterruptedException;

    /** Returns the address at which the programs read a shard. */
    String shard(Path file);

    /** Returns the path of a file or folder of the flushes, as the programs see it. */
    String flush(Path path);

    @Override
    void close();
}
