package org.fleetgrad.runs.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The heap that programs need for the parameter set of a run.
 *
 * @param parameterBytes   of the parameter set
 * @param moreServerCopies of the parameter set that a parameter server stores by its settings: earlier versions, and arrays
 *     and gradients of each worker
 * @param machineBytes     of memory
 */
record Room(long parameterBytes, int moreServerCopies, long machineBytes) {

    /** Enough for a small network. */
    static final Room NONE = new Room(0, 0, 0);

    /** Returns the heap sizes for this machine. */
    static Room here(long parameterBytes, int moreServerCopies) {
        long machine =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        return new Room(parameterBytes, moreServerCopies, machine);
    }

    /** Returns the additional mebibytes that a parameter server needs. */
    long moreMegabytes() {
        return (moreServerCopies * parameterBytes) >> 20;
    }

    /** Returns the limit of a heap in mebibytes: a heap beyond the machine's memory is of no use. */
    long mostMegabytes() {
        return (machineBytes / 4 * 3) >> 20;
    }
}
