package org.fleetgrad.runs.start;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.Locale;

/** How busy this machine is: the usual reason for a slow start. */
final class MachineLoad {

    private MachineLoad() {}

    /** Describes it in a few words; empty if the system does not report it. */
    static String text() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        return load < 0
                ? ""
                : String.format(Locale.ROOT, "load %.1f on %d processors", load, system.getAvailableProcessors());
    }
}
