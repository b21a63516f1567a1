package org.fleetgrad.datasets.imbalance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.ClassWeights;

/** How much the classes of a dataset count in the loss, as a user states it before the dataset is read. Immutable. */
public sealed interface ClassWeighting {

    /** The word for weights by the number of samples. */
    String BALANCED = "balanced";

    /**
     * Returns the weights for a dataset.
     *
     * @param classes names of its classes
     * @param counts  number of training samples of each
     * @throws IllegalArgumentException if it has no such class, or no training sample would count; the message has the classes
     */
    ClassWeights of(List<String> classes, long[] counts);

    /**
     * Reads {@code balanced}, or the weights of some classes such as {@code cat=1,dog=4.5}.
     *
     * @throws IllegalArgumentException if it is neither; the message says what to write
     */
    static ClassWeighting parse(String text) {
        if (text.isEmpty()) {
            return new Equal();
        }
        return text.equals(BALANCED) ? new Balanced() : Named.read(text);
    }

    /** All classes count alike. */
    record Equal() implements ClassWeighting {

        @Override
        public ClassWeights of(List<String> classes, long[] counts) {
            return ClassWeights.EQUAL;
        }

        @Override
        public String toString() {
            return "";
        }
    }

    /**
     * Weights of all classes, once the dataset is read.
     *
     * @param weights in the order of the labels
     */
    record Fixed(ClassWeights weights) implements ClassWeighting {

        @Override
        public ClassWeights of(List<String> classes, long[] counts) {
            return weights;
        }

        @Override
        public String toString() {
            return weights.toString();
        }
    }

    /**
     * All classes together count alike: n / (k n_c) for a class of n_c of the n samples, where k classes have samples. That is
     * scikit-learn's {@code compute_class_weight("balanced")} (G. King, L. Zeng 2001). A class without samples has 1.
     */
    record Balanced() implements ClassWeighting {

        @Override
        public ClassWeights of(List<String> classes, long[] counts) {
            long samples = Arrays.stream(counts).sum();
            long there = Arrays.stream(counts).filter(count -> count > 0).count();
            return new ClassWeights(Arrays.stream(counts)
                    .mapToObj(count -> count == 0 ? 1f : (float) ((double) samples / ((double) there * (double) count)))
                    .toList());
        }

        @Override
        public String toString() {
            return BALANCED;
        }
    }

    /**
     * The weights of some classes; the others have 1.
     *
     * @param weights by the name of a class, or by its number if no class has such a name
     */
    record Named(Map<String, Double> weights) implements ClassWeighting {

        private static final int MOST_LISTED = 20;

        public Named {
            weights = Map.copyOf(weights);
        }

        private static Named read(String text) {
            Map<String, Double> weights = new LinkedHashMap<>();
            for (String part : text.split(",", -1)) {
                // A name may have an equals sign, a number has none.
                int end = part.lastIndexOf('=');
                double weight = end < 1 ? Double.NaN : number(part.substring(end + 1));
                if (!ClassWeights.isFactor(weight)) {
                    throw new IllegalArgumentException(
                            "write %s, or weights of classes that are %s, such as cat=1,dog=4.5; one is '%s'"
                                    .formatted(BALANCED, ClassWeights.RULE, Printable.text(part)));
                }
                String name = part.substring(0, end).strip();
                if (weights.put(name, weight) != null) {
                    throw new IllegalArgumentException(
                            "the class '%s' has two weights".formatted(Printable.text(name)));
                }
            }
            return new Named(weights);
        }

        private static double number(String text) {
            try {
                return Double.parseDouble(text.strip());
            } catch (NumberFormatException none) {
                return Double.NaN;
            }
        }

        @Override
        public ClassWeights of(List<String> classes, long[] counts) {
            List<Float> all = new ArrayList<>();
            classes.forEach(name -> all.add(1f));
            boolean[] isStated = new boolean[classes.size()];
            weights.forEach((name, weight) -> {
                int label = label(name, classes);
                if (isStated[label]) {
                    throw new IllegalArgumentException(
                            "the class '%s' has two weights, by its name and by its number %d"
                                    .formatted(classes.get(label), label));
                }
                isStated[label] = true;
                all.set(label, weight.floatValue());
            });
            boolean isAnyCounted = false;
            for (int i = 0; i < counts.length; i++) {
                isAnyCounted |= counts[i] > 0 && all.get(i) > 0;
            }
            if (!isAnyCounted) {
                throw new IllegalArgumentException(
                        "every training sample would have the weight 0; the classes are " + listed(classes));
            }
            return new ClassWeights(all);
        }

        private static int label(String name, List<String> classes) {
            int label = classes.indexOf(name);
            if (label < 0 && name.matches("\\d{1,5}") && Integer.parseInt(name) < classes.size()) {
                label = Integer.parseInt(name);
            }
            if (label < 0) {
                throw new IllegalArgumentException(
                        "there is no class '%s'; the classes are %s, or their numbers 0 to %d"
                                .formatted(Printable.text(name), listed(classes), classes.size() - 1));
            }
            return label;
        }

        private static String listed(List<String> classes) {
            String names = classes.stream().limit(MOST_LISTED).collect(Collectors.joining(", "));
            return classes.size() <= MOST_LISTED
                    ? names
                    : "%s and %d more".formatted(names, classes.size() - MOST_LISTED);
        }
    }
}
