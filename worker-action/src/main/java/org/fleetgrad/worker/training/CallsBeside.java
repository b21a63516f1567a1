package org.fleetgrad.worker.training;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs calls to the servers while the worker computes on: pushes in flight, and renewals that may hang. */
public interface CallsBeside {

    /** Daemon threads, as many as calls run at a time. */
    CallsBeside THREADS = new CallsBeside() {
        private final ExecutorService threads = Executors.newCachedThreadPool(CallsBeside::thread);

        @Override
        public <T> Future<T> start(Callable<T> call) {
            return threads.submit(call);
        }
    };

    /** Starts a call. An interrupt of the future interrupts it. */
    <T> Future<T> start(Callable<T> call);

    private static Thread thread(Runnable calls) {
        Thread thread = new Thread(calls, "call-beside");
        thread.setDaemon(true);
        return thread;
    }
}
