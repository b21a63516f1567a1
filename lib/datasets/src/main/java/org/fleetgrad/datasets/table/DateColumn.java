package org.fleetgrad.datasets.table;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * A column of dates: {@code 2024-02-29}, or with a time, {@code 2024-02-29 18:30} or {@code 2024-02-29T18:30:15}, perhaps with a
 * fraction of the second. A value is the standardized year, and sine and cosine of the month, of the day of the week, and of the time
 * of the day, so that December is near January.
 *
 * @param name       of the column
 * @param hasTime    whether values have a time
 * @param mean       of the years of the training rows
 * @param std        standard deviation of their years; 1 if they are all alike
 * @param hasMissing whether a last number says with 1 that the value is missing
 */
public record DateColumn(String name, boolean hasTime, double mean, double std, boolean hasMissing)
        implements TableColumn {

    private static final int WIDTH = 5;
    private static final int MONTHS = 12;
    private static final int DAYS = 7;
    private static final int MINUTES = 24 * 60;
    private static final int DATE_LENGTH = 10;
    private static final int MINUTES_LENGTH = 16;
    private static final int SECONDS_LENGTH = 19;
    private static final int MOST_FRACTION_DIGITS = 9;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name breaks its rule, or the numbers are not finite or nothing can be divided by them
     */
    public DateColumn {
        TableColumn.requireName(name);
        NumberColumn.requireStatistics(name, mean, std);
    }

    @Override
    public int width() {
        return WIDTH + (hasTime ? 2 : 0) + (hasMissing ? 1 : 0);
    }

    @Override
    public void encode(String value, float[] row, int at) {
        Arrays.fill(row, at, at + width(), 0);
        if (FieldValue.isMissing(value)) {
            if (hasMissing) {
                row[at + width() - 1] = 1;
            }
            return;
        }
        Moment moment = moment(name, value);
        row[at] = NumberColumn.standardized(name, moment.date().getYear(), mean, std);
        putAngle((moment.date().getMonthValue() - 1.0) / MONTHS, row, at + 1);
        putAngle((moment.date().getDayOfWeek().getValue() - 1.0) / DAYS, row, at + 3);
        if (hasTime) {
            putAngle((double) moment.minute() / MINUTES, row, at + WIDTH);
        }
    }

    /**
     * Writes an angle as its sine and its cosine.
     *
     * @param turn part of a whole turn, from 0 to below 1
     */
    public static void putAngle(double turn, float[] row, int at) {
        row[at] = (float) Math.sin(2 * Math.PI * turn);
        row[at + 1] = (float) Math.cos(2 * Math.PI * turn);
    }

    /** Reads a date that must be one. */
    static Moment moment(String name, String value) {
        Moment moment = Moment.parse(value);
        if (moment == null) {
            throw new IllegalArgumentException(
                    "the column '%s' takes dates, such as 2024-02-29 or 2024-02-29 18:30; it is '%s'"
                            .formatted(name, Printable.text(value)));
        }
        return moment;
    }

    /**
     * A date, perhaps with a time.
     *
     * @param minute  of the day
     * @param hasTime whether there is a time
     */
    record Moment(LocalDate date, int minute, boolean hasTime) {

        /** Reads a value, or returns null if it is anything else. */
        static @Nullable Moment parse(String value) {
            int length = value.length();
            if (length != DATE_LENGTH && length != MINUTES_LENGTH && length != SECONDS_LENGTH && !hasFraction(value)) {
                return null;
            }
            int year = digits(value, 0, 4);
            int month = digits(value, 5, 2);
            int day = digits(value, 8, 2);
            if (year < 0 || month < 0 || day < 0 || value.charAt(4) != '-' || value.charAt(7) != '-') {
                return null;
            }
            int minute = length == DATE_LENGTH ? 0 : minute(value);
            if (minute < 0) {
                return null;
            }
            try {
                return new Moment(LocalDate.of(year, month, day), minute, length > DATE_LENGTH);
            } catch (DateTimeException noSuchDay) {
                return null;
            }
        }

        /** Python writes fractions of seconds, of up to nine digits. */
        private static boolean hasFraction(String value) {
            int digits = value.length() - SECONDS_LENGTH - 1;
            return digits > 0
                    && digits <= MOST_FRACTION_DIGITS
                    && value.charAt(SECONDS_LENGTH) == '.'
                    && digits(value, SECONDS_LENGTH + 1, digits) >= 0;
        }

        private static int minute(String value) {
            int hour = digits(value, 11, 2);
            int minute = digits(value, 14, 2);
            char between = value.charAt(DATE_LENGTH);
            if ((between != 'T' && between != ' ')
                    || value.charAt(13) != ':'
                    || hour < 0
                    || hour > 23
                    || minute < 0
                    || minute > 59) {
                return -1;
            }
            if (value.length() >= SECONDS_LENGTH) {
                int second = digits(value, 17, 2);
                if (value.charAt(16) != ':' || second < 0 || second > 59) {
                    return -1;
                }
            }
            return hour * 60 + minute;
        }

        private static int digits(String value, int from, int count) {
            int number = 0;
            for (int i = from; i < from + count; i++) {
                char c = value.charAt(i);
                if (c < '0' || c > '9') {
                    return -1;
                }
                number = number * 10 + (c - '0');
            }
            return number;
        }
    }
}
