package org.fleetgrad.cli.process;

import java.util.List;

/** The programs that a run starts, with the flags that keep each small. */
public enum Program {
    PS_SERVICE("ps-service", "-Xmx512m -XX:+UseSerialGC"),
    WORKER_ACTION("worker-action", "-Xmx96m -Xmn12m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"),
    INFERENCE_API("inference-api", "-Xmx320m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

    private final String module;
    private final String flags;

    Program(String module, String flags) {
        this.module = module;
        this.flags = flags;
    }

    /** Returns the module, which is also the name of the jar. */
    public String module() {
        return module;
    }

    List<String> flags() {
        return List.of(flags.split(" "));
    }
}
