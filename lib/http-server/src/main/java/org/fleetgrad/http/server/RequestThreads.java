package org.fleetgrad.http.server;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a small service, and the timeouts of clients that hold them. The JDK's server does not bound the time of a
 * request: a client that sends a byte a second would hold a thread for as long as it likes, from the first line on.
 * To be the executor of such a server. Thread-safe.
 */
public final class RequestThreads implements Executor, AutoCloseable {

    private static final long IDLE_SECONDS = 30;
    private static final int CHECKS_PER_GRACE_PERIOD = 4;

    private final SmallLimits limits;
    private final ThreadPoolExecutor threads;
    private final ScheduledExecutorService watch;
    private final Map<Thread, ActiveRequest> requests = new ConcurrentHashMap<>();

    /** @param name of the threads */
    public RequestThreads(String name, SmallLimits limits) {
        this.limits = limits;
        int most = limits.working() + limits.waiting();
        this.threads = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> daemon(name, work));
        threads.allowCoreThreadTimeOut(true);
        this.watch = Executors.newSingleThreadScheduledExecutor(work -> daemon(name + "-watch", work));
        long pause = Math.max(1, limits.gracePeriod().toMillis() / CHECKS_PER_GRACE_PERIOD);
        ScheduledFuture<?> unused = watch.scheduleWithFixedDelay(this::abortSlow, pause, pause, TimeUnit.MILLISECONDS);
    }

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        // Requests in progress do not keep the program alive.
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(() -> run(task));
    }

    private void run(Runnable task) {
        ActiveRequest request = new ActiveRequest(System.nanoTime());
        requests.put(Thread.currentThread(), request);
        try {
            task.run();
        } finally {
            requests.remove(Thread.currentThread());
            request.finish();
        }
    }

    /** Returns the request of the calling thread. */
    public ActiveRequest current() {
        return Optional.ofNullable(requests.get(Thread.currentThread())).orElseThrow();
    }

    /** Aborts requests that wait for their client for too long; if too many wait, aborts the longest waiting. */
    private void abortSlow() {
        long now = System.nanoTime();
        List<ActiveRequest> waiting = requests.values().stream()
                .filter(ActiveRequest::isWaiting)
                .sorted(Comparator.comparingLong(request -> request.since() - now))
                .toList();
        int tooMany = waiting.size() - limits.waiting();
        for (int i = 0; i < waiting.size(); i++) {
            long waited = now - waiting.get(i).since();
            if (waited > limits.timeout().toNanos()
                    || (i < tooMany && waited > limits.gracePeriod().toNanos())) {
                waiting.get(i).abort();
            }
        }
    }

    /** Interrupts all requests. */
    @Override
    public void close() {
        watch.shutdownNow();
        threads.shutdownNow();
    }

    /**
     * One request in its thread. While it waits for its client, another thread may end it: an interrupt closes the connection that
     * the thread reads or writes, since that is an interruptible channel. While the request is handled, nobody interrupts it.
     * Thread-safe.
     */
    public static final class ActiveRequest {

        private final Thread thread = Thread.currentThread();
        private long since;
        private boolean isWaiting = true;
        private boolean isAborted;

        /** Begins with a wait for the request. */
        private ActiveRequest(long nanos) {
            this.since = nanos;
        }

        /**
         * Ends the wait for the request, which is complete.
         *
         * @throws IOException if it was ended meanwhile
         */
        public synchronized void beginHandling() throws IOException {
            if (isAborted) {
                throw new IOException("the request did not arrive in time");
            }
            isWaiting = false;
        }

        /** Begins to wait for the client to read. */
        public synchronized void beginResponse(long nanos) {
            if (!isWaiting) {
                since = nanos;
                isWaiting = true;
            }
        }

        /** The request is over; its thread may take another. */
        private synchronized void finish() {
            isWaiting = false;
            // The interrupt, if there was one, was meant for this request.
            boolean unused = Thread.interrupted();
        }

        private synchronized boolean isWaiting() {
            return isWaiting && !isAborted;
        }

        private synchronized long since() {
            return since;
        }

        /** Closes the connection if the request still waits for its client. */
        private synchronized void abort() {
            if (isWaiting && !isAborted) {
                isAborted = true;
                thread.interrupt();
            }
        }
    }
}
