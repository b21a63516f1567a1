package org.fleetgrad.inference.prediction;

/** What a client sent holds no images that can be classified; the message says why, with every number. */
public final class InvalidImagesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The ways in which images can be wrong. */
    public enum Rule {
        /** Not JSON, or of another structure, size or range than images have. */
        MALFORMED,
        /** More images than accepted at once. */
        TOO_MANY,
        /** A file that cannot be decoded, or has too many pixels. */
        UNREADABLE
    }

    private final Rule rule;

    InvalidImagesException(Rule rule, String message) {
        super(message);
        this.rule = rule;
    }

    InvalidImagesException(Rule rule, String message, Throwable cause) {
        super(message, cause);
        this.rule = rule;
    }

    /** Returns the way in which they are wrong. */
    public Rule rule() {
        return rule;
    }
}
