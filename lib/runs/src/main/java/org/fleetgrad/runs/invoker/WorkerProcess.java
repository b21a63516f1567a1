package org.fleetgrad.runs.invoker;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramProcess;
import org.fleetgrad.runs.settings.ServingSettings;
import org.fleetgrad.runs.start.Starting;

/** A worker as a process of this machine; it listens on any free port. */
public final class WorkerProcess implements ActionHost {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String ANY_PORT = "0";

    private final ProcessGroup programs;
    private final String name;
    private final ServingSettings serving;
    private final Map<String, String> variables;
    private Optional<ProgramProcess> process = Optional.empty();

    private int starts;

    /**
     * @param serving whether the worker serves predictions while it trains
     * @param variables further ones of its environment, of a worker on a GPU
     */
    public WorkerProcess(ProcessGroup programs, String name, ServingSettings serving, Map<String, String> variables) {
        this.programs = programs;
        this.name = name;
        this.serving = serving;
        this.variables = Map.copyOf(variables);
    }

    @Override
    public void start() throws IOException {
        end();
        String log = starts == 0 ? name : "%s-restart-%d".formatted(name, starts);
        starts++;
        process = Optional.of(programs.startReplaceable(Program.WORKER_ACTION, log, environment()));
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(Map.of("WORKER_PORT", ANY_PORT, "WORKER_ADDRESS", LOOPBACK));
        environment.putAll(variables);
        serving.onWorkers().ifPresent(mode -> {
            environment.put("WORKER_SERVE", ANY_PORT);
            environment.put("WORKER_SERVE_MODE", mode);
            environment.put("WORKER_SERVE_EVERY", Integer.toString(serving.every()));
        });
        return environment;
    }

    @Override
    public Optional<URI> serving() throws IOException {
        return process.isPresent() ? at(process.get().servingPort()) : Optional.empty();
    }

    @Override
    public Optional<URI> address() throws IOException {
        return process.isPresent() ? at(process.get().port()) : Optional.empty();
    }

    private static Optional<URI> at(OptionalInt port) {
        return port.stream()
                .mapToObj(number -> URI.create("http://%s:%d".formatted(LOOPBACK, number)))
                .findFirst();
    }

    @Override
    public Starting starting() {
        return process.orElseThrow(() -> new IllegalStateException(name + " was not started"));
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
