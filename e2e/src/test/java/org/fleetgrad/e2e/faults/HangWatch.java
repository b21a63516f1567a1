package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Detects a wait longer than {@link #BOUND} while the server is up, and reports the stacks of the caller and of the
 * server's threads. Time in which the server is dead, starting or stopped does not count.
 */
final class HangWatch implements AutoCloseable {

    /** Far longer than a push takes on a loaded machine, and than a barrier needs to notice a dead worker. */
    static final Duration BOUND = Duration.ofSeconds(20);

    private static final long LOOK_MS = 200;

    private final UpTime upTime;
    private final Supplier<String> serverThreads;
    private final Consumer<String> onHang;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "watchdog");
        thread.setDaemon(true);
        return thread;
    });

    /** Watched code. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    /** A call that must end. */
    private final class Call {
        private final String what;
        private final Thread thread = Thread.currentThread();
        private final Duration begin = upTime.total();

        private Call(String what) {
            this.what = what;
        }
    }

    HangWatch(UpTime upTime, Supplier<String> serverThreads, Consumer<String> onHang) {
        this.upTime = upTime;
        this.serverThreads = serverThreads;
        this.onHang = onHang;
        ScheduledFuture<?> unused =
                watchdog.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Runs code that must end, and watches it. */
    <T> T watch(String what, Work<T> work) throws IOException {
        Call call = new Call(what);
        open.add(call);
        try {
            return work.run();
        } finally {
            open.remove(call);
        }
    }

    private void look() {
        Duration now = upTime.total();
        for (Call call : List.copyOf(open)) {
            if (now.minus(call.begin).compareTo(BOUND) > 0 && open.remove(call)) {
                onHang.accept("%s for more than %s; it waits at%n%s%nand the server at%n%s"
                        .formatted(call.what, BOUND, stack(call.thread), serverThreads.get()));
            }
        }
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(frame -> "    " + frame)
                .collect(Collectors.joining(System.lineSeparator()));
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
    }
}
