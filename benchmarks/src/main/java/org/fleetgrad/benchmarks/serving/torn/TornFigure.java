package org.fleetgrad.benchmarks.serving.torn;

/**
 * How many answers are torn.
 *
 * @param network        the network
 * @param images         images of each request
 * @param stepsPerSecond versions that the training made in a second
 * @param answers        answers that were compared
 * @param overlapped     answers that say that a load came between
 * @param torn           answers with the bits of no version
 * @param ofNoClass      torn answers with an image whose class is that of none of the versions
 */
public record TornFigure(
        String network, int images, double stepsPerSecond, long answers, long overlapped, long torn, long ofNoClass) {

    /** Returns the share of all answers that say that a load came between. */
    public double overlappedShare() {
        return share(overlapped);
    }

    /** Returns the share of all answers that are torn. */
    public double tornShare() {
        return share(torn);
    }

    private double share(long part) {
        return answers == 0 ? 0 : (double) part / answers;
    }
}
