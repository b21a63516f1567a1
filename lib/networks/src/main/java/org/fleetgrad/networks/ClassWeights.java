package org.fleetgrad.networks;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Factors of the samples' losses by their classes, as PyTorch's {@code CrossEntropyLoss(weight)} takes them: the loss of a
 * batch is a weighted mean, so only their ratios count. Immutable and thread-safe.
 *
 * @param factors one for each class of the dataset, in the order of the labels; empty if all classes count alike
 */
public record ClassWeights(List<Float> factors) {

    /** All classes count alike. */
    public static final ClassWeights EQUAL = new ClassWeights(List.of());

    /** What a factor may be, for messages. */
    public static final String RULE = "0, or from 1e-9 to 1e9";

    private static final double LEAST = 1e-9;
    private static final double MOST = 1e9;

    /**
     * Checks the factors.
     *
     * @throws IllegalArgumentException if one breaks its rule, or all are 0
     */
    public ClassWeights {
        factors = List.copyOf(factors);
        for (int i = 0; i < factors.size(); i++) {
            if (!isFactor(factors.get(i))) {
                throw new IllegalArgumentException(
                        "the weight of class %d must be %s; it is %s".formatted(i, RULE, factors.get(i)));
            }
        }
        if (!factors.isEmpty() && factors.stream().allMatch(factor -> factor == 0)) {
            throw new IllegalArgumentException("the weights of all %d classes are 0".formatted(factors.size()));
        }
    }

    /**
     * Returns whether a number may be the factor of a loss: float32 holds the sums of such factors, and what is divided by
     * them.
     */
    public static boolean isFactor(double number) {
        return number == 0 || ((float) number >= (float) LEAST && (float) number <= (float) MOST);
    }

    /**
     * Reads what {@link #toString} writes, such as {@code 1.0,4.5}.
     *
     * @throws IllegalArgumentException if it is none; the message has the part that is wrong
     */
    public static ClassWeights parse(String text) {
        return new ClassWeights(
                Arrays.stream(text.split(",", -1)).map(ClassWeights::factor).toList());
    }

    private static Float factor(String text) {
        try {
            return Float.valueOf(text.strip());
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException(
                    "weights of classes are numbers with commas between them, such as 1,4.5; one is '%s'"
                            .formatted(text),
                    none);
        }
    }

    /** Returns whether all classes count alike. */
    public boolean areEqual() {
        return factors.isEmpty();
    }

    /** Returns the factor of a class: 1 for one that the dataset does not have, as a wider network may. */
    public float of(int label) {
        return label < factors.size() ? factors.get(label) : 1;
    }

    @Override
    public String toString() {
        return factors.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
