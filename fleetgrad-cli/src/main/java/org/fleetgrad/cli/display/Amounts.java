package org.fleetgrad.cli.display;

import java.time.Duration;
import java.util.Locale;

/** Writes lengths and ages in few characters. */
public final class Amounts {

    private static final int STEP = 1000;
    private static final String UNITS = "kMGTPE";

    private Amounts() {}

    /** Writes a number of bytes with a unit of thousands: {@code 247.1 kB}. */
    public static String bytes(long bytes) {
        if (bytes < STEP) {
            return bytes + " B";
        }
        double amount = (double) bytes;
        int unit = -1;
        // A number that would be rounded up to a thousand gets the next unit.
        while (amount >= STEP - 0.05) {
            amount /= STEP;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %sB", amount, UNITS.charAt(unit));
    }

    /** Writes an age in its largest whole unit; a time in the future, by another clock, counts as now. */
    public static String age(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + " s";
        }
        if (age.toMinutes() < 120) {
            return age.toMinutes() + " min";
        }
        return age.toHours() < 48 ? age.toHours() + " h" : age.toDays() + " d";
    }
}
