package org.fleetgrad.inference.evaluation;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.fleetgrad.protocol.HeldOutScore;
import org.jspecify.annotations.Nullable;

/**
 * Says when the next evaluation is due, so that evaluations leave the processors to the training. They take a share
 * of one processor, which is saved up to a credit: the beginning of a run, where it changes most, uses that up. Near its target
 * a run waits for them, and so it does when its workers have ended: then they may take a quarter of a processor. Confined to one
 * thread.
 */
public final class EvaluationPace {

    /** The most time of one processor that is saved up. */
    private static final double CREDIT = (double) Duration.ofSeconds(2).toNanos();
    /** Pauses three times as long as the evaluation took: it takes at most a quarter of a processor from training. */
    private static final int SHORTEST_PAUSE = 3;
    /** A share of errors is near the target's if it is at most so many times as large. */
    private static final double NEAR_ERRORS = 1.5;
    /** A loss is near the target if it is at most so many times as large. */
    private static final double NEAR_LOSS = 1.2;

    /** Far below the largest long, so that no sum overflows. */
    private static final double LONGEST_PAUSE = (double) Duration.ofDays(1).toNanos();

    private final Duration interval;
    private final double share;
    private final OptionalDouble target;
    private final LongSupplier nanos;
    /** Nanoseconds of one processor that evaluations took beyond their share; below 0 is what is saved up. */
    private double debt = -CREDIT;

    private long paidAt;
    private long due;
    private long dueAlone;
    private @Nullable Scored last;

    /** An excess over what is near the target, 0 or less if it is near, and when it was known. */
    private record Scored(double excess, long at) {}

    /**
     * Makes a pace.
     *
     * @param interval shortest pause between two evaluations
     * @param share    of one processor, above 0, up to 1
     * @param target   score at which the run ends, of the kind that its evaluations have; empty if none does
     * @param nanos    a clock such as {@link System#nanoTime}
     */
    public EvaluationPace(Duration interval, double share, OptionalDouble target, LongSupplier nanos) {
        this.interval = interval;
        this.share = share;
        this.target = target;
        this.nanos = nanos;
        this.paidAt = nanos.getAsLong();
        this.due = paidAt;
        this.dueAlone = paidAt;
    }

    /** Takes note of an evaluation that has just ended. */
    void ended(Duration took, HeldOutScore score) {
        long now = nanos.getAsLong();
        debt = Math.max(-CREDIT, debt - share * (double) (now - paidAt)) + (double) took.toNanos();
        paidAt = now;
        Scored scored = new Scored(excess(score), now);
        double pause = Math.min(debt / share, untilNear(scored));
        last = scored;
        double shortest = Math.max((double) interval.toNanos(), SHORTEST_PAUSE * (double) took.toNanos());
        dueAlone = now + (long) Math.min(LONGEST_PAUSE, shortest);
        due = now + (long) Math.min(LONGEST_PAUSE, Math.max(shortest, pause));
    }

    /** Returns the time until the next evaluation is due while workers train; zero if it is. */
    Duration untilDue() {
        return Duration.ofNanos(Math.max(0, due - nanos.getAsLong()));
    }

    /** Returns the time until the next evaluation is due while no worker is registered; zero if it is. */
    Duration untilDueAlone() {
        return Duration.ofNanos(Math.max(0, dueAlone - nanos.getAsLong()));
    }

    /** Returns the pause before the next look for a version: the interval, or longer after a long evaluation. */
    Duration pause() {
        Duration alone = untilDueAlone();
        return interval.compareTo(alone) > 0 ? interval : alone;
    }

    /** Returns the nanoseconds until the run is near its target if it goes on like this; infinite if it does not come nearer. */
    private double untilNear(Scored now) {
        if (now.excess <= 0) {
            return 0;
        }
        if (last == null || last.excess <= now.excess) {
            return Double.POSITIVE_INFINITY;
        }
        return now.excess * (double) (now.at - last.at) / (last.excess - now.excess);
    }

    private double excess(HeldOutScore score) {
        if (target.isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        double aim = target.getAsDouble();
        return score.accuracy()
                .map(share -> (1 - share) - NEAR_ERRORS * (1 - aim))
                .orElseGet(() -> score.value() - NEAR_LOSS * aim);
    }
}
