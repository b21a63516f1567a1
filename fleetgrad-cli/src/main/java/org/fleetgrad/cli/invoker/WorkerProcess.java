package org.fleetgrad.cli.invoker;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.cli.process.Program;
import org.fleetgrad.cli.process.ProgramProcess;

/** A worker as a process of this machine; it listens on any free port. */
public final class WorkerProcess implements ActionHost {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String ANY_PORT = "0";

    private final ProcessGroup programs;
    private final String name;
    private Optional<ProgramProcess> process = Optional.empty();
    private int starts;

    public WorkerProcess(ProcessGroup programs, String name) {
        this.programs = programs;
        this.name = name;
    }

    @Override
    public void start() throws IOException {
        end();
        String log = starts == 0 ? name : "%s-restart-%d".formatted(name, starts);
        starts++;
        process = Optional.of(programs.startReplaceable(
                Program.WORKER_ACTION, log, Map.of("WORKER_PORT", ANY_PORT, "WORKER_ADDRESS", LOOPBACK)));
    }

    @Override
    public Optional<URI> address() throws IOException {
        OptionalInt port = process.isPresent() ? process.get().port() : OptionalInt.empty();
        return port.isPresent()
                ? Optional.of(URI.create("http://%s:%d".formatted(LOOPBACK, port.getAsInt())))
                : Optional.empty();
    }

    @Override
    public boolean hasEnded(Duration patience) throws InterruptedException {
        return process.isEmpty() || process.get().hasEnded(patience);
    }

    @Override
    public String describeEnd() {
        return process.map(ProgramProcess::describeEnd).orElse(name + " was not started");
    }

    @Override
    public void end() {
        process.ifPresent(programs::end);
        process = Optional.empty();
    }
}
