package org.fleetgrad.runs.invoker;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;

/** Runs the activations of one worker, one after the other. Used by one thread at a time. */
public interface Invoker {

    /** Returns the worker's name in messages. */
    String name();

    /** Starts to prepare the process or container, without waiting for it. */
    default void start() throws IOException {}

    /** Waits until the process or container is ready; does nothing if the first activation prepares it. */
    default void await() throws IOException, InterruptedException {}

    /** Returns whether there is capacity for one more activation now; if so, the caller invokes it next. */
    default boolean mayInvoke() {
        return true;
    }

    /** Receives the state of the run, which lists the workers that have started. */
    default void look(StatusReply status) {}

    /**
     * Returns the outcomes of abandoned activations whose records arrived later.
     *
     * @return by the ids under which they were to register
     */
    default Map<String, ActivationOutcome> lateRecords() throws IOException, InterruptedException {
        return Map.of();
    }

    /**
     * Runs one activation, in a new container if the previous one no longer exists.
     *
     * @param worker the id under which it registers with the parameter server
     */
    ActivationOutcome invoke(String worker) throws IOException, InterruptedException;

    /** Returns the address at which the ready worker serves predictions; empty if it does not. */
    default Optional<URI> serving() throws IOException {
        return Optional.empty();
    }

    /** Frees what is retained between two activations; a later activation is still possible. */
    default void release() throws IOException, InterruptedException {}
}
