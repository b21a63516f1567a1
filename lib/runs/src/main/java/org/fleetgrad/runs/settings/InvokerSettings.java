package org.fleetgrad.runs.settings;

import java.time.Duration;
import java.util.OptionalLong;

/** The place of a run's workers, with its settings. */
public sealed interface InvokerSettings {

    /** Processes of this machine. */
    record Local() implements InvokerSettings {}

    /**
     * Containers of this machine's Docker, as OpenWhisk would run them.
     *
     * @param image       the worker's image
     * @param memoryBytes memory limit of a container
     * @param limit       an activation that takes longer is killed
     */
    record InDocker(String image, long memoryBytes, Duration limit) implements InvokerSettings {}

    /** What OpenWhisk stores as the action. */
    enum ActionKind {
        /** The worker's image. */
        DOCKER,
        /** The worker's jar, and the image of a runtime for it. */
        JAVA
    }

    /**
     * Activations of an OpenWhisk.
     *
     * @param action        the action's name
     * @param kind          what OpenWhisk stores
     * @param image         the image, as OpenWhisk finds it
     * @param memoryBytes   memory limit of a container
     * @param limit         the action's time limit
     * @param serverAddress address of this machine that its containers can reach
     */
    record InOpenWhisk(
            String action, ActionKind kind, String image, long memoryBytes, Duration limit, String serverAddress)
            implements InvokerSettings {}

    /** Returns its name on the command line. */
    default String name() {
        if (this instanceof InOpenWhisk) {
            return "openwhisk";
        }
        return this instanceof InDocker ? "docker" : "local";
    }

    /** Returns the memory limit of a worker; empty if it has none. */
    default OptionalLong memory() {
        if (this instanceof InOpenWhisk activations) {
            return OptionalLong.of(activations.memoryBytes());
        }
        return this instanceof InDocker containers ? OptionalLong.of(containers.memoryBytes()) : OptionalLong.empty();
    }
}
