package org.fleetgrad.reports;

import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The held-out result at which a run ends. Immutable. */
public sealed interface RunTarget {

    /** Returns the target of which one figure at most is given; none without one. */
    static RunTarget of(
            @Nullable Double accuracy, @Nullable Double loss, @Nullable Double r2, @Nullable Double microF1) {
        if (loss != null) {
            return new Loss(loss);
        }
        if (r2 != null) {
            return new R2(r2);
        }
        if (microF1 != null) {
            return new MicroF1(microF1);
        }
        return accuracy == null ? new None() : new Accuracy(accuracy);
    }

    /** Returns whether a held-out result reaches it. A figure that was not reported reaches nothing. */
    boolean isReached(HeldOut heldOut);

    /** Returns the accuracy to reach; empty if it is none. */
    default OptionalDouble accuracy() {
        return OptionalDouble.empty();
    }

    /** Returns the loss to reach; empty if it is none. */
    default OptionalDouble loss() {
        return OptionalDouble.empty();
    }

    /** Returns the coefficient of determination to reach; empty if it is none. */
    default OptionalDouble r2() {
        return OptionalDouble.empty();
    }

    /** Returns the micro F1 of labels to reach; empty if it is none. */
    default OptionalDouble microF1() {
        return OptionalDouble.empty();
    }

    /**
     * What an evaluation says that a target may be compared with.
     *
     * @param accuracy share of right answers; null where numbers or labels are predicted
     * @param loss     mean loss
     * @param r2       coefficient of determination of predicted numbers
     * @param microF1  F1 over several labels together
     */
    record HeldOut(
            @Nullable Double accuracy,
            @Nullable Double loss,
            @Nullable Double r2,
            @Nullable Double microF1) {}

    /**
     * An accuracy or a better one.
     *
     * @param share above 0, up to 1
     */
    record Accuracy(double share) implements RunTarget {

        @Override
        public boolean isReached(HeldOut heldOut) {
            return heldOut.accuracy() != null && heldOut.accuracy() >= share;
        }

        @Override
        public OptionalDouble accuracy() {
            return OptionalDouble.of(share);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.2f%%", share * 100);
        }
    }

    /**
     * A held-out loss or a smaller one.
     *
     * @param value above 0
     */
    record Loss(double value) implements RunTarget {

        @Override
        public boolean isReached(HeldOut heldOut) {
            return heldOut.loss() != null && heldOut.loss() <= value;
        }

        @Override
        public OptionalDouble loss() {
            return OptionalDouble.of(value);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "a held-out loss of %.4f", value);
        }
    }

    /**
     * A coefficient of determination or a larger one, of predicted numbers.
     *
     * @param value above 0, up to 1
     */
    record R2(double value) implements RunTarget {

        @Override
        public boolean isReached(HeldOut heldOut) {
            return heldOut.r2() != null && heldOut.r2() >= value;
        }

        @Override
        public OptionalDouble r2() {
            return OptionalDouble.of(value);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "an R2 of %.4f", value);
        }
    }

    /**
     * A micro F1 or a larger one, of several labels.
     *
     * @param value above 0, up to 1
     */
    record MicroF1(double value) implements RunTarget {

        @Override
        public boolean isReached(HeldOut heldOut) {
            return heldOut.microF1() != null && heldOut.microF1() >= value;
        }

        @Override
        public OptionalDouble microF1() {
            return OptionalDouble.of(value);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "a micro F1 of %.4f", value);
        }
    }

    /** The run ends after its epochs or steps. */
    record None() implements RunTarget {

        @Override
        public boolean isReached(HeldOut heldOut) {
            return false;
        }

        @Override
        public String toString() {
            return "none";
        }
    }
}
