package org.fleetgrad.cli.settings;

/**
 * How gradients and parameters travel between a run's workers and its parameter server.
 *
 * @param encoding      what gradients travel as, such as {@code topk:0.01}
 * @param pullEncoding  what parameters travel as
 * @param isOverlapping whether workers compute while a gradient travels
 */
public record TransferSettings(String encoding, String pullEncoding, boolean isOverlapping) {

    /** As they are, one after the other. */
    public static final TransferSettings PLAIN = new TransferSettings("f32", "f32", false);
}
