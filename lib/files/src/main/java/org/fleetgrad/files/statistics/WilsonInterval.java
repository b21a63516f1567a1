package org.fleetgrad.files.statistics;

/**
 * The 95% confidence interval of a share (E. B. Wilson 1927): of all shares p, those for which the observed one is at most 1.96 standard
 * errors {@code sqrt(p (1 - p) / n)} away. Unlike the usual one it holds for few observations, and for shares near 0 and 1.
 *
 * @param low  its lower end, 0 or more
 * @param high its upper end, 1 or less
 */
public record WilsonInterval(double low, double high) {

    /** The 97.5% quantile of the normal distribution. */
    static final double Z = 1.959963984540054;

    /** Computes the interval of {@code right} of {@code count} observations, 1 or more. */
    public static WilsonInterval of(long right, long count) {
        double n = (double) count;
        double share = (double) right / n;
        double z2 = Z * Z / n;
        double center = (share + z2 / 2) / (1 + z2);
        double half = Z / (1 + z2) * Math.sqrt(share * (1 - share) / n + z2 / (4 * n));
        // At 0 and at 1 an end is the share itself, but for the last bits.
        return new WilsonInterval(right == 0 ? 0 : center - half, right == count ? 1 : center + half);
    }
}
