package org.fleetgrad.cli.run;

import java.time.Duration;
import java.util.OptionalLong;

/** Where a run's workers are, as a user asked for it. */
public sealed interface InvokerSettings {

    /** Processes of this machine. */
    record Local() implements InvokerSettings {}

    /**
     * Containers of this machine's Docker, as OpenWhisk would run them.
     *
     * @param image       the worker's image
     * @param memoryBytes all the memory that a container has
     * @param limit       how long an activation may take before it is killed
     */
    record InDocker(String image, long memoryBytes, Duration limit) implements InvokerSettings {}

    /** Returns the memory of a worker; nothing where it has no limit. */
    default OptionalLong memory() {
        return this instanceof InDocker containers ? OptionalLong.of(containers.memoryBytes()) : OptionalLong.empty();
    }
}
