package org.fleetgrad.cli.invoker;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.messages.StatusReply;

/** Runs the activations of one worker, one after the other. Belongs to one thread at a time. */
public interface Invoker {

    /** Returns the worker's name in messages. */
    String name();

    /** Starts to prepare the process or container, without waiting for it. */
    default void start() throws IOException {}

    /** Waits until the process or container is ready; does nothing if the first activation prepares it. */
    default void await() throws IOException, InterruptedException {}

    /** Tells whether there is room for one more activation now; if so, the caller invokes it next. */
    default boolean mayInvoke() {
        return true;
    }

    /** Hears of the state of the run, which lists the workers that have started. */
    default void look(StatusReply status) {}

    /**
     * Returns the ends of activations that were given up before, and whose records came later.
     *
     * @return by the ids under which they were to register
     */
    default Map<String, ActivationOutcome> late() throws IOException, InterruptedException {
        return Map.of();
    }

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
