package org.fleetgrad.serving.images;

/** The body of a request has no images that can be classified; the message says why, with every number. */
public final class InvalidImagesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of invalid images. */
    public enum Rule {
        /** The body is not JSON, or its structure, sizes or values are wrong. */
        MALFORMED,
        /** More images than allowed in one request, or more memory than all requests may take. */
        TOO_MANY,
        /** A file that cannot be decoded, or has too many pixels. */
        UNREADABLE,
        /** Texts, of whose tokenizer nobody has the file. */
        NO_TOKENIZER,
        /** The samples of other requests have the memory; retry later. */
        BUSY
    }

    private final Rule rule;

    /** Says what is wrong. */
    public InvalidImagesException(Rule rule, String message) {
        super(message);
        this.rule = rule;
    }

    /** Says what is wrong, with the cause. */
    public InvalidImagesException(Rule rule, String message, Throwable cause) {
        super(message, cause);
        this.rule = rule;
    }

    /** Returns the kind. */
    public Rule rule() {
        return rule;
    }
}
