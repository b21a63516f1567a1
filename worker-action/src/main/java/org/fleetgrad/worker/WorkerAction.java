package org.fleetgrad.worker;

import org.fleetgrad.worker.action.ActionContainer;

/** Starts the worker: the OpenWhisk action container, which plain Docker and {@code fleetgrad} run as well. */
public final class WorkerAction {

    private WorkerAction() {}

    /** Serves until it is told to stop; a SIGTERM lets the run in progress push what it holds and answer. */
    public static void main(String[] arguments) throws Exception {
        ActionContainer.serve(System.getenv());
    }
}
