package org.fleetgrad.libtorch;

import ai.djl.engine.Engine;
import ai.djl.pytorch.jni.LibUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device that a network computes on.
 *
 * @param isGpu whether it is a GPU, and not the processor
 * @param index number of the GPU, from 0; 0 for the processor
 */
public record Device(boolean isGpu, int index) {

    /** The processor. */
    public static final Device CPU = new Device(false, 0);

    private static final Pattern GPU_NAME = Pattern.compile("(?:gpu|cuda)(?::(\\d{1,3}))?");

    /**
     * Reads {@code cpu}, {@code gpu}, {@code gpu:1}, {@code cuda} or {@code cuda:1}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Device parse(String text) {
        if (text.equals("cpu")) {
            return CPU;
        }
        Matcher gpu = GPU_NAME.matcher(text);
        if (!gpu.matches()) {
            throw new IllegalArgumentException(
                    "device must be cpu, gpu or cuda:0 (any number); it is '%s'".formatted(text));
        }
        return new Device(true, gpu.group(1) == null ? 0 : Integer.parseInt(gpu.group(1)));
    }

    /**
     * Returns DJL's device.
     *
     * @throws IllegalArgumentException if this machine has no such GPU
     */
    ai.djl.Device open(Engine engine) {
        if (!isGpu) {
            return ai.djl.Device.cpu();
        }
        absence(engine.getGpuCount(), isForCuda()).ifPresent(message -> {
            throw new IllegalArgumentException(message);
        });
        return ai.djl.Device.gpu(index);
    }

    /** Returns whether the libtorch that is loaded is that for CUDA; the one on the class path is the processor's. */
    static boolean isForCuda() {
        return Files.exists(Path.of(LibUtils.getLibtorchPath(), System.mapLibraryName("torch_cuda")));
    }

    /**
     * Returns an error message if this GPU is not there.
     *
     * @param present   number of the GPUs that libtorch sees
     * @param isForCuda whether libtorch is the one for CUDA, which alone sees GPUs
     */
    Optional<String> absence(int present, boolean isForCuda) {
        if (index < present) {
            return Optional.empty();
        }
        if (!isForCuda) {
            return Optional.of(
                    "device %s does not exist: this libtorch is the processor's; write cpu, or use libtorch for CUDA: the worker's GPU image, which docker/build gpu makes, or a folder of docker/libtorch-cuda"
                            .formatted(this));
        }
        return Optional.of(
                present == 0
                        ? "device %s does not exist: libtorch for CUDA sees no GPU; write cpu, or check that nvidia-smi lists one here: a container gets it by docker run --gpus"
                                .formatted(this)
                        : "device %s does not exist: libtorch sees %d GPUs, the last is cuda:%d; write one of those, or cpu"
                                .formatted(this, present, present - 1));
    }

    @Override
    public String toString() {
        return isGpu ? "cuda:" + index : "cpu";
    }
}
