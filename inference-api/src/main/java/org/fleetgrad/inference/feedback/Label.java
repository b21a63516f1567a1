package org.fleetgrad.inference.feedback;

/** The true label of a prediction, as feedback states it. */
public sealed interface Label {

    /** It is not known. */
    record Unknown() implements Label {}

    /** A class, by its name. */
    record Named(String name) implements Label {}

    /**
     * A class by its number, or the number that was predicted.
     *
     * @param value may be infinite, if the text is of a number that is too large
     */
    record Numbered(double value) implements Label {}
}
