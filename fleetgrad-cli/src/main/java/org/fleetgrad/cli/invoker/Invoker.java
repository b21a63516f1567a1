package org.fleetgrad.cli.invoker;

import java.io.IOException;

/** Runs one worker's activations, one after the other. Belongs to one thread at a time. */
public interface Invoker {

    /** Returns what the worker is called in messages. */
    String name();

    /** Begins to make ready what runs the action, and does not wait for it. */
    default void start() throws IOException {}

    /** Waits until what runs the action is ready, where that is not a matter of the first activation. */
    default void await() throws IOException, InterruptedException {}

    /**
     * Runs one activation, in a new container where the one before is gone.
     *
     * @param worker the id under which it registers with the parameter server
     */
    ActivationOutcome invoke(String worker) throws IOException, InterruptedException;

    /** Gives up what is kept from one activation to the next; another one may still come. */
    default void release() throws IOException, InterruptedException {}
}
