package org.fleetgrad.runs.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Chooses the values of a search's trials. They depend on the variations, the seed and the number of a trial only: more trials
 * begin with those of fewer.
 */
public final class TrialValues {

    /** The plan holds all of them, and nobody waits for more runs than these. */
    public static final int MOST_TRIALS = 10_000;

    /** Two draws of numbers in five digits seldom meet; if they meet so often, there are few values. */
    private static final int MOST_DRAWS = 100;

    private TrialValues() {}

    /** Returns how many combinations there are; empty if nobody counts them. */
    public static OptionalLong combinations(List<Variation> variations) {
        long all = 1;
        for (Variation variation : variations) {
            OptionalLong count = variation.choices().count();
            if (count.isEmpty() || count.getAsLong() > Long.MAX_VALUE / all) {
                return OptionalLong.empty();
            }
            all *= count.getAsLong();
        }
        return OptionalLong.of(all);
    }

    /**
     * Returns every combination; the last variation changes fastest.
     *
     * @throws IllegalArgumentException if there are more than {@code most}, or some variation is a range without a number of values
     */
    public static List<List<String>> grid(List<Variation> variations, int most) {
        for (Variation variation : variations) {
            if (!variation.isListed()) {
                throw new IllegalArgumentException(
                        "--method grid needs the values of %s one by one, or their number, such as %s:5"
                                .formatted(variation.option(), variation.text()));
            }
        }
        OptionalLong all = combinations(variations);
        if (all.isEmpty() || all.getAsLong() > most) {
            throw new IllegalArgumentException("the grid has %s combinations, and --runs is %,d: %s"
                    .formatted(
                            all.isEmpty() ? "more than 2^63" : "%,d".formatted(all.getAsLong()),
                            most,
                            all.isPresent() && all.getAsLong() <= MOST_TRIALS
                                    ? "pass --runs %d, or --method random".formatted(all.getAsLong())
                                    : "pass --method random"));
        }
        List<List<String>> trials = new ArrayList<>();
        for (long i = 0; i < all.getAsLong(); i++) {
            trials.add(combination(variations, i));
        }
        return trials;
    }

    /**
     * Draws values; no two trials have the same, as long as there are others.
     *
     * @param count up to {@value #MOST_TRIALS}; fewer are returned if there are fewer combinations
     */
    public static List<List<String>> drawn(List<Variation> variations, int count, long seed) {
        OptionalLong all = combinations(variations);
        boolean isEven = variations.stream()
                .noneMatch(variation -> variation.choices() instanceof Choices.Wholes wholes && wholes.isLogarithmic());
        return all.isPresent() && (isEven || all.getAsLong() <= count)
                ? shuffled(variations, count, seed, all.getAsLong())
                : independent(variations, count, seed, all);
    }

    /** Draws from the combinations without putting one back, by the exchanges of Fisher and Yates. */
    private static List<List<String>> shuffled(List<Variation> variations, int count, long seed, long all) {
        Map<Long, Long> exchanged = new HashMap<>();
        List<List<String>> trials = new ArrayList<>();
        for (long i = 0; i < Math.min(count, all); i++) {
            long other = random(seed, i, 0).nextLong(i, all);
            long drawn = exchanged.getOrDefault(other, other);
            exchanged.put(other, exchanged.getOrDefault(i, i));
            trials.add(combination(variations, drawn));
        }
        return trials;
    }

    private static List<List<String>> independent(List<Variation> variations, int count, long seed, OptionalLong all) {
        Set<List<String>> known = new HashSet<>();
        List<List<String>> trials = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> values = draw(variations, seed, i, 0);
            for (int draw = 1; draw < MOST_DRAWS && known.contains(values); draw++) {
                values = draw(variations, seed, i, draw);
            }
            // The drawn ones are at most as many as there are trials, so that another one is found soon.
            for (long next = 0; next < all.orElse(0) && known.contains(values); next++) {
                values = combination(variations, next);
            }
            known.add(values);
            trials.add(values);
        }
        return trials;
    }

    private static List<String> draw(List<Variation> variations, long seed, int trial, int draw) {
        SplittableRandom random = random(seed, trial, draw);
        return variations.stream()
                .map(variation -> variation.choices().at(random.nextDouble()))
                .toList();
    }

    private static List<String> combination(List<Variation> variations, long number) {
        List<String> values = new ArrayList<>();
        long rest = number;
        for (int i = variations.size() - 1; i >= 0; i--) {
            Choices choices = variations.get(i).choices();
            long count = choices.count().orElseThrow();
            values.add(0, at(choices, rest % count));
            rest /= count;
        }
        return List.copyOf(values);
    }

    private static String at(Choices choices, long index) {
        return choices instanceof Choices.Wholes wholes
                ? Long.toString(wholes.low() + index)
                : ((Choices.Listed) choices).values().get((int) index);
    }

    /** A trial's draws must not depend on how many trials there are, nor on how often one was drawn again. */
    private static SplittableRandom random(long seed, long trial, long draw) {
        long state = new SplittableRandom(seed).nextLong();
        state = new SplittableRandom(state ^ trial).nextLong();
        return new SplittableRandom(state ^ draw);
    }
}
