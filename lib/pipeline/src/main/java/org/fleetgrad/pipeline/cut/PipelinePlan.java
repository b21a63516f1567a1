package org.fleetgrad.pipeline.cut;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cut.BlockTimes.StageCost;
import org.fleetgrad.pipeline.schedule.StagePlace;

/**
 * The estimated time and memory of each stage of a cut, before anything runs.
 *
 * @param stages in the order of computation
 */
public record PipelinePlan(List<Stage> stages) {

    private static final double MEBIBYTE = 1 << 20;

    /**
     * One stage.
     *
     * @param blocks  what it computes
     * @param seconds of a micro-batch, forward and backward; empty if nothing was measured
     * @param memory  at its peak
     */
    public record Stage(BlockRange blocks, Optional<Double> seconds, StageMemory memory) {}

    public PipelinePlan {
        stages = List.copyOf(stages);
    }

    /**
     * Plans a cut for a pipeline that trains like this.
     *
     * @param times      if they were measured
     * @param samples    of one micro-batch
     * @param shardBytes of the largest shard
     */
    public static PipelinePlan of(
            Cut cut, Optional<BlockTimes> times, Combination combination, int samples, long shardBytes) {
        List<Stage> stages = new ArrayList<>();
        for (BlockRange range : cut.stages()) {
            StagePlace place = new StagePlace(cut.stages().size(), stages.size());
            boolean isRecomputing = combination.recompute() && !place.isLast();
            stages.add(new Stage(
                    range,
                    times.map(each -> each.of(range.from(), range.to(), isRecomputing)),
                    StageMemory.of(range, StageMemory.Use.of(combination, place, samples, shardBytes))));
        }
        return new PipelinePlan(stages);
    }

    /** Returns the peak memory of a stage in bytes, as the cost of a cut into this many stages; see {@link #of}. */
    public static StageCost bytes(
            NetworkDefinition network, int stages, Combination combination, int samples, long shardBytes) {
        return (stage, from, to) -> StageMemory.of(
                        BlockRange.of(network, from, to),
                        StageMemory.Use.of(combination, new StagePlace(stages, stage), samples, shardBytes))
                .total();
    }

    /** Writes a table, with a line for each stage. */
    public String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "stage",
                "blocks",
                "ms",
                "parameters",
                "peak MiB",
                "= program",
                "+ weights",
                "+ gradients",
                "+ optimizer",
                "+ stashed",
                "+ activations",
                "+ frames"));
        stages.forEach(stage -> rows.add(row(rows.size() - 1, stage)));
        int[] widths = new int[rows.get(0).size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                // Names are aligned left, numbers right.
                line.append(i == 0 ? "" : "  ").append(i == 1 ? row.get(i) + pad : pad + row.get(i));
            }
            text.append(line).append('\n');
        }
        return text.toString();
    }

    private static List<String> row(int index, Stage stage) {
        List<Block> blocks = stage.blocks().blocks();
        String first = blocks.get(0).name();
        StageMemory memory = stage.memory();
        return List.of(
                Integer.toString(index),
                blocks.size() == 1
                        ? first
                        : "%s to %s (%d)"
                                .formatted(first, blocks.get(blocks.size() - 1).name(), blocks.size()),
                stage.seconds()
                        .map(seconds -> String.format(Locale.ROOT, "%.2f", 1e3 * seconds))
                        .orElse("-"),
                String.format(Locale.ROOT, "%,d", stage.blocks().parameters().elementCount()),
                mebibytes(memory.total()),
                mebibytes(memory.program()),
                mebibytes(memory.weights()),
                mebibytes(memory.gradients()),
                mebibytes(memory.optimizer()),
                mebibytes(memory.stashed()),
                mebibytes(memory.activations()),
                mebibytes(memory.frames()));
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f", bytes / MEBIBYTE);
    }
}
