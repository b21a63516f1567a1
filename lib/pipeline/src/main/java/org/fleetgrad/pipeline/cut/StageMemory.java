package org.fleetgrad.pipeline.cut;

import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The most resident memory that the program of a stage takes, in bytes. Everything in the JVM's heap is bounded by
 * {@link #heap}, since the heap is made just so large; everything else is libtorch's.
 *
 * @param program     what it takes with a network of no size: JVM, libtorch, and their code
 * @param weights     the live parameters in the optimizer and, unless they are predicted, in the engine; and the state
 * @param gradients   the one of a backward pass, and their sum
 * @param optimizer   the optimizer's arrays, such as the momentum, and those of the cures
 * @param stashed     other versions of the parameters in the engine
 * @param activations what is kept of micro-batches in flight, and the work on one of them
 * @param frames      what comes from and goes to other stages, and the shard that is read
 */
public record StageMemory(
        long program, long weights, long gradients, long optimizer, long stashed, long activations, long frames) {

    /**
     * Code of JVM and libtorch that is mapped from files, and resident because nobody else wants the memory. In a container
     * the kernel drops such pages before it kills anybody, and reads them again when they are needed.
     */
    public static final long CODE = 100L << 20;

    /** Of the code, what a training step needs. The kernel can drop the rest without harm. */
    private static final long CODE_IN_USE = 40L << 20;

    /** libtorch's tables of operators, the JVM's classes, its compiled code, stacks. */
    private static final long NATIVE = 78L << 20;

    /** The program's own objects in the heap, and what dies young. */
    private static final long HEAP = 24L << 20;

    /** Forms of a convolution's weights that oneDNN makes for one pass: of the weights, and of their gradient. */
    private static final int FORMS_OF_WEIGHTS = 2;

    /** Frames that come over a border: one is used, two wait, one is on its way. */
    private static final int INCOMING = 4;

    /** Frames that leave: one is made, one waits, one is on its way. */
    private static final int OUTGOING = 3;

    /** As it is read, and as it is used. */
    private static final int COPIES_OF_SHARD = 2;

    /**
     * What a run does that memory follows from.
     *
     * @param samples         of one micro-batch
     * @param optimizerArrays how many values the optimizer and the cures have for each parameter: 1 for momentum, 2 for Adam;
     *     one more to predict or to measure a gap from stashed weights, and one more for the penalty's mean
     * @param isRecomputing   whether a stage keeps its input only, and computes the rest again
     * @param shardBytes      of the largest shard
     */
    public record Use(int samples, int optimizerArrays, boolean isRecomputing, long shardBytes) {}

    /** Computes the memory of a stage. */
    public static StageMemory of(BlockRange stage, Use use, InFlight held) {
        long parameters = Float.BYTES * stage.parameters().elementCount();
        long input = bytes(stage.input());
        long output = bytes(stage.output());
        // The graph keeps its output, too, which the next stage's frame was copied from.
        long kept = KeptActivations.bytesOfSample(stage.layers(), stage.input()) + output;
        // Two such pairs: the arrays of a layer, and in the backward pass their gradients.
        long work = 2 * KeptActivations.workOfSample(stage.layers(), stage.input());
        // The last stage goes backward at once; there is nothing to compute again.
        boolean isRecomputing = use.isRecomputing() && !stage.isLast();
        int graphs = isRecomputing ? 1 : held.microBatches();
        // To compute again, the inputs stay as frames.
        long inputs = (isRecomputing ? held.microBatches() : 0L) + (stage.isFirst() ? 1 : INCOMING + OUTGOING);
        long outputs = stage.isLast() ? 0 : INCOMING + OUTGOING;
        long shard = stage.isFirst() || stage.isLast() ? COPIES_OF_SHARD * use.shardBytes() : 0;
        return new StageMemory(
                CODE + NATIVE + HEAP,
                2 * parameters + 2 * Float.BYTES * stage.state().elementCount(),
                2 * parameters,
                use.optimizerArrays() * parameters,
                (held.versions() - 1) * parameters,
                use.samples() * (graphs * kept + work) + FORMS_OF_WEIGHTS * largest(stage),
                use.samples() * (inputs * input + outputs * output) + shard);
    }

    private static long bytes(Iterable<Integer> sample) {
        long bytes = Float.BYTES;
        for (int side : sample) {
            bytes = Math.multiplyExact(bytes, side);
        }
        return bytes;
    }

    private static long largest(BlockRange stage) {
        return stage.parameters().specs().stream()
                .mapToLong(TensorSpec::byteLength)
                .max()
                .orElse(0);
    }

    /** Returns all bytes together: the resident memory of a program that nobody hinders. */
    public long total() {
        return program + weights + gradients + optimizer + stashed + activations + frames;
    }

    /** Returns how much a container must allow: all but the code that the kernel can drop. */
    public long least() {
        return total() - CODE + CODE_IN_USE;
    }

    /** Returns the size of the JVM's heap. Weights and gradients are in it once each, and once in libtorch's memory. */
    public long heap() {
        return HEAP + weights / 2 + gradients / 2 + optimizer + frames;
    }
}
