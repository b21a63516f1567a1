package org.fleetgrad.simulation.worker;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.fleetgrad.simulation.kernel.FiberFuture;
import org.fleetgrad.simulation.kernel.Kernel;
import org.fleetgrad.worker.training.CallsBeside;

/** Calls beside a simulated training: fibers of the worker's process, which end with it. */
record FiberCalls(Kernel kernel) implements CallsBeside {

    @Override
    public <T> Future<T> start(Callable<T> call) {
        return FiberFuture.start(kernel, "beside", call);
    }
}
