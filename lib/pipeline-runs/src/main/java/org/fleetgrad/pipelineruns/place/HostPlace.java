package org.fleetgrad.pipelineruns.place;

import java.io.IOException;
import java.nio.file.Path;

/** Where programs of stages run, and how they reach the driver and the run's folder. */
public interface HostPlace extends AutoCloseable {

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
