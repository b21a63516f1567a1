package org.fleetgrad.benchmarks.firstmodel;

/** What is waited for on the way to a first model, on both sides. */
enum Moment {
    PROGRAMS("programs", "all programs listen; the rival's Python runs"),
    LIBTORCH("libtorch", "both workers have loaded libtorch; the rival has imported torch"),
    GRADIENT("gradient", "the first accepted gradient; the rival's first step"),
    THOUSANDTH("1000", "the 1,000th accepted gradient; the rival's 1,000th step"),
    TARGET("target", "98% of the held-out images"),
    EXIT("exit", "the end of the command");

    private final String suffix;
    private final String what;

    Moment(String suffix, String what) {
        this.suffix = suffix;
        this.what = what;
    }

    /** Returns the end of the figure's name. */
    String suffix() {
        return suffix;
    }

    String what() {
        return what;
    }
}
