package org.fleetgrad.cli.pipeline;

import java.util.List;
import org.fleetgrad.cli.settings.PipelineSettings;
import org.fleetgrad.cli.settings.StagePlaces;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cut.Cut;

/**
 * The heap of a stage's JVM. The optimizer's arrays and the frames live there; what libtorch computes with does not.
 *
 * @param settings of the run
 * @param cut      of the network
 * @param stage    from 0
 */
record StageHeap(PipelineSettings settings, Cut cut, int stage) {

    /** JVM, a shard while it is read, and what dies young. */
    private static final long PROGRAM_BYTES = 96L << 20;

    /** In a container, libtorch needs the rest. */
    private static final double SHARE_OF_CONTAINER = 0.45;

    /** Parameters, gradient, prediction, base of the gap, and copies on the way to libtorch and to the disk. */
    private static final int COPIES = 6;

    private static final int FRAMES_IN_HAND = 4;

    /** Returns the largest heap. */
    long bytes() {
        BlockRange range = cut.stages().get(stage);
        long parameters = Float.BYTES * range.parameters().elementCount();
        long state = Float.BYTES * range.state().elementCount();
        long arrays = (COPIES + 2L * settings.optimizer().arrays()) * parameters + 2 * state;
        long waiting = settings.stages() - stage + (long) FRAMES_IN_HAND;
        int inFlight = Math.max(settings.cures().stepEvery(), settings.stages() - stage);
        long frames = (waiting * 2 + inFlight) * (bytes(range.input()) + bytes(range.output()));
        long wanted = PROGRAM_BYTES + arrays + frames;
        return settings.places() == StagePlaces.DOCKER
                ? Math.min(
                        wanted, (long) (SHARE_OF_CONTAINER * settings.memory().orElse(Long.MAX_VALUE)))
                : wanted;
    }

    private long bytes(List<Integer> sample) {
        long bytes = (long) Float.BYTES * settings.microBatch();
        for (int side : sample) {
            bytes *= side;
        }
        return bytes;
    }
}
