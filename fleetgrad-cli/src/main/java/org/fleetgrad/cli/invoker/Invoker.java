package org.fleetgrad.cli.invoker;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** Runs the activations of one worker, one after the other. Belongs to one thread at a time. */
public interface Invoker {

    /** Returns the worker's name in messages. */
    String name();

    /** Starts to prepare the process or container, without waiting for it. */
    default void start() throws IOException {}

    /** Waits until the process or container is ready; does nothing if the first activation prepares it. */
    default void await() throws IOException, InterruptedException {}

    /**
     * Runs one activation, in a new container if the previous one is gone.
     *
     * @param worker the id under which it registers with the parameter server
     */
    ActivationOutcome invoke(String worker) throws IOException, InterruptedException;

    /** Returns where the worker that is ready answers predictions; empty if it does not. */
    default Optional<URI> serving() throws IOException {
        return Optional.empty();
    }

    /** Frees what is kept between two activations; a later activation is still possible. */
    default void release() throws IOException, InterruptedException {}
}
