package org.fleetgrad.runs.device;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.DeviceSettings;

/**
 * The GPUs of a run's workers. Each worker has one, in turn: worker i of a run on n GPUs has the GPU i mod n, so that GPUs have equally
 * many workers, or one more.
 */
public final class RunGpus {

    /** The workers compute on the processor. */
    public static final RunGpus NONE = new RunGpus(List.of());

    /**
     * One GPU.
     *
     * @param index that CUDA gives it in a program that sees all GPUs which this one sees
     * @param name  that the driver and Docker give it, a number or a UUID
     */
    public record Gpu(int index, String name) {

        /** Returns its name as a device of a worker. */
        @Override
        public String toString() {
            return "cuda:" + index;
        }
    }

    private final List<Gpu> gpus;

    private RunGpus(List<Gpu> gpus) {
        this.gpus = gpus;
    }

    /**
     * Finds the GPUs on this machine that a run names.
     *
     * @param environment variables, of which CUDA_VISIBLE_DEVICES limits the GPUs
     * @throws RunFailedException if one is not here; the message says what is, and what to do
     */
    public static RunGpus here(DeviceSettings devices, Map<String, String> environment)
            throws RunFailedException, InterruptedException {
        return devices.isOnGpus() ? of(devices, VisibleGpus.here(environment)) : NONE;
    }

    static RunGpus of(DeviceSettings devices, VisibleGpus visible) throws RunFailedException {
        int count = visible.names().size();
        if (count == 0) {
            throw RunFailedException.input("--device %s: no GPU is here: %s; install the driver, or leave --device out"
                    .formatted(devices, visible.origin()));
        }
        for (int index : devices.named()) {
            if (index >= count) {
                throw RunFailedException.input("--device %s: cuda:%d is not here: %s, and the last is cuda:%d"
                        .formatted(devices, index, visible.origin(), count - 1));
            }
        }
        List<Integer> indices =
                devices.named().isEmpty() ? IntStream.range(0, count).boxed().toList() : devices.named();
        return new RunGpus(indices.stream()
                .map(index -> new Gpu(index, visible.names().get(index)))
                .toList());
    }

    /**
     * Returns the GPU of a worker; empty if workers compute on the processor.
     *
     * @param worker its number, from 0
     */
    public Optional<Gpu> ofWorker(int worker) {
        return gpus.isEmpty() ? Optional.empty() : Optional.of(gpus.get(worker % gpus.size()));
    }

    /** Returns them for people, such as {@code cuda:0, cuda:1}. */
    @Override
    public String toString() {
        return gpus.stream().map(Gpu::toString).collect(Collectors.joining(", "));
    }
}
