package org.fleetgrad.runs.kept;

import java.util.Locale;

/** The held-out figure by which runs are compared: that of their target, or else of what they predict. */
public enum MeasureKind {
    ACCURACY("accuracy", "heldout/accuracy", true),
    LOSS("loss", "heldout/loss", false),
    R2("R²", "heldout/r2", true),
    MICRO_F1("micro F1", "heldout/micro_f1", true);

    private final String word;
    private final String curve;
    private final boolean isRising;

    /**
     * @param word     for people
     * @param curve    its column in {@code curves.csv}
     * @param isRising whether more is better
     */
    MeasureKind(String word, String curve, boolean isRising) {
        this.word = word;
        this.curve = curve;
        this.isRising = isRising;
    }

    /** Returns its word for people. */
    public String word() {
        return word;
    }

    /** Returns its column in {@code curves.csv}. */
    public String curve() {
        return curve;
    }

    /** Returns whether one value is better than another. */
    public boolean isBetter(double value, double than) {
        return isRising ? value > than : value < than;
    }

    /** Writes a value of it. */
    public String text(double value) {
        return this == ACCURACY
                ? String.format(Locale.ROOT, "%.2f%%", 100 * value)
                : String.format(Locale.ROOT, "%.4f", value);
    }
}
