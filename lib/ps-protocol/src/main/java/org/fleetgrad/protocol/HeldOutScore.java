package org.fleetgrad.protocol;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figure of an evaluation that says which of two versions is better: the accuracy where a sample has one class, the loss of a
 * text, of predicted numbers and of several labels. Immutable.
 */
public sealed interface HeldOutScore {

    /** Returns whether this is better than another; false if the other is of another kind, since they do not compare. */
    boolean isBetterThan(HeldOutScore other);

    /** Returns how much worse this is than another, below 0 if it is better; infinite if the other is of another kind. */
    double distanceTo(HeldOutScore other);

    /** Returns the share of samples classified correctly, 0 to 1; empty if the loss is what counts. */
    Optional<Double> accuracy();

    /** Returns the mean cross-entropy, if it is known. */
    Optional<Double> loss();

    /** Returns the figure that counts. */
    double value();

    /**
     * Returns the score of an evaluation: empty if it is by a loss that is not known.
     *
     * @param accuracy null where numbers or labels are predicted
     * @param isOfText whether its tokens are what is predicted
     */
    static Optional<HeldOutScore> of(@Nullable Double accuracy, @Nullable Double loss, boolean isOfText) {
        if (isOfText || accuracy == null) {
            return Optional.ofNullable(loss).map(ByLoss::new);
        }
        return Optional.of(new ByAccuracy(accuracy, Optional.ofNullable(loss)));
    }

    /** Makes the score of a classification whose loss is not known. */
    static HeldOutScore ofAccuracy(double share) {
        return new ByAccuracy(share, Optional.empty());
    }

    /** A version that was evaluated. */
    record ScoredVersion(ParameterVersion version, HeldOutScore score) {}

    /**
     * The larger share is better; of equal ones the one with the smaller loss, if both are known.
     *
     * @param share of samples classified correctly, 0 to 1
     * @param loss  mean cross-entropy, if it is known
     */
    record ByAccuracy(double share, Optional<Double> loss) implements HeldOutScore {

        @Override
        public boolean isBetterThan(HeldOutScore other) {
            if (!(other instanceof ByAccuracy that)) {
                return false;
            }
            return share == that.share
                    ? loss.isPresent() && that.loss.isPresent() && loss.get() < that.loss.get()
                    : share > that.share;
        }

        @Override
        public double distanceTo(HeldOutScore other) {
            return other instanceof ByAccuracy that ? that.share - share : Double.POSITIVE_INFINITY;
        }

        @Override
        public Optional<Double> accuracy() {
            return Optional.of(share);
        }

        @Override
        public double value() {
            return share;
        }
    }

    /**
     * The smaller loss is better.
     *
     * @param nats mean cross-entropy of a token or of a label, or mean loss of a number
     */
    record ByLoss(double nats) implements HeldOutScore {

        @Override
        public boolean isBetterThan(HeldOutScore other) {
            return other instanceof ByLoss that && nats < that.nats;
        }

        @Override
        public double distanceTo(HeldOutScore other) {
            return other instanceof ByLoss that ? nats - that.nats : Double.POSITIVE_INFINITY;
        }

        @Override
        public Optional<Double> accuracy() {
            return Optional.empty();
        }

        @Override
        public Optional<Double> loss() {
            return Optional.of(nats);
        }

        @Override
        public double value() {
            return nats;
        }
    }
}
