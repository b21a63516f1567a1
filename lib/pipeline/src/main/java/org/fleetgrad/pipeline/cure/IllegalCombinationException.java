package org.fleetgrad.pipeline.cure;

/** Parts of a {@link Combination} are not compatible. The message is the rule, with what to write instead. */
public final class IllegalCombinationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final CombinationRule rule;

    IllegalCombinationException(CombinationRule rule, String message) {
        super(message);
        this.rule = rule;
    }

    /** Returns the broken rule. */
    public CombinationRule rule() {
        return rule;
    }
}
