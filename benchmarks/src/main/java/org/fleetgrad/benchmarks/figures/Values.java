package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
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
        return each(other, Double::sum);
    }

    /** Returns what each round's value is more than the other's of the same round. */
    public Values minus(Values other) {
        return each(other, (value, less) -> value - less);
    }

    /** Returns the ratio of each round. A value that was measured or is known once is that of every round. */
    public Values dividedBy(Values other) {
        int count = Math.max(rounds.size(), other.rounds.size());
        return inAll(count).each(other.inAll(count), (value, divisor) -> value / divisor);
    }

    private Values inAll(int count) {
        return isSpread() ? this : new Values(Collections.nCopies(count, rounds.get(0)));
    }

    private Values each(Values other, DoubleBinaryOperator operator) {
        if (rounds.size() != other.rounds.size()) {
            throw new IllegalArgumentException(
                    "%d rounds on one side, %d on the other".formatted(rounds.size(), other.rounds.size()));
        }
        return new Values(IntStream.range(0, rounds.size())
                .mapToObj(round -> operator.applyAsDouble(rounds.get(round), other.rounds.get(round)))
                .toList());
    }
}
