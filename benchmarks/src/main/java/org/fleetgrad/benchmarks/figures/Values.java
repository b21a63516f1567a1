package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What was measured of one thing: a value for each round, in the order of the rounds; one or more. */
public record Values(List<Double> rounds) {

    public Values {
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        rounds = List.copyOf(rounds);
    }

    public static Values of(double... rounds) {
        return new Values(Arrays.stream(rounds).boxed().toList());
    }

    /** Makes a figure of each of these. */
    public static <T> Values of(List<T> all, ToDoubleFunction<T> figure) {
        return of(all.stream().mapToDouble(figure).toArray());
    }

    /** Returns the middle value, or the mean of the middle two. */
    public double median() {
        double[] sorted =
                rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public double least() {
        return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    public double most() {
        return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    public boolean isSpread() {
        return rounds.size() > 1;
    }

    /** Returns the same rounds with other values, such as in another unit. */
    public Values map(DoubleUnaryOperator change) {
        return new Values(rounds.stream().map(change::applyAsDouble).toList());
    }

    /** Returns the sum of each round, of two values that were measured in the same rounds. */
    public Values plus(Values other) {
        return new Values(IntStream.range(0, sameRounds(other))
                .mapToObj(round -> rounds.get(round) + other.rounds.get(round))
                .toList());
    }

    /** Returns what each round's value is more than the other's of the same round. */
    public Values minus(Values other) {
        return plus(other.map(value -> -value));
    }

    /** Returns the ratio of each round. A value that was measured or is known once is that of every round. */
    public Values dividedBy(Values other) {
        if (!other.isSpread()) {
            double divisor = other.rounds.get(0);
            return map(value -> value / divisor);
        }
        if (!isSpread()) {
            double value = rounds.get(0);
            return other.map(divisor -> value / divisor);
        }
        return new Values(IntStream.range(0, sameRounds(other))
                .mapToObj(round -> rounds.get(round) / other.rounds.get(round))
                .toList());
    }

    private int sameRounds(Values other) {
        if (rounds.size() != other.rounds.size()) {
            throw new IllegalArgumentException(
                    "%d rounds on one side, %d on the other".formatted(rounds.size(), other.rounds.size()));
        }
        return rounds.size();
    }
}
