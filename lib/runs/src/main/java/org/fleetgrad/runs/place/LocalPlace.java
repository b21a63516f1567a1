package org.fleetgrad.runs.place;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.invoker.ActivationParameters;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.invoker.ProcessInvoker;
import org.fleetgrad.runs.invoker.WorkerProcess;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.settings.RunSettings;

/** Workers are processes of this machine; the server can be reached from this machine only. */
public final class LocalPlace implements WorkerPlace {

    private static final String LOOPBACK = "127.0.0.1";

    private final ProcessGroup programs;

    public LocalPlace(ProcessGroup programs) {
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
    public String shardUrl(Path shard) {
        return shard.toUri().toString();
    }

    @Override
    public List<? extends Invoker> workers(RunSettings settings, ServerAddresses servers) {
        // One shard: without a deadline, an activation would otherwise last for the whole run.
        Map<String, Object> value = ActivationParameters.of(settings, servers, Optional.empty(), 1);
        return IntStream.rangeClosed(1, settings.workers())
                .mapToObj(i -> "worker-" + i)
                .map(name -> new ProcessInvoker(
                        name, new WorkerProcess(programs, name, settings.serving()), programs.watch(), value))
                .toList();
    }

    @Override
    public void close() {
        // The programs end with their group.
    }
}
