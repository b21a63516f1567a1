package org.fleetgrad.reports;

import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The held-out result at which a run ends. Immutable. */
public sealed interface RunTarget {

    /** Returns whether a held-out result reaches it. A figure that was not reported reaches nothing. */
    boolean isReached(@Nullable Double accuracy, @Nullable Double heldOutLoss);

    /** Returns the accuracy to reach; empty if it is none. */
    default OptionalDouble accuracy() {
        return OptionalDouble.empty();
    }

    /** Returns the loss to reach; empty if it is none. */
    default OptionalDouble loss() {
        return OptionalDouble.empty();
    }

    /**
     * An accuracy or a better one.
     *
     * @param share above 0, up to 1
     */
    record Accuracy(double share) implements RunTarget {

        @Override
        public boolean isReached(@Nullable Double accuracy, @Nullable Double heldOutLoss) {
            return accuracy != null && accuracy >= share;
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
        public boolean isReached(@Nullable Double accuracy, @Nullable Double heldOutLoss) {
            return heldOutLoss != null && heldOutLoss <= value;
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

    /** The run ends after its epochs or steps. */
    record None() implements RunTarget {

        @Override
        public boolean isReached(@Nullable Double accuracy, @Nullable Double heldOutLoss) {
            return false;
        }

        @Override
        public String toString() {
            return "none";
        }
    }
}
