package org.fleetgrad.protocol.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;

/**
 * The setting of a run that gives tensors learning rates of their own: patterns of their names, each with a factor of the
 * learning rate, with commas between them, such as {@code fc.*=10,conv1.*=0.1}. The first pattern that matches counts.
 * Immutable.
 *
 * @param factors in their order; empty if all tensors have the run's learning rate
 */
public record RatePatterns(List<Factor> factors) {

    /** All tensors have the run's learning rate. */
    public static final RatePatterns NONE = new RatePatterns(List.of());

    private static final String SETTING = "rate-for";
    private static final String DECIMAL = "-?\\d{1,10}(\\.\\d{1,40})?([eE][+-]?\\d{1,3})?";

    /**
     * A factor of the learning rate.
     *
     * @param pattern of the tensors that have it
     * @param factor  above 0
     */
    public record Factor(TensorPattern pattern, double factor) {}

    /** Copies the list. */
    public RatePatterns {
        factors = List.copyOf(factors);
    }

    /**
     * Reads the setting; a blank text has no factors.
     *
     * @throws IllegalArgumentException if it is malformed, or a factor is not a number above 0; the message says what to
     *     write
     */
    public static RatePatterns parse(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        List<Factor> factors = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            int equal = each.indexOf('=');
            String number = equal < 0 ? "" : each.substring(equal + 1).strip();
            if (!number.matches(DECIMAL)) {
                throw new IllegalArgumentException(
                        Printable.text("'%s' is no pattern with a factor: write them such as 'fc.*=10,conv1.*=0.1'"
                                .formatted(each.strip())));
            }
            factors.add(new Factor(
                    new TensorPattern(each.substring(0, equal).strip()),
                    factor(each.strip(), Double.parseDouble(number))));
        }
        return new RatePatterns(factors);
    }

    private static double factor(String text, double factor) {
        if (factor == 0) {
            throw new IllegalArgumentException(Printable.text(
                    "'%s' has the factor 0, with which these tensors would be sent for nothing: freeze them (--freeze, ps.freeze)"
                            .formatted(text)));
        }
        if (factor < 0) {
            throw new IllegalArgumentException(
                    Printable.text("'%s' has a negative factor: a learning rate is above 0".formatted(text)));
        }
        return factor;
    }

    /** Returns whether all tensors have the run's learning rate. */
    public boolean isEmpty() {
        return factors.isEmpty();
    }

    /**
     * Checks that each pattern matches a tensor that is trained.
     *
     * @param whole the network's complete layout, also if it is partitioned
     * @throws IllegalArgumentException if one does not; the message has the names
     */
    public void requireMatches(TensorLayout whole, FrozenTensors frozen, ParameterState state) {
        TensorLayout trainable = TensorLayout.inOrder(frozen.trainable(whole).specs().stream()
                .filter(spec -> !state.has(spec.name()))
                .toList());
        for (Factor each : factors) {
            each.pattern().requireMatch(SETTING, whole);
            if (trainable.specs().stream().noneMatch(spec -> each.pattern().matches(spec.name()))) {
                throw new IllegalArgumentException(Printable.text(
                        "%s: '%s' matches only tensors that no step changes: they are frozen, or state of the network"
                                .formatted(SETTING, each.pattern())));
            }
        }
    }

    /** Returns the factor of a tensor, or of a partition's piece of it; 1 if no pattern matches. */
    public double of(String tensor) {
        String name = TensorSpec.tensorOf(tensor);
        return factors.stream()
                .filter(each -> each.pattern().matches(tensor) || each.pattern().matches(name))
                .findFirst()
                .map(Factor::factor)
                .orElse(1.0);
    }

    /** Returns the text that {@link #parse} reads; empty if there are no factors. */
    @Override
    public String toString() {
        return factors.stream()
                .map(each -> each.pattern() + "=" + each.factor())
                .collect(Collectors.joining(","));
    }
}
