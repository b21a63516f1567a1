package org.fleetgrad.pipeline.schedule;

/**
 * One operation of a stage on one micro-batch.
 *
 * @param kind       forward or backward
 * @param microBatch its place in the window, from 0
 */
public record Op(Kind kind, int microBatch) {

    /** The direction of an operation. */
    public enum Kind {
        FORWARD('F'),
        BACKWARD('B');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        /** Returns F or B. */
        public char letter() {
            return letter;
        }
    }

    @Override
    public String toString() {
        return "" + kind.letter() + microBatch;
    }
}
