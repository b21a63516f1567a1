package org.fleetgrad.pipeline.cut;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cut.BlockTimes.StageCost;

/**
 * A network cut into stages: each has consecutive blocks, and each block is in one stage. A tensor that the first and the last
 * block share is the first stage's; the last one has a copy. Immutable.
 *
 * @param stages in the order of computation
 */
public record Cut(List<BlockRange> stages) {

    public Cut {
        stages = List.copyOf(stages);
    }

    /**
     * Cuts so that the cost of the most expensive stage is minimal.
     *
     * @throws IllegalArgumentException if there are more stages than blocks, with both numbers
     */
    public static Cut balanced(NetworkDefinition network, int stages, StageCost cost) {
        requireStages(network, stages);
        return at(network, Balance.starts(network.blocks().size(), stages, cost));
    }

    /**
     * Cuts before the named blocks.
     *
     * @param firsts the first block of each stage but the first
     * @throws IllegalArgumentException if there is no such block, or they are not in order; the message lists the existing
     *     blocks
     */
    public static Cut byHand(NetworkDefinition network, List<String> firsts) {
        requireStages(network, firsts.size() + 1);
        List<String> names = network.blocks().stream().map(Block::name).toList();
        int[] starts = new int[firsts.size() + 1];
        for (int i = 0; i < firsts.size(); i++) {
            String name = firsts.get(i);
            int index = names.indexOf(name);
            if (index < 0) {
                throw new IllegalArgumentException("%s has no block '%s' to cut before; its blocks are %s"
                        .formatted(network.spec().name(), name, String.join(", ", names)));
            }
            if (index == 0) {
                throw new IllegalArgumentException(
                        "a cut before '%s', the first block, leaves no block for the first stage; write one of %s"
                                .formatted(name, String.join(", ", names.subList(1, names.size()))));
            }
            if (index <= starts[i]) {
                throw new IllegalArgumentException(
                        "the cuts must be in the order of the network, each block once: '%s' does not come after '%s'; the blocks are %s"
                                .formatted(name, firsts.get(i - 1), String.join(", ", names)));
            }
            starts[i + 1] = index;
        }
        return at(network, starts);
    }

    private static void requireStages(NetworkDefinition network, int stages) {
        int blocks = network.blocks().size();
        if (stages < 1 || stages > blocks) {
            throw new IllegalArgumentException(
                    "%s has %d blocks and cannot be cut into %d stages; write a number from 1 to %d"
                            .formatted(network.spec().name(), blocks, stages, blocks));
        }
    }

    private static Cut at(NetworkDefinition network, int[] starts) {
        List<BlockRange> stages = new ArrayList<>();
        for (int i = 0; i < starts.length; i++) {
            int end = i + 1 < starts.length ? starts[i + 1] : network.blocks().size();
            stages.add(BlockRange.of(network, starts[i], end));
        }
        return new Cut(stages);
    }

    /** Returns the first block of each stage but the first: the argument of {@link #byHand}. */
    public String text() {
        return stages.stream()
                .skip(1)
                .map(stage -> stage.blocks().get(0).name())
                .collect(Collectors.joining(","));
    }
}
