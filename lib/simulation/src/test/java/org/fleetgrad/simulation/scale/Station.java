package org.fleetgrad.simulation.scale;

import java.time.Duration;
import java.util.PriorityQueue;
import org.fleetgrad.simulation.kernel.Kernel;

/** Places, such as processors, that serve whatever comes, first come, first served. */
final class Station {

    private final Kernel kernel;
    private final int places;
    /** When each place that was ever busy is free, the soonest first. */
    private final PriorityQueue<Long> free = new PriorityQueue<>();

    private double busyNanos;

    Station(Kernel kernel, int places) {
        this.kernel = kernel;
        this.places = places;
    }

    /** Serves something that comes now. */
    void serve(double nanos, Runnable then) {
        busyNanos += nanos / places;
        long begin = free.size() < places ? kernel.nanos() : Math.max(kernel.nanos(), free.remove());
        long end = begin + (long) nanos;
        free.add(end);
        kernel.after(Duration.ofNanos(end - kernel.nanos()), then);
    }

    /** Returns the nanoseconds in which all of its places together had done everything so far. */
    double busyNanos() {
        return busyNanos;
    }
}
