package org.fleetgrad.runs.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs that a run starts, with the JVM flags that keep each small. */
public enum Program {
    /** Inlines less than usual: a push costs less while the JIT compiles, and no more after that (ADR 35). */
    PS_SERVICE(
            "ps-service",
            512,
            10,
            "-Xmn32m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -XX:MaxInlineLevel=6 -XX:FreqInlineSize=150 -XX:InlineSmallCode=1000 "
                    + Program.LATE_C2,
            false),
    WORKER_ACTION("worker-action", 96, 7, "-Xmn12m -XX:+UseSerialGC -XX:TieredStopAtLevel=1", true),
    INFERENCE_API("inference-api", 320, 5, "-XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError " + Program.LATE_C2, false);

    /**
     * Lets C2 compile a method after ten times as many calls or loops as usual, so that the first seconds of a run belong to the workers
     * (ADR 35).
     */
    private static final String LATE_C2 =
            "-XX:Tier4InvocationThreshold=50000 -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000";

    /** Prefix of a system property, followed by a module's name: more JVM flags of the program, separated by blanks. */
    private static final String MORE_FLAGS = "fleetgrad.flags.";

    /**
     * Maps the CDS archive at its preferred address. At another address, the default since the JDKs of 2023, the JVM would
     * relocate all of it, and 8 to 20 MB of the archive would be private to this process.
     */
    public static final String SHARED_CLASSES = "-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0";

    private final String module;
    private final int heapMegabytes;
    private final int copies;
    private final String flags;
    private final boolean isStandingBack;

    /**
     * @param heapMegabytes largest heap with a small network
     * @param copies        of a parameter set that additionally fit into the heap: parameters, optimizer, gradients in
     *     flight, and data being read or written
     */
    Program(String module, int heapMegabytes, int copies, String flags, boolean isStandingBack) {
        this.module = module;
        this.heapMegabytes = heapMegabytes;
        this.copies = copies;
        this.flags = flags;
        this.isStandingBack = isStandingBack;
    }

    /** Returns the module, which is also the name of the jar. */
    public String module() {
        return module;
    }

    public Path jar(Path home) {
        return ProgramFolder.jar(home, module);
    }

    /**
     * Returns the command that starts it with a heap for a large parameter set.
     *
     * @param home           the checkout
     * @param parameterBytes of the parameter set
     */
    public List<String> command(Path home, long parameterBytes) {
        return command(home, new Room(parameterBytes, 0, 0));
    }

    /** Returns the command that starts it with a heap for a run's parameter set. */
    List<String> command(Path home, Room room) {
        long megabytes = megabytes(room.parameterBytes());
        if (this == PS_SERVICE) {
            megabytes = Math.max(megabytes, Math.min(megabytes + room.moreMegabytes(), room.mostMegabytes()));
        }
        return command(megabytes, flags, List.of("-jar", jar(home).toString()));
    }

    /** Returns a command that starts something else with this program's flags and a heap for a parameter set. */
    public List<String> commandLike(long parameterBytes, String... arguments) {
        return command(megabytes(parameterBytes), flags, List.of(arguments));
    }

    private long megabytes(long parameterBytes) {
        return heapMegabytes + ((copies * parameterBytes) >> 20);
    }

    /** Returns the command that starts it with a heap of this size, and with minimal other JVM memory. */
    List<String> commandWithHeap(Path home, long heapBytes) {
        return command(
                heapBytes >> 20,
                flags + " " + SHARED_CLASSES,
                List.of("-jar", jar(home).toString()));
    }

    private List<String> command(long megabytes, String flagsOfHeap, List<String> arguments) {
        List<String> command = new ArrayList<>(isStandingBack ? Niceness.STANDING_BACK : List.of());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx%dm".formatted(megabytes));
        command.addAll(List.of(flagsOfHeap.split(" ")));
        String more = System.getProperty(MORE_FLAGS + module, "");
        command.addAll(more.isBlank() ? List.of() : List.of(more.strip().split(" +")));
        command.addAll(arguments);
        return command;
    }
}
