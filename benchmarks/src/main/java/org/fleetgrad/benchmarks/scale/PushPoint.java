package org.fleetgrad.benchmarks.scale;

/**
 * What a push-and-pull costs.
 *
 * @param count       of workers, or of parameters
 * @param roundTripMs from the first byte sent to the last one received
 * @param processorMs of all threads of the server
 * @param perSecond   of all workers together
 * @param otherMs     a round trip to compare with
 */
record PushPoint(int count, double roundTripMs, double processorMs, double perSecond, double otherMs) {

    PushPoint against(double other) {
        return new PushPoint(count, roundTripMs, processorMs, perSecond, other);
    }

    @Override
    public String toString() {
        return "%,d: %.3f ms, %.3f ms of the server's processors, %.1f a second"
                .formatted(count, roundTripMs, processorMs, perSecond);
    }
}
