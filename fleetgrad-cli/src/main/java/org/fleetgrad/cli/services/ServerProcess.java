package org.fleetgrad.cli.services;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.cli.process.Program;
import org.fleetgrad.cli.process.ProgramProcess;

/**
 * The parameter server of a run. Where what it holds is kept, it is started again when it dies, on the same port and
 * folder, and the workers repeat their calls until it is there. Belongs to the thread that watches the run.
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

    private ServerProcess(
            ProcessGroup programs,
            String name,
            Map<String, String> environment,
            boolean isKept,
            Consumer<String> teller,
            ProgramProcess process) {
        this.programs = programs;
        this.name = name;
        this.environment = Map.copyOf(environment);
        this.isKept = isKept;
        this.teller = teller;
        this.process = process;
    }

    /**
     * Starts the server; returns before it is up.
     *
     * @param name   of its log
     * @param isKept whether another one can go on from what it leaves
     * @param teller hears of each death in a line
     */
    static ServerProcess start(
            ProcessGroup programs,
            String name,
            Map<String, String> environment,
            boolean isKept,
            Consumer<String> teller)
            throws IOException {
        return new ServerProcess(
                programs, name, environment, isKept, teller, programs.start(Program.PS_SERVICE, name, environment));
    }

    /** Says that the server has answered: one that cannot even start is not started again. */
    void up() {
        hasBeenUp = true;
    }

    /** Starts the server again where it has died; one that dies too often is left as it is. */
    void revive() throws IOException {
        if (process.isAlive() || !hasBeenUp || !isKept || restarts == MOST_RESTARTS) {
            return;
        }
        restarts++;
        teller.accept("%s ended with code %d and is started again where it was kept (%d of at most %d times)"
                .formatted(name, process.exitCode(), restarts, MOST_RESTARTS));
        programs.forget(process);
        process = programs.start(Program.PS_SERVICE, "%s-restart-%d".formatted(name, restarts), environment);
    }

    /** Tells whether a server that does not answer may be on its way back. */
    boolean canComeBack() {
        return isKept && hasBeenUp;
    }

    int restarts() {
        return restarts;
    }
}
