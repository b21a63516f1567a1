package org.fleetgrad.simulation.scale;

/**
 * What a push with its pull costs, in nanoseconds of a processor, as measured.
 *
 * @param requestNanos of the server, for any request
 * @param byteNanos    of the server, for each byte that it receives or sends
 * @param valueNanos   of the server's applier, for each parameter of a gradient
 * @param processors   of the server
 */
record ServerCosts(double requestNanos, double byteNanos, double valueNanos, int processors) {

    double serving(double bytes) {
        return requestNanos / 2 + byteNanos * bytes;
    }

    double applying(long values) {
        return valueNanos * values;
    }
}
