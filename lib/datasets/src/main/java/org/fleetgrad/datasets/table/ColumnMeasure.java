package org.fleetgrad.datasets.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures a column of known kind on the training rows. Not thread-safe. */
sealed interface ColumnMeasure {

    /** Adds a value. */
    void add(String value);

    /** Returns the column, unless no training row has a value. */
    Optional<TableColumn> column();

    /** Measures numbers. */
    final class OfNumbers implements ColumnMeasure {

        private final String name;
        private final Moments moments = new Moments();
        private boolean hasMissing;

        OfNumbers(String name) {
            this.name = name;
        }

        @Override
        public void add(String value) {
            if (FieldValue.isMissing(value)) {
                hasMissing = true;
            } else {
                moments.add(NumberColumn.number(name, value));
            }
        }

        @Override
        public Optional<TableColumn> column() {
            return moments.hasAny()
                    ? Optional.of(new NumberColumn(name, moments.mean(), moments.std(), hasMissing))
                    : Optional.empty();
        }
    }

    /** Measures dates. */
    final class OfDates implements ColumnMeasure {

        private final String name;
        private final boolean hasTime;
        private final Moments years = new Moments();
        private boolean hasMissing;

        OfDates(String name, boolean hasTime) {
            this.name = name;
            this.hasTime = hasTime;
        }

        @Override
        public void add(String value) {
            if (FieldValue.isMissing(value)) {
                hasMissing = true;
            } else {
                years.add(DateColumn.moment(name, value).date().getYear());
            }
        }

        @Override
        public Optional<TableColumn> column() {
            return years.hasAny()
                    ? Optional.of(new DateColumn(name, hasTime, years.mean(), years.std(), hasMissing))
                    : Optional.empty();
        }
    }

    /** Counts the values of a category. */
    final class OfCategories implements ColumnMeasure {

        /** With more different values than this, a value that occurs once is as if it were unknown. */
        static final int MOST_RARE = 10_000;

        private static final int OFTEN = 2;

        private final String name;
        private final Room room;
        private final Map<String, Integer> counts = new HashMap<>();

        OfCategories(String name, Room room) {
            this.name = name;
            this.room = room;
        }

        @Override
        public void add(String value) {
            if (FieldValue.isMissing(value) || value.length() > CategoryColumn.MOST_CHARACTERS) {
                return;
            }
            if (counts.merge(value, 1, (count, one) -> Math.min(OFTEN, count + one)) == 1) {
                room.take(name, counts.size());
            }
        }

        @Override
        public Optional<TableColumn> column() {
            int least = counts.size() > MOST_RARE ? OFTEN : 1;
            List<String> values = counts.entrySet().stream()
                    .filter(entry -> entry.getValue() >= least)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            return values.isEmpty() ? Optional.empty() : Optional.of(new CategoryColumn(name, values));
        }

        /** What all columns together may keep in memory. */
        static final class Room {

            private static final int MOST_VALUES = 1 << 21;

            private int left = MOST_VALUES;

            private void take(String name, int own) {
                if (--left < 0) {
                    throw new IllegalArgumentException(
                            "the categories have more than %,d different values together, %,d of them in the column '%s'; leave it out: --drop '%s'"
                                    .formatted(MOST_VALUES, own, name, name));
                }
            }
        }
    }
}
