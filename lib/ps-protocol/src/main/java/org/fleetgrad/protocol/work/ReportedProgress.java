package org.fleetgrad.protocol.work;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.files.text.Printable;

/**
 * The progress of a training that makes its steps itself and puts complete parameter sets, as a pipeline does. It is
 * sent in the metadata of such a set, and the server takes it out.
 *
 * @param steps   made since the training began, from 0 to {@link #MAX}
 * @param samples trained on since it began, from 0 to {@link #MAX}
 * @param recent  figures of the steps since the previous set; absent if unknown
 */
public record ReportedProgress(long steps, long samples, Optional<Recent> recent) {

    /** 2^53: every number up to it is exact in JSON. */
    public static final long MAX = 1L << 53;

    private static final String STEPS = "trainedSteps";
    private static final String SAMPLES = "trainedSamples";
    private static final String LOSS = "trainedLoss";
    private static final String MEAN_STALENESS = "trainedMeanStaleness";
    private static final String WORST_STALENESS = "trainedWorstStaleness";

    /**
     * The steps since the previous set.
     *
     * @param loss           mean training loss, a finite number
     * @param meanStaleness  of the gradients, in steps, 0 or more
     * @param worstStaleness of a gradient, in steps, from the mean to {@link #MAX}
     */
    public record Recent(double loss, double meanStaleness, long worstStaleness) {

        /** Checks every number. */
        public Recent {
            require(Double.isFinite(loss), LOSS, loss, "a finite number");
            require(
                    worstStaleness >= 0 && worstStaleness <= MAX,
                    WORST_STALENESS,
                    worstStaleness,
                    "from 0 to %d".formatted(MAX));
            require(
                    meanStaleness >= 0 && meanStaleness <= worstStaleness,
                    MEAN_STALENESS,
                    meanStaleness,
                    "from 0 to the worst, which is %d".formatted(worstStaleness));
        }
    }

    /** Checks every number. */
    public ReportedProgress {
        require(steps >= 0 && steps <= MAX, STEPS, steps, "from 0 to %d".formatted(MAX));
        require(samples >= 0 && samples <= MAX, SAMPLES, samples, "from 0 to %d".formatted(MAX));
    }

    /** Writes it as strings of a safetensors header. */
    public Map<String, String> toMap() {
        Map<String, String> map = new TreeMap<>();
        map.put(STEPS, Long.toString(steps));
        map.put(SAMPLES, Long.toString(samples));
        recent.ifPresent(known -> {
            map.put(LOSS, Double.toString(known.loss()));
            map.put(MEAN_STALENESS, Double.toString(known.meanStaleness()));
            map.put(WORST_STALENESS, Long.toString(known.worstStaleness()));
        });
        return map;
    }

    /**
     * Takes it out of the metadata of a parameter set.
     *
     * @param metadata loses the strings that belong to it
     * @return empty if there is none of them
     * @throws IllegalArgumentException if a part is missing or wrong; the message names the key and its value
     */
    public static Optional<ReportedProgress> take(Map<String, String> metadata) {
        Map<String, String> own = new TreeMap<>();
        for (String key : new String[] {STEPS, SAMPLES, LOSS, MEAN_STALENESS, WORST_STALENESS}) {
            Optional.ofNullable(metadata.remove(key)).ifPresent(value -> own.put(key, value));
        }
        if (own.isEmpty()) {
            return Optional.empty();
        }
        boolean hasRecent =
                own.containsKey(LOSS) || own.containsKey(MEAN_STALENESS) || own.containsKey(WORST_STALENESS);
        return Optional.of(new ReportedProgress(
                wholeNumber(own, STEPS),
                wholeNumber(own, SAMPLES),
                hasRecent
                        ? Optional.of(new Recent(
                                number(own, LOSS), number(own, MEAN_STALENESS), wholeNumber(own, WORST_STALENESS)))
                        : Optional.empty()));
    }

    private static long wholeNumber(Map<String, String> own, String key) {
        try {
            return Long.parseLong(text(own, key));
        } catch (NumberFormatException notANumber) {
            throw invalid(key, text(own, key), "a whole number");
        }
    }

    private static double number(Map<String, String> own, String key) {
        try {
            return Double.parseDouble(text(own, key));
        } catch (NumberFormatException notANumber) {
            throw invalid(key, text(own, key), "a number");
        }
    }

    private static String text(Map<String, String> own, String key) {
        return Optional.ofNullable(own.get(key))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the set's metadata have %s and lack '%s'".formatted(own.keySet(), key)));
    }

    private static void require(boolean holds, String key, Object value, String expected) {
        if (!holds) {
            throw invalid(key, value, expected);
        }
    }

    private static IllegalArgumentException invalid(String key, Object value, String expected) {
        return new IllegalArgumentException(
                Printable.text("the set's metadata '%s' must be %s; it is '%s'".formatted(key, expected, value)));
    }
}
