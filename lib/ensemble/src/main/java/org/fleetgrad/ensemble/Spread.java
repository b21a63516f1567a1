package org.fleetgrad.ensemble;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.ensemble.Poll.Ballot;

/** How the members' numbers for one row are combined, and how far they are apart. */
final class Spread {

    private Spread() {}

    /**
     * Combines them.
     *
     * @param amounts one for each member, of one column; at least one
     */
    static EnsembleReply.Amount of(List<Ballot.Amount> amounts) {
        double[] values = amounts.stream().mapToDouble(Ballot.Amount::value).toArray();
        // Divided first: a sum of large numbers would overflow.
        double mean = Arrays.stream(values).map(value -> value / values.length).sum();
        double min = Arrays.stream(values).min().orElseThrow();
        double max = Arrays.stream(values).max().orElseThrow();
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean) / values.length)
                .sum();
        return new EnsembleReply.Amount(
                amounts.get(0).target().orElse(null), Math.max(min, Math.min(mean, max)), min, max, Math.sqrt(squares));
    }
}
