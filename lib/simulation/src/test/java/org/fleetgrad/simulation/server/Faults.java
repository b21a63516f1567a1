package org.fleetgrad.simulation.server;

import java.time.Clock;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.simulation.disk.ForgetfulDisk;

/** What is wrong with a server on purpose: nothing, unless a method is overridden. */
public interface Faults {

    /** Changes a disk before its first use. */
    default void prepare(ForgetfulDisk disk) {}

    /** Changes the store of a process. */
    default TrainingStore store(TrainingStore store, ForgetfulDisk disk) {
        return store;
    }

    /** Changes the clock of the leases, which nobody can set; the time of day can be. */
    default Clock ofLeases(Clock steady, Clock timeOfDay) {
        return steady;
    }

    /** Changes what a request asks. */
    default String path(int server, String pathAndQuery) {
        return pathAndQuery;
    }

    /** Changes the run after a request. */
    default void handled(Training training) {}
}
