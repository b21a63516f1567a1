package org.fleetgrad.runs.services;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramProcess;

/**
 * An inference API of a run. It is stateless: one that dies is restarted on the same port, and pulls the newest version.
 * Belongs to the thread that watches the run.
 */
final class InferenceProcess {

    private static final int MOST_RESTARTS = 5;

    private final ProcessGroup programs;
    private final String name;
    private final Map<String, String> environment;
    private final boolean isFirst;
    private final Consumer<String> teller;
    private ProgramProcess process;
    private int restarts;

    /**
     * Starts an inference API; returns before it listens.
     *
     * @param index  of the replica, from 0. The run needs the first, which evaluates; it continues without the others
     * @param teller receives one line for each death
     */
    InferenceProcess(ProcessGroup programs, int index, Map<String, String> environment, Consumer<String> teller)
            throws IOException {
        this.programs = programs;
        this.isFirst = index == 0;
        this.name = isFirst ? "inference-api" : "inference-api-" + index;
        this.environment = Map.copyOf(environment);
        this.teller = teller;
        this.process = launch(name);
    }

    private ProgramProcess launch(String log) throws IOException {
        return isFirst
                ? programs.start(Program.INFERENCE_API, log, environment)
                : programs.startReplaceable(Program.INFERENCE_API, log, environment);
    }

    /** Restarts it if it has died; one that never listened, or dies too often, stays ended. */
    void revive() throws IOException {
        if (process.isAlive() || restarts == MOST_RESTARTS || process.port().isEmpty()) {
            return;
        }
        restarts++;
        teller.accept("%s ended with code %d and is restarted (%d of at most %d times)"
                .formatted(name, process.exitCode(), restarts, MOST_RESTARTS));
        programs.forget(process);
        process = launch("%s-restart-%d".formatted(name, restarts));
    }

    /** Returns the process that runs now. */
    ProgramProcess process() {
        return process;
    }
}
