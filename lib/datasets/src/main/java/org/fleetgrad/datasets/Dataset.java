package org.fleetgrad.datasets;

import java.util.List;
import java.util.regex.Pattern;

/** A dataset in memory. Immutable and thread-safe. */
public sealed interface Dataset permits ImageDataset, LabelledTextDataset, SeriesDataset, TableDataset, TextDataset {

    /** Returns its name. */
    String name();

    /** Returns the training samples. */
    Samples train();

    /** Returns the held-out samples. */
    Samples test();

    /** Returns what the samples are. For images this measures the normalization of the training samples, anew each time. */
    Schema schema();

    /** Returns what the user should know of how the files were read; mostly nothing. */
    default List<String> notes() {
        return List.of();
    }

    /** The rule for names of datasets, which become parts of file and object names. */
    final class DatasetName {

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
