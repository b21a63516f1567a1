package org.fleetgrad.runs.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the workers of a run compute on.
 *
 * @param isOnGpus whether it is GPUs, and not the processor
 * @param named    the GPUs that workers get in turn, counted from 0; empty for all of the machine
 * @param isDeterministic whether GPUs compute the same bits again, as far as variables make them
 */
public record DeviceSettings(boolean isOnGpus, List<Integer> named, boolean isDeterministic) {

    /** The processor. */
    public static final DeviceSettings CPU = new DeviceSettings(false, List.of(), false);

    /**
     * NVIDIA's libraries read them: TF32 is off in cuBLAS and cuDNN, and cuBLAS adds up in one order. DJL has no call for either, nor for
     * the determinism of cuDNN.
     */
    private static final Map<String, String> DETERMINISTIC =
            Map.of("NVIDIA_TF32_OVERRIDE", "0", "CUBLAS_WORKSPACE_CONFIG", ":4096:8");

    private static final Pattern GPU = Pattern.compile("(?:gpu|cuda):(\\d{1,3})");

    public DeviceSettings {
        named = List.copyOf(named);
    }

    /**
     * Reads {@code cpu}; {@code cuda} or {@code gpu}, all GPUs; {@code cuda:1}; or several, {@code cuda:0,cuda:2}.
     *
     * @throws IllegalArgumentException for anything else, and for a GPU that is named twice
     */
    public static DeviceSettings parse(String text) {
        if (text.equals("cpu")) {
            return CPU;
        }
        if (text.equals("cuda") || text.equals("gpu")) {
            return new DeviceSettings(true, List.of(), false);
        }
        List<Integer> named = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            Matcher gpu = GPU.matcher(word);
            if (!gpu.matches()) {
                throw new IllegalArgumentException(
                        "must be cpu, cuda for all GPUs, cuda:0 for one, or cuda:0,cuda:2 for several; it is '%s'"
                                .formatted(text));
            }
            int index = Integer.parseInt(gpu.group(1));
            if (named.contains(index)) {
                throw new IllegalArgumentException("names cuda:%d twice; it is '%s'".formatted(index, text));
            }
            named.add(index);
        }
        return new DeviceSettings(true, named, false);
    }

    /** Returns the same devices with the same bits again, or without. */
    public DeviceSettings deterministic(boolean isSo) {
        return new DeviceSettings(isOnGpus, named, isSo);
    }

    /** Returns the environment variables of a worker that computes so; none on the processor, which needs none. */
    public Map<String, String> variables() {
        return isOnGpus && isDeterministic ? DETERMINISTIC : Map.of();
    }

    @Override
    public String toString() {
        if (!isOnGpus) {
            return "cpu";
        }
        return named.isEmpty()
                ? "cuda"
                : named.stream().map(index -> "cuda:" + index).collect(Collectors.joining(","));
    }
}
