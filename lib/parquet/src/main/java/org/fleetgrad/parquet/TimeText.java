package org.fleetgrad.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;

/** Texts of dates and times, as pandas writes them into a CSV, but for fractions of seconds, which are left out. */
final class TimeText {

    private static final long SECONDS_A_DAY = 24 * 60 * 60;
    private static final long NANOS_A_SECOND = 1_000_000_000;

    /** The Julian day of 1970-01-01. */
    private static final long JULIAN_EPOCH = 2_440_588;

    private TimeText() {}

    /** Returns a date. */
    static String ofDays(long days) {
        try {
            return LocalDate.ofEpochDay(days).toString();
        } catch (DateTimeException beyond) {
            throw new IllegalArgumentException("a date is %,d days after 1970".formatted(days), beyond);
        }
    }

    /** Returns a time of the day. */
    static String ofTime(long time, long unit) {
        return seconds(Math.floorMod(Math.floorDiv(time, unit), SECONDS_A_DAY));
    }

    /**
     * Returns a date with a time, in UTC. Midnight is left out: pandas writes a column of nothing else without it, and a date
     * beside dates with times is midnight.
     */
    static String ofMoment(long time, long unit) {
        long seconds = Math.floorDiv(time, unit);
        String date = ofDays(Math.floorDiv(seconds, SECONDS_A_DAY));
        long rest = Math.floorMod(seconds, SECONDS_A_DAY);
        return rest == 0 ? date : date + " " + seconds(rest);
    }

    /** Returns a date with a time of old files: nanoseconds of the day, and the Julian day. */
    static String ofInt96(Cell cell) {
        ByteBuffer buffer = ByteBuffer.wrap(cell.bytes, cell.from, cell.length).order(ByteOrder.LITTLE_ENDIAN);
        long nanos = buffer.getLong();
        long seconds = (buffer.getInt() - JULIAN_EPOCH) * SECONDS_A_DAY + Math.floorDiv(nanos, NANOS_A_SECOND);
        return ofMoment(seconds, 1);
    }

    private static String seconds(long ofDay) {
        LocalTime time = LocalTime.ofSecondOfDay(ofDay);
        return "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond());
    }
}
