package org.fleetgrad.simulation.scale;

/** One direction of a machine's link. */
final class Link {

    private final double bytesANano;
    /** The flows that cross it now. */
    private int flows;

    private double carried;

    Link(double bitsASecond) {
        this.bytesANano = bitsASecond / 8e9;
    }

    double bytesANano() {
        return bytesANano;
    }

    int flows() {
        return flows;
    }

    void begin() {
        flows++;
    }

    void end(double bytes) {
        flows--;
        carried += bytes;
    }

    /** Returns the nanoseconds in which it had carried everything so far, at its full speed. */
    double busyNanos() {
        return carried / bytesANano;
    }
}
