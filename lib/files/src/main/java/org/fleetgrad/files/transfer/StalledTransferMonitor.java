package org.fleetgrad.files.transfer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Monitors exchanges whose threads are blocked, and ends those that are too slow. Thread-safe. */
public final class StalledTransferMonitor {

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final Map<Transfer, Runnable> open = new ConcurrentHashMap<>();

    /** A monitor that checks only when {@link #check} is called. */
    public StalledTransferMonitor(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    private static final class Shared {
        private static final StalledTransferMonitor MONITOR = started();

        private static StalledTransferMonitor started() {
            StalledTransferMonitor monitor = new StalledTransferMonitor(System::nanoTime);
            var unused = Executors.newSingleThreadScheduledExecutor(check -> {
                        Thread thread = new Thread(check, "transfer-monitor");
                        thread.setDaemon(true);
                        return thread;
                    })
                    .scheduleWithFixedDelay(
                            monitor::check, CHECK_INTERVAL.toNanos(), CHECK_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
            return monitor;
        }
    }

    /** Returns the monitor of this process, which checks every second. */
    public static StalledTransferMonitor shared() {
        return Shared.MONITOR;
    }

    /** An exchange that is monitored until it is closed. */
    public final class Transfer implements AutoCloseable {

        private final TransferRate rate;
        private volatile boolean isEnded;

        private Transfer(TransferRate rate) {
            this.rate = rate;
        }

        /** Returns the counter of its bytes. */
        public TransferRate rate() {
            return rate;
        }

        /** Returns whether the monitor has ended it. */
        public boolean isEnded() {
            return isEnded;
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    /**
     * Monitors an exchange from now on.
     *
     * @param gracePeriod total time in which no bytes have to move
     * @param end         frees the thread of the exchange, and does not block; called once, by another thread
     */
    public Transfer begin(Duration gracePeriod, Runnable end) {
        Transfer transfer = new Transfer(new TransferRate(gracePeriod, nanoTime));
        open.put(transfer, end);
        return transfer;
    }

    /** Ends every exchange that is too slow. */
    public void check() {
        open.forEach((transfer, end) -> {
            if (transfer.rate.isTooSlow()) {
                // Set first: an exchange that reads false after it closed the transfer is not ended any more.
                transfer.isEnded = true;
                if (open.remove(transfer) != null) {
                    end.run();
                }
            }
        });
    }
}
