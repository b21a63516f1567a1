package org.fleetgrad.pipeline.run;

import java.util.Optional;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.pipeline.training.StageSettings.StepRates;

/**
 * Cuts a run into windows: a flush follows a number of steps, at the end of each epoch, and at the end of the run. The end
 * of an epoch ends a step too, so the number of steps does not depend on how often the run is flushed.
 *
 * @param order      the micro-batches
 * @param stepEvery  micro-batches of a step, 1 or more
 * @param flushEvery steps between two flushes; 0 for the ends of epochs only
 * @param epochs     of the run, 1 or more
 * @param maxSteps   of the run; 0 for no limit
 */
public record Windows(BatchOrder order, int stepEvery, long flushEvery, int epochs, long maxSteps) {

    public Windows {
        if (stepEvery < 1 || flushEvery < 0 || epochs < 1 || maxSteps < 0) {
            throw new IllegalArgumentException(
                    "a run has steps of 1 or more micro-batches, 1 or more epochs, and limits from 0; they are %d, %d, a flush every %d steps and %d steps"
                            .formatted(stepEvery, epochs, flushEvery, maxSteps));
        }
    }

    /** Returns the number of steps of an epoch. */
    public long stepsPerEpoch() {
        return (order.perEpoch() - 1L) / stepEvery + 1;
    }

    /** Returns the number of steps before a flush at this micro-batch. */
    public long steps(long microBatch) {
        long ofEpoch = (microBatch % order.perEpoch() + stepEvery - 1) / stepEvery;
        return microBatch / order.perEpoch() * stepsPerEpoch() + ofEpoch;
    }

    /** Returns the index of the first micro-batch of a step; {@code step} counts from 0 over all epochs. */
    public long firstOf(long step) {
        return step / stepsPerEpoch() * order.perEpoch() + step % stepsPerEpoch() * stepEvery;
    }

    /** Returns the learning rate of each step, by the number of samples before it. */
    public StepRates rates(LearningRateSchedule schedule) {
        return step -> schedule.at(order.samplesBefore(firstOf(step)));
    }

    /** Returns the index after the last micro-batch of the run. */
    public long end() {
        long all = (long) epochs * order.perEpoch();
        return maxSteps == 0 ? all : Math.min(all, firstOf(maxSteps));
    }

    /**
     * Returns the window that begins at a flush; empty at the end of the run.
     *
     * @param from index of a micro-batch at which the pipeline is empty
     */
    public Optional<Window> at(long from) {
        if (from >= end()) {
            return Optional.empty();
        }
        long endOfEpoch = (from / order.perEpoch() + 1) * order.perEpoch();
        long to = Math.min(endOfEpoch, end());
        if (flushEvery > 0) {
            // Counted from the beginning of the epoch, so that a resumed run keeps the same flushes.
            long stepOfEpoch = steps(from) % stepsPerEpoch();
            long next = steps(from) + flushEvery - stepOfEpoch % flushEvery;
            to = Math.min(to, firstOf(next));
        }
        return Optional.of(new Window(from, Math.toIntExact(to - from)));
    }

    /**
     * A part of a run, from an empty pipeline to its flush.
     *
     * @param from  index of its first micro-batch in the run, from 0
     * @param count number of micro-batches, 1 or more
     */
    public record Window(long from, int count) {

        /** Returns the index of the first micro-batch after it. */
        public long end() {
            return from + count;
        }
    }
}
