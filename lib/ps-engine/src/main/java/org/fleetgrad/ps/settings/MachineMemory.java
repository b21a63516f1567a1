package org.fleetgrad.ps.settings;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The memory that this process may use, in bytes.
 *
 * @param heap    the largest heap
 * @param outside for buffers outside the heap: the smaller of what the JVM allows and what the machine or the container has
 *     left
 */
public record MachineMemory(long heap, long outside) {

    /** Classes, code, threads and the garbage collector. */
    private static final long OF_THE_JVM = 96L << 20;

    /** A machine that reports nothing left has swap, or reports less than it has. */
    private static final long MINIMUM = 32L << 20;

    /** Returns the memory of this process. */
    public static MachineMemory here() {
        long heap = Runtime.getRuntime().maxMemory();
        long machine =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        return of(heap, direct(heap), machine);
    }

    static MachineMemory of(long heap, long direct, long machine) {
        return new MachineMemory(heap, Math.min(direct, Math.max(MINIMUM, machine - heap - OF_THE_JVM)));
    }

    /** By default the JVM's bound is the size of the heap. */
    private static long direct(long heap) {
        HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long stated = options == null
                ? 0
                : Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return stated == 0 ? heap : stated;
    }

    /** Returns the part for versions of the parameters; the remainder is for the buffers of connections. */
    public long snapshots() {
        return outside / 4 * 3;
    }
}
