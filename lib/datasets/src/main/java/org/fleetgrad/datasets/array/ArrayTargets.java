package org.fleetgrad.datasets.array;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.table.ColumnKind;
import org.fleetgrad.datasets.table.Moments;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;

/**
 * The targets of an array, one for each sample. Whole numbers are classes, others are numbers, unless the user says otherwise.
 *
 * @param name   of the array
 * @param array  for messages
 * @param values one of each sample, all finite; of classes all whole and exact
 * @param hasClasses whether each different value is a class
 */
record ArrayTargets(String name, NpyArray array, double[] values, boolean hasClasses) {

    /** A double has each whole number up to here. */
    private static final double MOST_EXACT = 0x1p53;

    private static final int FIRST_VALUES = 1 << 16;

    /**
     * Reads targets. Memory grows with what is read, not with what the file states.
     *
     * @param samples which the array must have
     * @param said    what the user says that the values are
     * @throws InvalidDatasetException if it has another shape, or a value is not finite, or no class
     */
    static ArrayTargets read(String name, NpyArray array, int samples, Optional<ColumnKind> said) throws IOException {
        List<Long> shape = array.shape();
        boolean isColumn = shape.size() == 2 && shape.get(1) == 1;
        if ((shape.size() != 1 && !isColumn) || shape.get(0) != samples) {
            throw array.invalid("its shape is %s; targets must be [%d], one for each sample of the inputs"
                    .formatted(shape, samples));
        }
        boolean hasClasses = said.map(kind -> kind == ColumnKind.CATEGORY)
                .orElse(array.header().type().isWhole());
        Growing values = new Growing(array, hasClasses);
        array.read(samples, List.of(1), values);
        return new ArrayTargets(name, array, Arrays.copyOf(values.all, samples), hasClasses);
    }

    /** The values while they are read. */
    private static final class Growing implements NpyArray.Elements {

        private final NpyArray array;
        private final boolean hasClasses;
        private double[] all = new double[FIRST_VALUES];

        Growing(NpyArray array, boolean hasClasses) {
            this.array = array;
            this.hasClasses = hasClasses;
        }

        @Override
        public void take(int sample, int place, double value) throws IOException {
            if (!Double.isFinite(value)) {
                throw array.invalid(sample, 0, "is %s; a target must be finite: leave the sample out".formatted(value));
            }
            if (hasClasses && (value != Math.rint(value) || Math.abs(value) >= MOST_EXACT)) {
                throw array.invalid(
                        sample, 0, "is %s; classes must be whole numbers between -2^53 and 2^53".formatted(value));
            }
            if (sample >= all.length) {
                all = Arrays.copyOf(all, Math.max(sample + 1, all.length + (all.length >> 1)));
            }
            all[sample] = value;
        }
    }

    /**
     * Returns the classes of the samples, sorted.
     *
     * @throws InvalidDatasetException if there are too many
     */
    long[] classes() throws InvalidDatasetException {
        Set<Long> distinct = new HashSet<>();
        for (double value : values) {
            distinct.add((long) value);
            if (distinct.size() > Labels.MAX_CLASSES) {
                throw array.invalid(
                        "it has more than %,d different whole numbers, each of which is a class; save numbers as float32, or pass --target %s --column %s:number"
                                .formatted(Labels.MAX_CLASSES, name, name));
            }
        }
        return distinct.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /**
     * Returns the number of each sample's class.
     *
     * @param classes of the training samples
     * @throws InvalidDatasetException if a sample has another
     */
    int[] labels(long[] classes) throws InvalidDatasetException {
        Map<Long, Integer> numbers = new HashMap<>();
        for (long each : classes) {
            numbers.put(each, numbers.size());
        }
        int[] labels = new int[values.length];
        for (int i = 0; i < labels.length; i++) {
            Integer label = numbers.get((long) values[i]);
            if (label == null) {
                throw array.invalid(
                        i,
                        0,
                        "is %d; no training sample has this class, they have %d others"
                                .formatted((long) values[i], classes.length));
            }
            labels[i] = label;
        }
        return labels;
    }

    /**
     * Returns what is predicted, if these are classes.
     *
     * @throws IllegalArgumentException if there are fewer than two
     */
    TableTarget ofClasses(long[] classes) {
        return new ClassTarget(
                name, Arrays.stream(classes).mapToObj(Long::toString).toList());
    }

    /**
     * Returns what is predicted, if these are numbers: standardized by the mean of the training samples.
     *
     * @throws InvalidDatasetException if all are alike
     */
    NumberTarget ofNumbers(int[] training) throws InvalidDatasetException {
        Moments moments = new Moments();
        for (int sample : training) {
            moments.add(values[sample]);
        }
        if (moments.isConstant()) {
            throw array.invalid("it is %s in all %,d training samples, so there is nothing to predict"
                    .formatted(values[training[0]], training.length));
        }
        return new NumberTarget(name, moments.mean(), moments.std());
    }

    /**
     * Returns the targets as a network learns them.
     *
     * @param target  of the training samples
     * @param classes of the training samples; none if these are numbers
     * @throws InvalidDatasetException if one is no class of the training samples, or too far from their mean
     */
    float[] encoded(TableTarget target, long[] classes) throws InvalidDatasetException {
        float[] encoded = new float[values.length];
        if (!(target instanceof NumberTarget number)) {
            int[] labels = labels(classes);
            for (int i = 0; i < labels.length; i++) {
                encoded[i] = labels[i];
            }
            return encoded;
        }
        for (int i = 0; i < encoded.length; i++) {
            encoded[i] = (float) ((values[i] - number.mean()) / number.std());
            if (!Float.isFinite(encoded[i])) {
                throw array.invalid(
                        i,
                        0,
                        "is %s, too far from the mean %s and the standard deviation %s of the training samples"
                                .formatted(values[i], number.mean(), number.std()));
            }
        }
        return encoded;
    }
}
