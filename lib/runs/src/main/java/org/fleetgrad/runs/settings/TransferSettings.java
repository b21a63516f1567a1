package org.fleetgrad.runs.settings;

/**
 * How gradients and parameters are transferred between a run's workers and its parameter server.
 *
 * @param encoding      of gradients, such as {@code topk:0.01}
 * @param pullEncoding  of parameters
 * @param isOverlapping whether workers compute while a gradient is in flight
 */
public record TransferSettings(String encoding, String pullEncoding, boolean isOverlapping) {

    /** Uncompressed, without overlap. */
    public static final TransferSettings PLAIN = new TransferSettings("f32", "f32", false);
}
