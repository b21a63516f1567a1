package org.fleetgrad.pipeline.cut;

import java.util.stream.Stream;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.fleetgrad.pipeline.schedule.StageStaleness;
import org.fleetgrad.pipeline.stage.TiedTensor;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The peak resident memory of a stage's program, in bytes. The JVM's heap is bounded by {@link #heap}, which is its maximum
 * size; everything else is libtorch's.
 *
 * @param program     its memory with an empty network: JVM, libtorch, and their code
 * @param weights     the live parameters in the optimizer and, unless they are predicted, in the engine; and the state
 * @param gradients   the one of a backward pass, and their sum
 * @param optimizer   the optimizer's arrays, such as the momentum, and those of the cures
 * @param stashed     other versions of the parameters in the engine; on the last stage its copy of a tied tensor with its gradient
 * @param activations saved for micro-batches in flight, and the workspace of one of them
 * @param frames      frames from and to other stages, also of a tied tensor, and the shard that is read
 */
public record StageMemory(
        long program, long weights, long gradients, long optimizer, long stashed, long activations, long frames) {

    /**
     * Code of JVM and libtorch that is mapped from files, and resident while there is no memory pressure. In a container the
     * kernel evicts such pages before it kills a process, and reads them again when they are needed.
     */
    public static final long CODE = 100L << 20;

    /** The part of the code that a training step needs. The kernel can evict the remaining pages without harm. */
    private static final long CODE_IN_USE = 40L << 20;

    /** libtorch's tables of operators, the JVM's classes, its compiled code, stacks. */
    private static final long NATIVE = 78L << 20;

    /** The program's own objects in the heap, and short-lived objects. */
    private static final long HEAP = 24L << 20;

    /** Reordered copies that oneDNN makes for one pass of a convolution: of the weights, and of their gradient. */
    private static final int FORMS_OF_WEIGHTS = 2;

    /** An incoming frame that is in use, and one in flight. */
    private static final int IN_USE_AND_IN_FLIGHT = 2;

    /** Incoming frames of a border; two are queued. */
    private static final int INCOMING = 2 + IN_USE_AND_IN_FLIGHT;

    /** Outgoing frames: one being made, one queued, one in flight. */
    private static final int OUTGOING = 3;

    /** The bytes as read, and the decoded shard. */
    private static final int COPIES_OF_SHARD = 2;

    /**
     * What a stage holds at most at the same time, as far as it depends on how the pipeline trains.
     *
     * @param samples         of one micro-batch
     * @param microBatches    between their forward and backward passes
     * @param versions        copies of the parameters in the engine
     * @param optimizerArrays values per parameter of the optimizer and the cures: 1 for momentum, 2 for Adam; one more to
     *     predict or to measure a gap from stashed weights, and one more for the penalty's mean
     * @param isRecomputing   whether a stage keeps only its input, and recomputes the other activations
     * @param shardBytes      of the largest shard
     * @param tiedFrames      frames of a tied tensor that may wait in the first and the last stage
     */
    public record Use(
            int samples,
            int microBatches,
            int versions,
            int optimizerArrays,
            boolean isRecomputing,
            long shardBytes,
            int tiedFrames) {

        /** Returns what a stage holds when a pipeline trains like this, once the window is long enough. */
        public static Use of(Combination combination, StagePlace place, int samples, long shardBytes) {
            return new Use(
                    samples,
                    combination.schedule().inFlight(place),
                    versions(combination, place),
                    optimizerArrays(combination, place),
                    combination.recompute(),
                    shardBytes,
                    combination.schedule().tiedFrames(place.stages()));
        }

        private static int versions(Combination combination, StagePlace place) {
            StageStaleness staleness = StageStaleness.of(combination.schedule(), place);
            if (combination.predictionAt(place).isEmpty()) {
                return combination.stash() ? staleness.liveVersions() : 1;
            }
            // Each micro-batch has its own predicted weights; the optimizer has the live ones. Predicted weights
            // that no backward pass uses are freed after the forward pass.
            return combination.stash() || !combination.recompute() ? staleness.depth() + 1 : 1;
        }

        private static int optimizerArrays(Combination combination, StagePlace place) {
            boolean isPenalizing = combination.gapPenaltyAt(place).isPresent();
            boolean isPredicting = combination
                    .predictionAt(place)
                    .filter(prediction -> place.depth() > 0 || prediction.nesterov())
                    .isPresent();
            // The predicted weights and the reference weights of the gap share one array.
            boolean needsScratch = isPredicting || (isPenalizing && combination.stash());
            return combination.optimizer().bufferCount() + (isPenalizing ? 1 : 0) + (needsScratch ? 1 : 0);
        }
    }

    /** Computes the memory of a stage. */
    public static StageMemory of(BlockRange stage, Use use) {
        long parameters = Float.BYTES * stage.parameters().elementCount();
        long input = bytes(stage.input());
        long output = bytes(stage.output());
        // The graph also keeps its output, the source of the next stage's frame.
        long kept = SavedActivations.bytesOfSample(stage.layers(), stage.input()) + output;
        // Two pairs: the arrays of a layer, and in the backward pass their gradients.
        long work = 2 * SavedActivations.workOfSample(stage.layers(), stage.input());
        // The last stage runs backward immediately; there is nothing to recompute.
        boolean isRecomputing = use.isRecomputing() && !stage.isLast();
        int graphs = isRecomputing ? 1 : use.microBatches();
        // For recomputation, the inputs are retained as frames.
        long inputs = (isRecomputing ? use.microBatches() : 0L) + (stage.isFirst() ? 1 : INCOMING + OUTGOING);
        long outputs = stage.isLast() ? 0 : INCOMING + OUTGOING;
        long tied = TiedTensor.of(stage).map(each -> each.tensor().byteLength()).orElse(0L);
        long copy = stage.tied().size() == 0 ? 0 : 2 * tied;
        long shard = stage.isFirst() || stage.isLast() ? COPIES_OF_SHARD * use.shardBytes() : 0;
        return new StageMemory(
                CODE + NATIVE + HEAP,
                2 * parameters + 2 * Float.BYTES * stage.state().elementCount(),
                2 * parameters,
                use.optimizerArrays() * parameters,
                (use.versions() - 1) * parameters + copy,
                use.samples() * (graphs * kept + work) + FORMS_OF_WEIGHTS * largest(stage),
                use.samples() * (inputs * input + outputs * output)
                        + shard
                        + (use.tiedFrames() + IN_USE_AND_IN_FLIGHT + OUTGOING) * tied);
    }

    private static long bytes(Iterable<Integer> sample) {
        long bytes = Float.BYTES;
        for (int side : sample) {
            bytes = Math.multiplyExact(bytes, side);
        }
        return bytes;
    }

    private static long largest(BlockRange stage) {
        return Stream.of(stage.parameters(), stage.tied())
                .flatMap(layout -> layout.specs().stream())
                .mapToLong(TensorSpec::byteLength)
                .max()
                .orElse(0);
    }

    /** Returns all bytes together: the resident memory of a program without a limit. */
    public long total() {
        return program + weights + gradients + optimizer + stashed + activations + frames;
    }

    /** Returns how much a container must allow: all but the code that the kernel can evict. */
    public long least() {
        return total() - CODE + CODE_IN_USE;
    }

    /** Returns the size of the JVM's heap. Weights and gradients are in it once each, and once in libtorch's memory. */
    public long heap() {
        return HEAP + weights / 2 + gradients / 2 + optimizer + frames;
    }
}
