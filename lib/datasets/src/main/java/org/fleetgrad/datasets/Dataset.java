package org.fleetgrad.datasets;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A dataset in memory.
 *
 * @param name    of the dataset
 * @param classes name of each class, in the order of the labels
 * @param train   the training samples
 * @param test    the held-out samples
 */
public record Dataset(String name, List<String> classes, Samples train, Samples test) {

    /**
     * Checks that both splits fit the classes and each other.
     *
     * @throws IllegalArgumentException if the name or the classes break their rules, a label has no class, or the images
     *     of the two splits differ in shape
     */
    public Dataset {
        DatasetName.require(name);
        classes = List.copyOf(classes);
        ClassNames.require(classes);
        int largest = Math.max(train.largestLabel(), test.largestLabel());
        if (largest >= classes.size()) {
            throw new IllegalArgumentException(
                    "the largest label of %s is %d, there are %d classes".formatted(name, largest, classes.size()));
        }
        if (!train.shape().equals(test.shape())) {
            throw new IllegalArgumentException(
                    "training images have the shape %s, test images %s".formatted(train.shape(), test.shape()));
        }
    }

    /** The rule for names of datasets, which become parts of file and object names. */
    public static final class DatasetName {

        private static final int LONGEST = 100;
        private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

        private DatasetName() {}

        /** Returns whether {@code name} may be a dataset's name. */
        public static boolean isValid(String name) {
            return ALLOWED.matcher(name).matches();
        }

        /**
         * Checks a name.
         *
         * @throws IllegalArgumentException if it may not be a dataset's name
         */
        public static void require(String name) {
            if (!isValid(name)) {
                throw new IllegalArgumentException(
                        "a dataset's name must have 1 to 100 letters, digits, '.', '-' and '_', the first a letter or digit; it is '%s'"
                                .formatted(name));
            }
        }

        /** Returns a valid name that resembles {@code text}, for a message that proposes one. */
        public static String resembling(String text) {
            String name = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("^[._-]+", "");
            return name.isEmpty() ? "my-dataset" : name.substring(0, Math.min(name.length(), LONGEST));
        }
    }
}
