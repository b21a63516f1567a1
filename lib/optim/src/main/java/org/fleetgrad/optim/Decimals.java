package org.fleetgrad.optim;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Widens float hyperparameters to the doubles that PyTorch computes with. */
final class Decimals {

    /** Two decimals of this many digits always differ as floats, so the choice is never ambiguous. */
    private static final int DIGITS_ALWAYS_KEPT = 6;

    /** This many digits distinguish any two floats. */
    private static final int DIGITS_ALWAYS_ENOUGH = 9;

    private Decimals() {}

    /**
     * Returns the double nearest to the decimal that {@code value} was written as: 0.999f gives 0.999, not
     * 0.99900001287….
     *
     * <p>The difference matters in {@code 1 - beta2}, which would be off by 1e-5. Does not use {@link Float#toString},
     * whose digits changed with JDK 19: a step has to give the same bits on every JDK.
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
