package org.fleetgrad.runs.place;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.runs.device.CudaLibrary;
import org.fleetgrad.runs.device.RunGpus;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.Program;
import org.fleetgrad.runs.process.ProgramFolder;
import org.fleetgrad.runs.settings.DeviceSettings;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.RunSettings;

/** Opens the place that a run's settings choose for its workers, with the devices that they choose. */
public final class ChosenPlace {

    private final RunSettings settings;
    private final Map<String, String> environment;
    private final RunOutput output;

    /** @param environment variables of this process */
    public ChosenPlace(RunSettings settings, Map<String, String> environment, RunOutput output) {
        this.settings = settings;
        this.environment = environment;
        this.output = output;
    }

    /**
     * Opens it.
     *
     * @param shards folder of the shards
     * @throws RunFailedException if a device is not there, or libtorch for it
     */
    public WorkerPlace open(ProcessGroup programs, Path shards)
            throws IOException, RunFailedException, InterruptedException {
        DeviceSettings devices = settings.network().devices();
        if (settings.invoker() instanceof InvokerSettings.InOpenWhisk activations) {
            requireAny(devices);
            if (devices.isOnGpus()) {
                output.tell(
                        "OpenWhisk starts the containers: workers compute on the first GPU of their container, which only OpenWhisk's operator can give them (docs/gpu.md)");
            }
            return WhiskPlace.open(activations, environment, ProgramFolder.home(), shards, output::tell);
        }
        RunGpus gpus = RunGpus.here(devices, environment);
        if (settings.invoker() instanceof InvokerSettings.InDocker containers) {
            tell(gpus, devices);
            return DockerPlace.open(containers, gpus, ProgramFolder.home(), shards, programs.watch(), output::tell);
        }
        Map<String, String> variables = new HashMap<>(devices.isOnGpus() ? library() : Map.of());
        variables.putAll(devices.variables());
        tell(gpus, devices);
        return new LocalPlace(programs, gpus, variables);
    }

    private Map<String, String> library() throws IOException, RunFailedException {
        Path home = ProgramFolder.home();
        Path jars = Program.WORKER_ACTION.jar(home).resolveSibling("lib");
        return CudaLibrary.environment(environment, home, jars);
    }

    private void tell(RunGpus gpus, DeviceSettings devices) {
        if (devices.isOnGpus()) {
            output.tell("%d workers compute on %s, in turn".formatted(settings.workers(), gpus));
        }
    }

    /** OpenWhisk starts the containers, all with the same arguments: nobody can name a GPU of one of them. */
    static void requireAny(DeviceSettings devices) throws RunFailedException {
        if (!devices.variables().isEmpty()) {
            throw RunFailedException.input(
                    "--deterministic: OpenWhisk starts the containers, and a run cannot set their variables; leave it out, or set %s in the image"
                            .formatted(new TreeMap<>(devices.variables())));
        }
        if (!devices.named().isEmpty()) {
            throw RunFailedException.input(
                    "--device %s: OpenWhisk starts the containers, and a run cannot assign GPUs to them; pass --device cuda if its operator has given all containers one"
                            .formatted(devices));
        }
    }
}
