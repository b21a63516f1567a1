package org.fleetgrad.runs.kept;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A held-out result of a run.
 *
 * @param value   finite
 * @param version the version that was evaluated; -1 if it is not known
 */
public record Measure(MeasureKind kind, double value, long version) {

    public Measure {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a measure must be finite; it is " + value);
        }
    }

    /** Returns whether it is better than another of the same kind. */
    public boolean isBetterThan(Measure other) {
        return kind == other.kind && kind.isBetter(value, other.value);
    }

    /** Returns it for JSON: {@code measure}, {@code value} and {@code version}. */
    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("measure", kind.name().toLowerCase(Locale.ROOT));
        members.put("value", value);
        members.put("version", version);
        return members;
    }

    /** Writes kind and value, such as {@code accuracy 98.10%}. */
    public String text() {
        return "%s %s".formatted(kind.word(), kind.text(value));
    }
}
