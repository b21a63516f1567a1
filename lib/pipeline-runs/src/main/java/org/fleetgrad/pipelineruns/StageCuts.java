package org.fleetgrad.pipelineruns;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cut.BlockTimes;
import org.fleetgrad.pipeline.cut.BlockTimes.StageCost;
import org.fleetgrad.pipeline.cut.Cut;
import org.fleetgrad.pipeline.cut.PipelinePlan;
import org.fleetgrad.pipeline.cut.StageMemory;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.shards.PreparedDataset;

/** Cuts a network for a run, and estimates the cost of each stage. */
final class StageCuts {

    private static final String AUTO = "auto";
    private static final String BYTES = "bytes";
    private static final double MEBIBYTE = 1 << 20;

    private final PipelineSettings settings;
    private final Combination combination;
    private final NetworkDefinition network;

    StageCuts(PipelineSettings settings, NetworkDefinition network) {
        this.settings = settings;
        this.combination = settings.cures().combination(settings.optimizer().settings());
        this.network = network;
    }

    /** Returns whether the cut needs the times of the blocks. */
    boolean needsTimes() {
        return settings.cut().equals(AUTO) && settings.stages() > 1;
    }

    /**
     * Cuts the network.
     *
     * @param times if they were measured
     * @throws RunFailedException if it cannot be cut like that; the message says how it can be cut
     */
    Cut cut(Optional<BlockTimes> times) throws RunFailedException {
        try {
            if (settings.cut().equals(AUTO) || settings.cut().equals(BYTES)) {
                StageCost cost = times.isPresent() && settings.cut().equals(AUTO)
                        ? times.get().cost(settings.cures().recompute())
                        : PipelinePlan.bytes(
                                network, settings.stages(), combination, settings.microBatch(), shardBytes());
                return Cut.balanced(network, settings.stages(), cost);
            }
            return byHand(settings.cut());
        } catch (IllegalArgumentException wrong) {
            throw RunFailedException.input("--cut %s: %s".formatted(settings.cut(), wrong.getMessage()));
        }
    }

    /** Cuts before the named blocks, as an earlier run was cut. */
    Cut byHand(String text) throws RunFailedException {
        List<String> firsts = text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1));
        if (firsts.size() + 1 != settings.stages()) {
            throw RunFailedException.input(
                    "--cut %s makes %d stages, --stages is %d: name the first block of each stage after the first"
                            .formatted(text, firsts.size() + 1, settings.stages()));
        }
        return Cut.byHand(network, firsts);
    }

    /** Returns the estimated cost of each stage. */
    PipelinePlan plan(Cut cut, Optional<BlockTimes> times) {
        return PipelinePlan.of(cut, times, combination, settings.microBatch(), shardBytes());
    }

    /** Rejects a stage that needs more memory than its limit, with the numbers. */
    void requireFits(PipelinePlan plan) throws RunFailedException {
        if (settings.memory().isEmpty()) {
            return;
        }
        long limit = settings.memory().getAsLong();
        for (int stage = 0; stage < plan.stages().size(); stage++) {
            StageMemory memory = plan.stages().get(stage).memory();
            if (memory.least() > limit) {
                throw RunFailedException.input(
                        "stage %d of %d needs %.0f MiB: %.0f for JVM and libtorch, %.0f for weights, %.0f for gradients, %.0f for the optimizer, %.0f for stashed weights, %.0f for activations, %.0f for frames and the shard; --memory allows %.0f: pass more --stages, a smaller --micro-batch, or more --memory"
                                .formatted(
                                        stage,
                                        plan.stages().size(),
                                        memory.least() / MEBIBYTE,
                                        (memory.program() - memory.total() + memory.least()) / MEBIBYTE,
                                        memory.weights() / MEBIBYTE,
                                        memory.gradients() / MEBIBYTE,
                                        memory.optimizer() / MEBIBYTE,
                                        memory.stashed() / MEBIBYTE,
                                        memory.activations() / MEBIBYTE,
                                        memory.frames() / MEBIBYTE,
                                        limit / MEBIBYTE));
            }
        }
    }

    private long shardBytes() {
        return PreparedDataset.largestShard(network.spec().task());
    }
}
