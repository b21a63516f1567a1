package org.fleetgrad.simulation.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Code that waits like a thread: it has one, which runs only while it has the kernel's turn. A killed fiber goes on with
 * {@link Killed} from its wait, and from every later one.
 */
public final class Fiber {

    private static final Executor THREADS = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "fiber");
        thread.setDaemon(true);
        return thread;
    });

    private static final ThreadLocal<@Nullable Fiber> CURRENT = new ThreadLocal<>();

    private final Kernel kernel;
    private final String name;
    private final Runnable body;
    private final Semaphore go = new Semaphore(0);
    private final List<Fiber> children = new ArrayList<>();
    private boolean isStarted;
    private volatile boolean isKilled;
    private volatile boolean isOver;
    /** Counts waits, so that a wake-up of an earlier one is known as such. */
    private long waits;

    private boolean isWaiting;

    /** Ends a fiber as the end of its process would: nothing catches it. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    Fiber(Kernel kernel, String name, Runnable body) {
        this.kernel = kernel;
        this.name = name;
        this.body = body;
    }

    /** Returns the fiber that runs. */
    public static Fiber current() {
        Fiber current = CURRENT.get();
        if (current == null || !current.kernel.isRunning(current)) {
            throw new IllegalStateException("no fiber runs: only a fiber may wait");
        }
        return current;
    }

    public String name() {
        return name;
    }

    public boolean isOver() {
        return isOver;
    }

    /** Called by an event, as its last act: the fiber runs next, until it waits again or is over. */
    void step() {
        if (!isOver) {
            kernel.wake(this);
        }
    }

    /** Lets the fiber's thread go on; the calling one has no turn any more. */
    void go() {
        isWaiting = false;
        if (isStarted) {
            go.release();
        } else {
            isStarted = true;
            THREADS.execute(this::run);
        }
    }

    private void run() {
        CURRENT.set(this);
        try {
            if (!isKilled) {
                body.run();
            }
        } catch (Killed end) {
            // As wanted.
        } catch (Throwable failed) {
            kernel.fail(failed);
        } finally {
            CURRENT.remove();
            isOver = true;
            kernel.giveTurn(kernel.next());
        }
    }

    /** Starts a fiber that is killed with this one. */
    public Fiber startChild(String child, Runnable childBody) {
        children.removeIf(Fiber::isOver);
        Fiber started = kernel.start(name + "/" + child, childBody);
        children.add(started);
        return started;
    }

    /** Ends the fiber and its children at their waits. */
    public void kill() {
        children.forEach(Fiber::kill);
        if (isOver || isKilled) {
            return;
        }
        isKilled = true;
        if (isWaiting) {
            wake(waits);
        }
    }

    /** Returns the number of the wait that comes next, for {@link #wake}. */
    long nextWait() {
        return waits + 1;
    }

    /** Wakes the fiber from one of its waits, unless it is over already. */
    void wake(long wait) {
        kernel.after(Duration.ZERO, () -> {
            if (isWaiting && waits == wait) {
                step();
            }
        });
    }

    /** Called by the fiber's own code: waits until it is woken. */
    void await() {
        requireAlive();
        waits++;
        isWaiting = true;
        Fiber next = kernel.next();
        if (next == this) {
            isWaiting = false;
        } else {
            kernel.giveTurn(next);
            go.acquireUninterruptibly();
        }
        requireAlive();
    }

    private void requireAlive() {
        if (isKilled) {
            throw new Killed();
        }
    }

    /** Pauses the running fiber. */
    public static void sleep(Duration pause) {
        Fiber fiber = current();
        fiber.requireAlive();
        long wait = fiber.nextWait();
        fiber.kernel.after(pause, () -> fiber.wake(wait));
        fiber.await();
    }
}
