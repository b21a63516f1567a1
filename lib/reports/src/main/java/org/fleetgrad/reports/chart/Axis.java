package org.fleetgrad.reports.chart;

import java.util.stream.DoubleStream;

/** What an axis measures, with the unit in its title. Its range follows from the values. */
public record Axis(String title, Kind kind) {

    /** How values are placed. */
    public enum Kind {
        /** From 0. */
        LINEAR,
        /** Shares from 0 to 1, written as percent; begins above 0 if all of them lie high. */
        PERCENT,
        /** By powers of ten, for values that differ by factors. */
        LOG
    }

    public static Axis linear(String title) {
        return new Axis(title, Kind.LINEAR);
    }

    public static Axis percent(String title) {
        return new Axis(title, Kind.PERCENT);
    }

    public static Axis log(String title) {
        return new Axis(title, Kind.LOG);
    }

    Scale scale(DoubleStream values) {
        double[] all = values.toArray();
        double least = DoubleStream.of(all).min().orElse(0);
        double most = DoubleStream.of(all).max().orElse(1);
        return switch (kind) {
            case LINEAR -> Scale.linear(Math.min(0, least), most, "");
            case PERCENT -> percentScale(least);
            case LOG -> Scale.log(least, most);
        };
    }

    /** Between 97% and 98%, an axis from 0 shows a straight line. */
    private static Scale percentScale(double least) {
        double from = least >= 0.9 ? 90 : least >= 0.5 ? 50 : 0;
        return Scale.linear(from, 100, "%").of(100);
    }
}
