package org.fleetgrad.protocol.gradient;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a gradient, in the safetensors header of a push.
 *
 * @param worker      id of the registered worker
 * @param sequence    the worker's own count of pushes, from 1 to {@link #MAX_SEQUENCE}; a retry repeats it, so that a
 *     gradient counts once
 * @param generation  history of the parameter set that the gradient was computed on
 * @param baseVersion version of the parameter set that the gradient was computed on
 * @param samples     training samples that this mean gradient is computed over
 * @param loss        mean loss over these samples
 * @param cursor      the worker's position in the server's work after these samples; absent if they are not of the
 *     server's work
 * @param batches     batches whose statistics are sent in place of the network's state, see {@code ParameterState};
 *     absent if the network has no state
 * @param lossWeight  sum of the factors that the losses of these samples have in the mean, from 0 to {@link #MAX_LOSS_WEIGHT};
 *     absent if each has 1
 * @param localSteps  steps that the worker made by itself: the tensors are how far these went; absent if they are a gradient
 */
public record GradientMetadata(
        String worker,
        long sequence,
        String generation,
        long baseVersion,
        long samples,
        double loss,
        Optional<Cursor> cursor,
        OptionalLong batches,
        OptionalDouble lossWeight,
        OptionalLong localSteps) {

    /** The largest number of pushes, 2^53: every number up to it is exact in JSON, which registration responses use. */
    public static final long MAX_SEQUENCE = 1L << 53;

    /** The largest sum of loss weights: float32 holds its product with any value of a gradient that counts. */
    public static final double MAX_LOSS_WEIGHT = 1e28;

    /** Metadata key of the number of batches. */
    public static final String BATCHES = "batches";

    /** Metadata key of the worker's id. */
    public static final String WORKER = "worker";

    private static final String SEQUENCE = "sequence";
    private static final String GENERATION = "generation";
    private static final String BASE_VERSION = "baseVersion";
    private static final String SAMPLES = "samples";
    private static final String LOSS = "loss";
    private static final String CURSOR = "cursor";
    private static final String LOSS_WEIGHT = "lossWeight";
    private static final String LOCAL_STEPS = "localSteps";

    /** Checks every number. */
    public GradientMetadata {
        require(!worker.isEmpty(), WORKER, worker, "a worker's id");
        requireFrom1(sequence, MAX_SEQUENCE, SEQUENCE);
        require(!generation.isEmpty(), GENERATION, generation, "a generation");
        require(baseVersion >= 0, BASE_VERSION, baseVersion, "0 or more");
        requireFrom1(samples, WorkPlan.MAX_SAMPLES, SAMPLES);
        require(Double.isFinite(loss), LOSS, loss, "a finite number");
        double weight = lossWeight.orElse(1);
        require(weight >= 0 && weight <= MAX_LOSS_WEIGHT, LOSS_WEIGHT, weight, "from 0 to " + MAX_LOSS_WEIGHT);
        requireOneOrMoreOf(samples, batches.orElse(1), BATCHES);
        requireOneOrMoreOf(samples, localSteps.orElse(1), LOCAL_STEPS);
        long behind = cursor.map(Cursor::sample).orElse(samples);
        if (behind < samples) {
            throw invalid(CURSOR, cursor, "at sample %d or after it".formatted(samples), null);
        }
    }

    /** Describes a gradient, and not local steps. */
    public GradientMetadata(
            String worker,
            long sequence,
            String generation,
            long baseVersion,
            long samples,
            double loss,
            Optional<Cursor> cursor,
            OptionalLong batches,
            OptionalDouble lossWeight) {
        this(
                worker,
                sequence,
                generation,
                baseVersion,
                samples,
                loss,
                cursor,
                batches,
                lossWeight,
                OptionalLong.empty());
    }

    /** Describes a gradient whose samples count alike. */
    public GradientMetadata(
            String worker,
            long sequence,
            String generation,
            long baseVersion,
            long samples,
            double loss,
            Optional<Cursor> cursor,
            OptionalLong batches) {
        this(worker, sequence, generation, baseVersion, samples, loss, cursor, batches, OptionalDouble.empty());
    }

    /** Describes a gradient of samples that are not of the server's work, of a network without state. */
    public GradientMetadata(
            String worker, long sequence, String generation, long baseVersion, long samples, double loss) {
        this(worker, sequence, generation, baseVersion, samples, loss, Optional.empty(), OptionalLong.empty());
    }

    /** Returns how much the gradient counts in the mean of a step. */
    public double weight() {
        return lossWeight.orElse((double) samples);
    }

    /** Returns the metadata with another position in the work. */
    public GradientMetadata reaching(Optional<Cursor> reached) {
        return new GradientMetadata(
                worker, sequence, generation, baseVersion, samples, loss, reached, batches, lossWeight, localSteps);
    }

    /** Returns the metadata with another base version: each partition of the parameters has its own version. */
    public GradientMetadata on(ParameterVersion base) {
        return new GradientMetadata(
                worker,
                sequence,
                base.generation(),
                base.version(),
                samples,
                loss,
                cursor,
                batches,
                lossWeight,
                localSteps);
    }

    /**
     * Requires that the push is of the kind that the run's workers push. The server's optimizer takes how far the workers went by a rate
     * of its own, by which a gradient would be a step much too large.
     *
     * @param most the largest number of steps that a worker of the run makes between two pushes; 1 if it pushes gradients
     * @throws IllegalArgumentException if it is not; the message names both numbers
     */
    public void requireLocalSteps(long most) {
        if (most == 1 && localSteps.isPresent()) {
            throw new IllegalArgumentException(
                    "the gradient's metadata have '%s' %d, and the run's workers make 1 step between two pushes (ps.local.steps): push the gradient of each step"
                            .formatted(LOCAL_STEPS, localSteps.getAsLong()));
        }
        if (most > 1 && localSteps.isEmpty()) {
            throw new IllegalArgumentException(
                    "the gradient's metadata lack '%s', as those of 1 step do, and the run's workers make up to %d steps between two pushes (ps.local.steps) and push how far they went: take the number from the answer to /registerWorker"
                            .formatted(LOCAL_STEPS, most));
        }
        if (localSteps.orElse(1) > most) {
            throw invalid(
                    LOCAL_STEPS,
                    localSteps.getAsLong(),
                    "from 1 to the run's %d (ps.local.steps)".formatted(most),
                    null);
        }
    }

    /** Writes the metadata as the strings of a safetensors header. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put(WORKER, worker);
        map.put(SEQUENCE, Long.toString(sequence));
        map.put(GENERATION, generation);
        map.put(BASE_VERSION, Long.toString(baseVersion));
        map.put(SAMPLES, Long.toString(samples));
        map.put(LOSS, Double.toString(loss));
        cursor.ifPresent(reached -> map.put(CURSOR, reached.toString()));
        batches.ifPresent(count -> map.put(BATCHES, Long.toString(count)));
        lossWeight.ifPresent(weight -> map.put(LOSS_WEIGHT, Double.toString(weight)));
        localSteps.ifPresent(count -> map.put(LOCAL_STEPS, Long.toString(count)));
        return map;
    }

    /**
     * Reads the metadata of a push.
     *
     * @throws IllegalArgumentException when a key is missing or has a wrong value; the message names key and value
     */
    public static GradientMetadata parse(Map<String, String> map) {
        return new GradientMetadata(
                required(map, WORKER),
                wholeNumber(map, SEQUENCE),
                required(map, GENERATION),
                wholeNumber(map, BASE_VERSION),
                wholeNumber(map, SAMPLES),
                number(map, LOSS),
                Optional.ofNullable(map.get(CURSOR)).map(GradientMetadata::cursor),
                count(map, BATCHES),
                map.containsKey(LOSS_WEIGHT) ? OptionalDouble.of(number(map, LOSS_WEIGHT)) : OptionalDouble.empty(),
                count(map, LOCAL_STEPS));
    }

    private static OptionalLong count(Map<String, String> map, String key) {
        return map.containsKey(key) ? OptionalLong.of(wholeNumber(map, key)) : OptionalLong.empty();
    }

    private static Cursor cursor(String text) {
        try {
            return Cursor.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw invalid(CURSOR, text, "epoch/shard/sample: " + malformed.getMessage(), malformed);
        }
    }

    private static String required(Map<String, String> map, String key) {
        return Optional.ofNullable(map.get(key))
                .orElseThrow(() -> new IllegalArgumentException(Printable.text(
                        "the gradient's metadata lacks '%s'; it has %s".formatted(key, new TreeSet<>(map.keySet())))));
    }

    private static long wholeNumber(Map<String, String> map, String key) {
        String value = required(map, key);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            throw invalid(key, value, "a whole number", notANumber);
        }
    }

    private static double number(Map<String, String> map, String key) {
        String value = required(map, key);
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException notANumber) {
            throw invalid(key, value, "a number", notANumber);
        }
    }

    private static void requireOneOrMoreOf(long samples, long count, String key) {
        if (count < 1 || count > samples) {
            throw invalid(key, count, "from 1 to the %d samples".formatted(samples), null);
        }
    }

    private static void requireFrom1(long number, long most, String key) {
        if (number < 1 || number > most) {
            throw invalid(key, number, "from 1 to " + most, null);
        }
    }

    private static void require(boolean holds, String key, Object value, String expected) {
        if (!holds) {
            throw invalid(key, value, expected, null);
        }
    }

    private static IllegalArgumentException invalid(
            String key, Object value, String expected, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                Printable.text("the gradient's metadata '%s' must be %s; it is '%s'".formatted(key, expected, value)),
                cause);
    }
}
