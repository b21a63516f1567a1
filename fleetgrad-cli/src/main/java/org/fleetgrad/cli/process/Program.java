package org.fleetgrad.cli.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs that a run starts, with the JVM flags that keep each small. */
public enum Program {
    PS_SERVICE("ps-service", "-Xmx512m -Xmn32m -XX:+UseSerialGC", false),
    WORKER_ACTION("worker-action", "-Xmx96m -Xmn12m -XX:+UseSerialGC -XX:TieredStopAtLevel=1", true),
    INFERENCE_API("inference-api", "-Xmx320m -XX:+UseSerialGC -XX:TieredStopAtLevel=1", false);

    /** With a module's name: the system property that gives the program's JVM more flags, with blanks between them. */
    private static final String MORE_FLAGS = "fleetgrad.flags.";

    private final String module;
    private final String flags;
    private final boolean isStandingBack;

    Program(String module, String flags, boolean isStandingBack) {
        this.module = module;
        this.flags = flags;
        this.isStandingBack = isStandingBack;
    }

    /** Returns the module, which is also the name of the jar. */
    public String module() {
        return module;
    }

    /** Returns where its jar is built. */
    public Path jar(Path home) {
        return home.resolve(module).resolve("target").resolve(module + ".jar");
    }

    /**
     * Returns the command that starts it.
     *
     * @param home the checkout
     */
    public List<String> command(Path home) {
        return commandLike("-jar", jar(home).toString());
    }

    /** Returns a command that starts something else with this program's flags. */
    public List<String> commandLike(String... arguments) {
        List<String> command = new ArrayList<>(isStandingBack ? Niceness.STANDING_BACK : List.of());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags.split(" ")));
        String more = System.getProperty(MORE_FLAGS + module, "");
        command.addAll(more.isBlank() ? List.of() : List.of(more.strip().split(" +")));
        command.addAll(List.of(arguments));
        return command;
    }
}
