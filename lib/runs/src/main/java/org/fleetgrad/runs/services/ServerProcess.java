package org.fleetgrad.runs.services;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramProcess;

/**
 * A parameter server of a run. If it persists its state, it is restarted when it dies, on the same port and folder; the
 * workers repeat their calls until it is back. Confined to the thread that watches the run.
 */
final class ServerProcess {

    private static final int MOST_RESTARTS = 5;
    static final String NAME = "ps-service";

    private final ProcessGroup programs;
    private final String name;
    private final Map<String, String> environment;
    private final boolean isKept;
    private final Consumer<String> teller;
    private ProgramProcess process;
    private boolean hasBeenUp;
    private int restarts;

    /**
     * Starts the server; returns before it is ready.
     *
     * @param name   of its log
     * @param isKept whether a new process can continue from what this one leaves on disk
     * @param teller receives one line for each death
     */
    ServerProcess(
            ProcessGroup programs,
            String name,
            Map<String, String> environment,
            boolean isKept,
            Consumer<String> teller)
            throws IOException {
        this.programs = programs;
        this.name = name;
        this.environment = Map.copyOf(environment);
        this.isKept = isKept;
        this.teller = teller;
        this.process = programs.start(Program.PS_SERVICE, name, environment);
    }

    /** Records that the server has responded: one that fails to start is not restarted. */
    void up() {
        hasBeenUp = true;
    }

    /** Restarts the server if it has died; one that dies too often stays ended. */
    void revive() throws IOException {
        if (process.isAlive() || !hasBeenUp || !isKept || restarts == MOST_RESTARTS) {
            return;
        }
        restarts++;
        teller.accept("%s ended with code %d and is restarted from its stored state (%d of at most %d times)"
                .formatted(name, process.exitCode(), restarts, MOST_RESTARTS));
        programs.forget(process);
        process = programs.start(Program.PS_SERVICE, "%s-restart-%d".formatted(name, restarts), environment);
    }

    /** Returns whether a server that does not respond may be restarted. */
    boolean canComeBack() {
        return isKept && hasBeenUp;
    }

    /** Returns the process that runs now. */
    ProgramProcess process() {
        return process;
    }

    int restarts() {
        return restarts;
    }
}
