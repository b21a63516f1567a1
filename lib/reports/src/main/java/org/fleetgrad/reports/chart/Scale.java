package org.fleetgrad.reports.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Places values between 0, the beginning of an axis, and 1, its end.
 *
 * @param from   first value, in the units of the ticks
 * @param to     last value
 * @param isLog  whether equal distances are equal factors
 * @param ticks  the values that are written
 * @param unit   written after each tick
 * @param factor from the values to the units of the ticks
 */
record Scale(double from, double to, boolean isLog, List<Double> ticks, String unit, double factor) {

    private static final int MOST_TICKS = 6;
    private static final double[] STEPS = {1, 2, 5, 10};
    /** A latency of 0 has no place on a logarithmic axis. */
    private static final double LEAST_LOG = 1e-3;

    /** Returns a scale over at least these values, whose ends are ticks. */
    static Scale linear(double least, double most, String unit) {
        double range = most > least ? most - least : 1;
        double step = step(range);
        double from = Math.floor(least / step + 1e-9) * step;
        double to = Math.ceil((least + range) / step - 1e-9) * step;
        List<Double> ticks = new ArrayList<>();
        for (long i = 0; i <= Math.round((to - from) / step); i++) {
            ticks.add(from + i * step);
        }
        return new Scale(from, to, false, ticks, unit, 1);
    }

    /** Returns a scale over at least these values: whole powers of ten if they differ by much, else 1, 2, 5 of them. */
    static Scale log(double least, double most) {
        double from = floor(Math.max(LEAST_LOG, least));
        double to = Math.max(ceiling(Math.max(LEAST_LOG, most)), from * 2);
        List<Double> all = new ArrayList<>();
        for (int power = -3; power <= 9; power++) {
            for (int i = 0; i < 3; i++) {
                double tick = STEPS[i] * Math.pow(10, power);
                if (tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9)) {
                    all.add(tick);
                }
            }
        }
        List<Double> ticks = all.size() <= MOST_TICKS + 2
                ? all
                : all.stream().filter(Scale::isPowerOfTen).toList();
        return new Scale(from, to, true, ticks, "", 1);
    }

    private static double floor(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
        return DoubleStream.of(5, 2, 1)
                .map(step -> step * power)
                .filter(tick -> tick <= value * (1 + 1e-9))
                .findFirst()
                .orElse(power);
    }

    private static double ceiling(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
        return DoubleStream.of(1, 2, 5, 10)
                .map(step -> step * power)
                .filter(tick -> tick >= value * (1 - 1e-9))
                .findFirst()
                .orElse(10 * power);
    }

    private static boolean isPowerOfTen(double value) {
        double log = Math.log10(value);
        return Math.abs(log - Math.rint(log)) < 1e-6;
    }

    private static double step(double range) {
        double power = Math.pow(10, Math.floor(Math.log10(range / MOST_TICKS)));
        return DoubleStream.of(STEPS)
                .map(step -> step * power)
                .filter(step -> range / step <= MOST_TICKS + 1e-9)
                .findFirst()
                .orElse(10 * power);
    }

    /** Returns the scale of values that are this many times smaller than its ticks. */
    Scale of(double times) {
        return new Scale(from, to, isLog, ticks, unit, times);
    }

    /** Returns the scale that ends at a value instead of a tick, so that an axis of time has no empty end. */
    Scale endingAt(double value) {
        return value > from && value < to
                ? new Scale(
                        from,
                        value,
                        isLog,
                        ticks.stream().filter(tick -> tick <= value).toList(),
                        unit,
                        factor)
                : this;
    }

    double place(double value) {
        return placeOfTick(value * factor);
    }

    double placeOfTick(double tick) {
        double share =
                isLog ? Math.log(Math.max(tick, LEAST_LOG) / from) / Math.log(to / from) : (tick - from) / (to - from);
        return Math.min(1, Math.max(0, share));
    }

    /** Writes a tick with enough decimals to distinguish it from the next. */
    String text(double tick) {
        double smallest = isLog || ticks.size() < 2 ? Math.abs(tick) : ticks.get(1) - ticks.get(0);
        int decimals = smallest == 0 || smallest >= 1 ? 0 : (int) Math.ceil(-Math.log10(smallest) - 1e-9);
        return String.format(Locale.ROOT, "%,." + decimals + "f", tick) + unit;
    }
}
