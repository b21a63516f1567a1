package org.fleetgrad.cli.run;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.cli.process.Ports;
import org.fleetgrad.cli.process.ProcessGroup;
import org.fleetgrad.cli.process.Program;

/** Workers are processes of this machine, and nobody else can reach the server. */
final class LocalPlace implements WorkerPlace {

    private static final String LOOPBACK = "127.0.0.1";

    private final ProcessGroup programs;

    LocalPlace(ProcessGroup programs) {
        this.programs = programs;
    }

    @Override
    public String serverAddress() {
        return LOOPBACK;
    }

    @Override
    public Optional<RunKeys> keys() {
        return Optional.empty();
    }

    @Override
    public Map<String, String> serverDefaults() {
        return Map.of();
    }

    @Override
    public String shardUrl(Path shard) {
        return shard.toUri().toString();
    }

    @Override
    public List<? extends Invoker> workers(RunSettings settings, URI server) throws IOException {
        // One shard: without a deadline an activation would go on for the whole run.
        Map<String, Object> value = ActivationParameters.of(settings, server, Optional.empty(), 1);
        List<ProcessInvoker> workers = new ArrayList<>();
        for (int i = 1; i <= settings.workers(); i++) {
            int port = Ports.free();
            String name = "worker-" + i;
            programs.start(
                    Program.WORKER_ACTION,
                    name,
                    Map.of("WORKER_PORT", Integer.toString(port), "WORKER_ADDRESS", LOOPBACK));
            workers.add(new ProcessInvoker(name, URI.create("http://%s:%d".formatted(LOOPBACK, port)), value));
        }
        return workers;
    }

    @Override
    public void close() {
        // The programs end with their group.
    }
}
