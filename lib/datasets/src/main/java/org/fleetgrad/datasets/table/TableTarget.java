package org.fleetgrad.datasets.table;

import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.files.text.Printable;

/** What is predicted: a column, or several labels. Immutable and thread-safe. */
public sealed interface TableTarget permits LabelsTarget, TableTarget.ClassTarget, TableTarget.NumberTarget {

    /** Returns the column's name; of several columns their names, for messages. */
    String name();

    /** Returns the columns, in the order in which a network learns the targets of a row; one, but of labels several. */
    List<? extends TargetColumn> columns();

    /**
     * One of some classes.
     *
     * @param classes their names, sorted; whole numbers may be sorted by number
     */
    record ClassTarget(String name, List<String> classes) implements TableTarget, TargetColumn {

        /** The classes of a column of the numbers 0 and 1. */
        static final List<String> NO_AND_YES = List.of("0", "1");

        private static final Pattern WHOLE = Pattern.compile("0|-?[1-9]\\d{0,15}");

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if a name breaks its rule, there are fewer than 2 classes, or they are not sorted
         */
        public ClassTarget {
            TableColumn.requireName(name);
            classes = List.copyOf(classes);
            ClassNames.require(classes);
            if (classes.size() < 2) {
                throw new IllegalArgumentException("the target '%s' must have 2 classes or more; it has %d: %s"
                        .formatted(name, classes.size(), classes));
            }
            for (int i = 1; i < classes.size(); i++) {
                if (classes.get(i - 1).compareTo(classes.get(i)) >= 0 && !areSortedByNumber(classes)) {
                    throw new IllegalArgumentException(
                            "the classes of the target '%s' must be sorted; '%s' is before '%s'"
                                    .formatted(name, classes.get(i - 1), classes.get(i)));
                }
            }
        }

        private static boolean areSortedByNumber(List<String> classes) {
            long before = Long.MIN_VALUE;
            for (String text : classes) {
                if (!WHOLE.matcher(text).matches() || Long.parseLong(text) <= before) {
                    return false;
                }
                before = Long.parseLong(text);
            }
            return true;
        }

        @Override
        public List<ClassTarget> columns() {
            return List.of(this);
        }

        @Override
        public float encode(String value) {
            TargetColumn.requirePresent(name, value);
            int place = Collections.binarySearch(classes, value);
            if (place < 0) {
                // Those that are sorted by number.
                place = classes.indexOf(value);
            }
            if (place < 0 && classes.equals(NO_AND_YES)) {
                double number = FieldValue.number(value);
                place = number == 0 ? 0 : number == 1 ? 1 : -1;
            }
            if (place < 0) {
                throw new IllegalArgumentException("the target '%s' is '%s', which is none of the %d classes %s"
                        .formatted(
                                name,
                                Printable.text(value),
                                classes.size(),
                                Printable.text(String.join(", ", classes))));
            }
            return place;
        }
    }

    /**
     * A number. It is learnt in standard deviations from the mean.
     *
     * @param mean of the training rows
     * @param std  standard deviation of the training rows
     */
    record NumberTarget(String name, double mean, double std) implements TableTarget, TargetColumn {

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if the name breaks its rule, or the numbers are not finite or nothing can be divided by
         *     them
         */
        public NumberTarget {
            TableColumn.requireName(name);
            NumberColumn.requireStatistics(name, mean, std);
        }

        @Override
        public List<NumberTarget> columns() {
            return List.of(this);
        }

        @Override
        public float encode(String value) {
            TargetColumn.requirePresent(name, value);
            return NumberColumn.standardized(name, NumberColumn.number(name, value), mean, std);
        }

        /** Returns a prediction in the column's units. */
        public double inUnits(double predicted) {
            return mean + std * predicted;
        }
    }
}
