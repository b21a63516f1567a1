package org.fleetgrad.pipeline.schedule;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.pipeline.schedule.StageOrder.Op.Kind;

/**
 * What one stage does in one window, from an empty pipeline to its flush.
 *
 * <p>The rule sees only the stage's own counters: {@code f} forward and {@code b} backward passes done, of {@code n}
 * micro-batches. {@code d} is {@link PipelineScheduleSettings#depth} and {@code k} the micro-batches of a step. A stage goes
 * forward if
 *
 * <pre>
 * sequential:            f == b
 * 1f1b, virtual-1f1b:    f - b &lt;= d
 * pipedream:             f &lt; d, or f - b == d
 * gpipe:                 floor(f / k) == floor(b / k)
 * sync-1f1b:             floor(f / k) == floor(b / k), and f - b &lt;= d
 * </pre>
 *
 * and backward otherwise, and always once {@code f == n}. Immutable.
 *
 * @param settings     the schedule
 * @param place        the stage
 * @param microBatches number of micro-batches in the window, 0 or more
 */
public record StageOrder(PipelineScheduleSettings settings, StagePlace place, int microBatches) {

    public StageOrder {
        if (microBatches < 0) {
            throw new IllegalArgumentException(
                    "a window has 0 or more micro-batches; it has %d".formatted(microBatches));
        }
    }

    /** Returns whether the next pass is a forward pass, after this many passes. The window must not be finished. */
    public boolean isForwardNext(int forwards, int backwards) {
        if (forwards == microBatches) {
            return false;
        }
        int ahead = forwards - backwards;
        int depth = settings.depth(place);
        return switch (settings.schedule()) {
            case SEQUENTIAL -> ahead == 0;
            case ASYNC_1F1B, VIRTUAL_1F1B -> ahead <= depth;
            case PIPEDREAM -> forwards < depth || ahead == depth;
            case GPIPE -> isSameStep(forwards, backwards);
            case SYNC_1F1B -> isSameStep(forwards, backwards) && ahead <= depth;
        };
    }

    private boolean isSameStep(int forwards, int backwards) {
        return forwards / settings.stepEvery() == backwards / settings.stepEvery();
    }

    /** Returns the micro-batch of the next backward pass, after this many backward passes. */
    public int backward(int backwards) {
        if (!settings.lastFirst()) {
            return backwards;
        }
        int first = backwards / settings.stepEvery() * settings.stepEvery();
        int end = Math.min(first + settings.stepEvery(), microBatches);
        return end - 1 - (backwards - first);
    }

    /** Returns everything that the stage does, in order. */
    public List<Op> ops() {
        List<Op> ops = new ArrayList<>(2 * microBatches);
        int forwards = 0;
        int backwards = 0;
        while (backwards < microBatches) {
            if (isForwardNext(forwards, backwards)) {
                ops.add(new Op(Kind.FORWARD, forwards++));
            } else {
                ops.add(new Op(Kind.BACKWARD, backward(backwards++)));
            }
        }
        return ops;
    }

    /** Returns the letters of {@link #ops}, such as {@code FFBFBB}. */
    public String text() {
        StringBuilder text = new StringBuilder();
        ops().forEach(op -> text.append(op.kind().letter()));
        return text.toString();
    }

    /**
     * One operation of a stage on one micro-batch.
     *
     * @param kind       forward or backward
     * @param microBatch its place in the window, from 0
     */
    public record Op(Kind kind, int microBatch) {

        /** The direction of an operation. */
        public enum Kind {
            FORWARD('F'),
            BACKWARD('B');

            private final char letter;

            Kind(char letter) {
                this.letter = letter;
            }

            /** Returns F or B. */
            public char letter() {
                return letter;
            }
        }

        @Override
        public String toString() {
            return "" + kind.letter() + microBatch;
        }
    }
}
