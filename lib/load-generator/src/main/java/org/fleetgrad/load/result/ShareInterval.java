package org.fleetgrad.load.result;

/**
 * The 95% confidence interval of a share, by Wilson's formula, which also holds near 0 and 1.
 *
 * @param low  NaN if there is nothing to share
 * @param high likewise
 */
record ShareInterval(double low, double high) {

    /** Quantile of the normal distribution. */
    private static final double Z = 1.959964;

    static ShareInterval of(long right, long total) {
        if (total == 0) {
            return new ShareInterval(Double.NaN, Double.NaN);
        }
        double share = (double) right / total;
        double center = share + Z * Z / (2 * total);
        double half = Z * Math.sqrt(share * (1 - share) / total + Z * Z / (4.0 * total * total));
        double scale = 1 + Z * Z / total;
        return new ShareInterval(Math.max(0, (center - half) / scale), Math.min(1, (center + half) / scale));
    }
}
