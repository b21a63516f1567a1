package org.fleetgrad.ps;

import java.util.Locale;
import org.fleetgrad.ps.aggregation.Aggregation;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the gradients of a synchronous step become one.
 *
 * @param rule     {@code mean}, {@code median}, {@code trimmed-mean} or {@code krum}
 * @param outliers trimmed-mean and krum: number of Byzantine workers to tolerate; 1 by default
 */
public record AggregationProperties(
        @DefaultValue("mean") String rule, @Nullable Integer outliers) {

    Aggregation settings() {
        int bad = outliers == null ? 1 : outliers;
        Aggregation aggregation = switch (rule.toLowerCase(Locale.ROOT)) {
            case "mean" -> new Aggregation.Mean();
            case "median" -> new Aggregation.Median();
            case "trimmed-mean" -> new Aggregation.TrimmedMean(requirePositive(bad));
            case "krum" -> new Aggregation.Krum(requirePositive(bad));
            default ->
                throw new IllegalArgumentException(
                        "ps.aggregation.rule is '%s'; write mean, median, trimmed-mean or krum".formatted(rule));
        };
        if (outliers != null
                && (aggregation instanceof Aggregation.Mean || aggregation instanceof Aggregation.Median)) {
            throw new IllegalArgumentException(
                    "ps.aggregation.outliers is %d, but the rule %s has no such number; remove it, or write trimmed-mean or krum"
                            .formatted(outliers, aggregation.describe()));
        }
        return aggregation;
    }

    private static int requirePositive(int outliers) {
        if (outliers < 1) {
            throw new IllegalArgumentException("ps.aggregation.outliers is %d; write 1 or more".formatted(outliers));
        }
        return outliers;
    }
}
