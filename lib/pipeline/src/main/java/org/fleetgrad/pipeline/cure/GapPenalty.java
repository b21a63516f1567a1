package org.fleetgrad.pipeline.cure;

import org.fleetgrad.optim.StalenessRule.GapAware;

/**
 * A stage shrinks each value of a gradient by how far its weight has moved since the forward pass. {@link GapAware} has the
 * formulas.
 *
 * @param rule        the decay of the penalty's average
 * @param where       the stages that do so
 * @param onlyForLoss whether the stashed weights serve only to measure the gap, while the backward pass uses the current
 *     ones (FTPipe's {@code gap_aware_just_loss})
 */
public record GapPenalty(GapAware rule, Where where, boolean onlyForLoss) {

    /** Which stages penalize; {@code depth} is the number of stages after one. */
    public enum Where {
        /** The last stage but one, where the staleness is at most 1. */
        DEPTH_ONE,
        /** Every stage but the last, which has no staleness. */
        ALL_BUT_LAST,
        /** Every stage but the last two. */
        ALL_BUT_LAST_TWO;

        /** Returns whether a stage with this many stages after it penalizes. */
        public boolean includes(int depth) {
            return switch (this) {
                case DEPTH_ONE -> depth == 1;
                case ALL_BUT_LAST -> depth >= 1;
                case ALL_BUT_LAST_TWO -> depth >= 2;
            };
        }
    }

    /** Returns the customary penalty on every stage but the last. */
    public static GapPenalty customary() {
        return new GapPenalty(new GapAware(0.999f), Where.ALL_BUT_LAST, false);
    }
}
