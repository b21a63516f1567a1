package org.fleetgrad.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The options of {@code demo} with generated digits: the learning rate rises over 3,000 samples and falls along half a cosine until 40,000.
 * Then 97% take 9,000 to 11,000 samples, where the constant default takes 12,000 to 16,000. They come before those of the user, which
 * therefore win.
 */
public final class DigitsDemo {

    private static final double RISE = 3_000;
    private static final double FALL = 40_000;

    /** Who sets one of these has another training in mind. */
    public static final List<String> OTHERS = List.of(
            "--data",
            "--network",
            "--network-jar",
            "--resume",
            "--from",
            "--optimizer",
            "--learning-rate",
            "--learning-rate-schedule",
            "--warmup",
            "--momentum",
            "--nesterov",
            "--batch-size",
            "--update-interval");

    private DigitsDemo() {}

    /**
     * Returns the options of a run on generated digits.
     *
     * @param samples digits of an epoch, 1 or more
     */
    public static List<String> options(int samples, List<String> given) {
        List<String> all = new ArrayList<>(List.of(
                "--learning-rate=0.03",
                String.format(Locale.ROOT, "--warmup=%.6f", RISE / samples),
                String.format(
                        Locale.ROOT, "--learning-rate-schedule=cosine:total=%.6f,minimum=0.003", FALL / samples)));
        all.addAll(given);
        return all;
    }
}
