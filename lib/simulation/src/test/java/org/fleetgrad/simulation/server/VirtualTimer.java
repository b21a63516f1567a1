package org.fleetgrad.simulation.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.fleetgrad.simulation.kernel.Kernel;

/** The container's timer, by the kernel's time. */
final class VirtualTimer extends AbstractLifeCycle implements Scheduler {

    private final Kernel kernel;
    private final BooleanSupplier isRunning;

    /** @param isRunning whether the process that has the timer is alive */
    VirtualTimer(Kernel kernel, BooleanSupplier isRunning) {
        this.kernel = kernel;
        this.isRunning = isRunning;
    }

    @Override
    public Task schedule(Runnable task, long delay, TimeUnit unit) {
        AtomicBoolean isOpen = new AtomicBoolean(true);
        kernel.after(Duration.ofNanos(unit.toNanos(delay)), () -> {
            if (isOpen.getAndSet(false) && isRunning.getAsBoolean()) {
                task.run();
            }
        });
        return () -> isOpen.getAndSet(false);
    }
}
