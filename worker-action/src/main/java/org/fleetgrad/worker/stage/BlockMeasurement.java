package org.fleetgrad.worker.stage;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.optim.Cores;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.pipeline.cut.BlockProfiler;
import org.fleetgrad.pipeline.cut.BlockTimes;
import org.fleetgrad.worker.standalone.WorkerExit;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code worker-action blocks NETWORK SAMPLES STAGES OPTIMIZER}: measures the blocks of a network, for a driver without
 * libtorch.
 */
public final class BlockMeasurement {

    private static final int REPEATS = 5;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private BlockMeasurement() {}

    /**
     * Prints {@code measured 3 of 20} after each block, and then one JSON object with the seconds of each block:
     * {@code forward}, {@code backward} and {@code step}.
     */
    public static WorkerExit run(List<String> words, PrintStream out, PrintStream err) {
        if (words.size() != 4
                || !words.get(1).matches("[1-9]\\d{0,5}")
                || !words.get(2).matches("[1-9]\\d{0,5}")) {
            err.println(
                    "the arguments are: blocks NETWORK SAMPLES STAGES OPTIMIZER; there are %d".formatted(words.size()));
            return WorkerExit.USAGE;
        }
        JsonMapper json = JsonMapper.builder().build();
        try {
            OptimizerSpec optimizer = OptimizerSpec.parse(words.get(3));
            Cores.shareAmong(Integer.parseInt(words.get(2)));
            NetworkDefinition network = Networks.named(words.get(0));
            BlockProfiler profiler = new BlockProfiler(
                    range -> Libtorch.stage(range, 0),
                    System::nanoTime,
                    LIMIT,
                    done -> out.println(
                            "measured %d of %d".formatted(done, network.blocks().size())));
            BlockTimes times = profiler.measure(network, Integer.parseInt(words.get(1)), REPEATS, optimizer.settings());
            out.println(json.writeValueAsString(
                    Map.of("forward", times.forward(), "backward", times.backward(), "step", times.step())));
            return WorkerExit.DONE;
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            return WorkerExit.USAGE;
        }
    }
}
