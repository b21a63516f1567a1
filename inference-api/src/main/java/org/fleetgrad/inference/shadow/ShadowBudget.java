package org.fleetgrad.inference.shadow;

/**
 * Grants computations of the shadow so that they take at most a share of the time that the served batches took. A computation is granted when
 * what it is expected to take was earned; what it takes more is a debt, which is earned before the next one. So the shadow never has more than its
 * share and the excess of its last computation. Thread-safe; one computation at a time.
 */
public final class ShadowBudget {

    /** The most nanoseconds that are saved up, so that no burst follows a time without anything to compare. */
    static final double CREDIT = 1e9;

    private final double share;
    private double earned;
    private double servedPerSample;
    private double shadowPerSample;
    private double expected;
    private long served;
    private long spent;

    /**
     * Makes a budget.
     *
     * @param share of the time of served batches, 0 to 1
     */
    public ShadowBudget(double share) {
        this.share = share;
    }

    /** Takes note of a served batch: its samples, and the nanoseconds that it took. */
    public synchronized void served(int samples, long nanos) {
        if (samples > 0) {
            served += nanos;
            earned = Math.min(CREDIT, earned + share * (double) nanos);
            servedPerSample = (double) nanos / samples;
        }
    }

    /** Asks for the computation of so many samples; if it is granted, {@link #end} must follow. */
    synchronized boolean begin(int samples) {
        // Before the first one, the newest version is expected to take what the served one does.
        double usual = samples * (shadowPerSample > 0 ? shadowPerSample : servedPerSample);
        // One that takes more than can be saved up is granted, too; then its excess is a debt.
        expected = Math.min(CREDIT, usual);
        if (expected <= 0 || earned < expected) {
            return false;
        }
        earned -= expected;
        return true;
    }

    /** Ends a computation that took so many nanoseconds. */
    synchronized void end(int samples, long nanos) {
        earned += expected - (double) nanos;
        spent += nanos;
        shadowPerSample = (double) nanos / samples;
    }

    double share() {
        return share;
    }

    /** Returns the nanoseconds that served batches took. */
    public synchronized long servedNanos() {
        return served;
    }

    /** Returns the nanoseconds that computations of the shadow took. */
    public synchronized long spentNanos() {
        return spent;
    }
}
