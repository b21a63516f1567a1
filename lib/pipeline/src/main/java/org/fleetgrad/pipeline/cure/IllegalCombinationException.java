package org.fleetgrad.pipeline.cure;

/** Parts of a {@link Combination} do not go together. The message is the rule, with what to write instead. */
public final class IllegalCombinationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final CombinationRule rule;

    IllegalCombinationException(CombinationRule rule, String message) {
        super(message);
        this.rule = rule;
    }

    /** Returns the rule that refused. */
    public CombinationRule rule() {
        return rule;
    }
}
