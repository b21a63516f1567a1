package org.fleetgrad.runs.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The GPUs that a program with CUDA sees on this machine. The driver is asked for them through its command {@code nvidia-smi}: the
 * programs that start workers have no CUDA of their own.
 *
 * @param names  by the index that CUDA gives them: what the driver and Docker call them, a number or a UUID
 * @param origin who says so, as the beginning of a sentence: {@code nvidia-smi lists 2 GPUs}
 */
record VisibleGpus(List<String> names, String origin) {

    private static final String COMMAND = "nvidia-smi";
    /** CUDA's own variable: the GPUs that a program may see, in this order. */
    private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

    private static final Pattern LISTED = Pattern.compile("GPU \\d+: .*");
    private static final Pattern UUID = Pattern.compile("(GPU|MIG)-.+");
    private static final Pattern INDEX = Pattern.compile("\\d{1,3}");

    /** Asks the driver of this machine. */
    static VisibleGpus here(Map<String, String> environment) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(COMMAND, "-L").redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.waitFor();
            return code == 0
                    ? listed(output, Optional.ofNullable(environment.get(VISIBLE)))
                    : new VisibleGpus(List.of(), "nvidia-smi -L ended with %d: %s".formatted(code, output));
        } catch (IOException noSuchCommand) {
            return new VisibleGpus(
                    List.of(), "there is no command nvidia-smi, which comes with NVIDIA's driver, on this machine");
        }
    }

    /**
     * Reads the driver's list.
     *
     * @param output  of {@code nvidia-smi -L}, with a line for each GPU
     * @param visible value of CUDA_VISIBLE_DEVICES, if it is set
     */
    static VisibleGpus listed(String output, Optional<String> visible) {
        int count = (int)
                output.lines().filter(line -> LISTED.matcher(line).matches()).count();
        if (visible.isEmpty()) {
            return new VisibleGpus(
                    IntStream.range(0, count).mapToObj(Integer::toString).toList(),
                    "nvidia-smi lists %s".formatted(counted(count)));
        }
        List<String> names = new ArrayList<>();
        for (String name : visible.get().split(",")) {
            // CUDA ignores a name that it does not know, and all that follow it.
            if (!isKnown(name.strip(), count)) {
                break;
            }
            names.add(name.strip());
        }
        return new VisibleGpus(
                List.copyOf(names),
                "nvidia-smi lists %s, and CUDA_VISIBLE_DEVICES='%s' leaves %d"
                        .formatted(counted(count), visible.get(), names.size()));
    }

    private static boolean isKnown(String name, int count) {
        return UUID.matcher(name).matches() || (INDEX.matcher(name).matches() && Integer.parseInt(name) < count);
    }

    private static String counted(int count) {
        return count == 1 ? "1 GPU" : count + " GPUs";
    }
}
