package org.fleetgrad.networks;

/**
 * A network as a line of a list, with its usual images and classes.
 *
 * @param name        its own name, such as {@code resnet18}
 * @param description what it is
 * @param spec        its size and shapes
 */
public record NetworkSummary(String name, String description, NetworkSpec spec) {

    /** Returns the megabytes of its parameter set, at 10^6 bytes. */
    public double megabytes() {
        return spec.layout().byteLength() / 1e6;
    }
}
