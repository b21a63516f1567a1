package org.fleetgrad.optim;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Widens float hyperparameters to the doubles that PyTorch computes with. */
final class Decimals {

    /** Decimals of so many digits differ as floats, so there is never a choice. */
    private static final int DIGITS_ALWAYS_KEPT = 6;

    /** So many digits tell any two floats apart. */
    private static final int DIGITS_ALWAYS_ENOUGH = 9;

    private Decimals() {}

    /**
     * Returns the double of the decimal that {@code value} was written as: 0.999f is 0.999, not 0.99900001287….
     *
     * <p>The difference matters where it is subtracted from one: {@code 1 - beta2} would be off by 1e-5. Not by way of
     * {@link Float#toString}, whose digits changed with JDK 19: a step has to give the same bits on any.
     */
    static double written(float value) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = DIGITS_ALWAYS_KEPT; digits < DIGITS_ALWAYS_ENOUGH; digits++) {
            String decimal =
                    exact.round(new MathContext(digits, RoundingMode.HALF_EVEN)).toString();
            if (Float.parseFloat(decimal) == value) {
                return Double.parseDouble(decimal);
            }
        }
        return value;
    }
}
