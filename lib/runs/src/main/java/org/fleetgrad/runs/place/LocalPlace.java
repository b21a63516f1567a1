package org.fleetgrad.runs.place;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.device.RunGpus;
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
    private final RunGpus gpus;
    private final Map<String, String> variables;

    /** Makes a place whose workers compute on the processor. */
    public LocalPlace(ProcessGroup programs) {
        this(programs, RunGpus.NONE, Map.of());
    }

    /** @param variables that make a worker load libtorch for the GPUs, and compute as the run wants; none without GPUs */
    LocalPlace(ProcessGroup programs, RunGpus gpus, Map<String, String> variables) {
        this.programs = programs;
        this.gpus = gpus;
        this.variables = variables;
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
        return IntStream.range(0, settings.workers())
                .mapToObj(i -> invoker("worker-" + (i + 1), settings, parameters(value, i)))
                .toList();
    }

    /** A process sees all GPUs of the machine, so its parameters name its own. */
    private Map<String, Object> parameters(Map<String, Object> value, int worker) {
        return gpus.ofWorker(worker)
                .map(gpu -> ActivationParameters.on(gpu.toString(), value))
                .orElse(value);
    }

    private ProcessInvoker invoker(String name, RunSettings settings, Map<String, Object> value) {
        WorkerProcess process = new WorkerProcess(programs, name, settings.serving(), variables);
        return new ProcessInvoker(name, process, programs.watch(), value);
    }

    @Override
    public void close() {
        // The programs end with their group.
    }
}
