package org.fleetgrad.cli.run;

import java.io.IOException;

/** Runs one worker's activations, one after the other. Belongs to the thread that invokes. */
interface Invoker {

    /** Returns what the worker is called in messages. */
    String name();

    /** Makes ready what runs the action; an {@link IOException} means not yet, or not at all. */
    void init() throws IOException, InterruptedException;

    /** Runs one activation, in a new container where the one before is gone. */
    ActivationEnd invoke() throws IOException, InterruptedException;
}
