package org.fleetgrad.worker.stage;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.worker.stage.Neighbours.LocalQueues;
import org.fleetgrad.worker.standalone.WorkerExit;

/** The process of one stage, or of several as threads. */
public final class StageProgram {

    private StageProgram() {}

    /**
     * Trains as the driver commands, until the end of the run.
     *
     * @param words       the arguments after {@code stage}
     * @param environment with the run's secret
     */
    public static WorkerExit run(List<String> words, Map<String, String> environment, PrintStream err)
            throws InterruptedException {
        StageArguments arguments;
        try {
            arguments = StageArguments.parse(words, environment);
        } catch (IllegalArgumentException wrong) {
            err.println(wrong.getMessage());
            return WorkerExit.USAGE;
        }
        LocalQueues local = new LocalQueues(arguments.stages());
        AtomicInteger worst = new AtomicInteger();
        AtomicBoolean isEnding = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int stage : arguments.stages()) {
            StageSession session = new StageSession(arguments, stage, local, err, () -> driverGone(isEnding, err));
            threads.add(new Thread(() -> run(session, worst, err), "stage-" + stage));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        isEnding.set(true);
        return worst.get() == 0 ? WorkerExit.DONE : WorkerExit.GAVE_UP;
    }

    private static void run(StageSession session, AtomicInteger worst, PrintStream err) {
        try {
            worst.accumulateAndGet(session.run().code(), Math::max);
        } catch (InterruptedException interrupted) {
            worst.accumulateAndGet(WorkerExit.GAVE_UP.code(), Math::max);
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error bug) {
            bug.printStackTrace(err);
            worst.accumulateAndGet(WorkerExit.INTERNAL.code(), Math::max);
        }
    }

    /**
     * Without a driver this process is useless. It may be inside a long libtorch call, so it exits without waiting for
     * that.
     */
    private static void driverGone(AtomicBoolean isEnding, PrintStream err) {
        if (isEnding.compareAndSet(false, true)) {
            err.println("the driver is gone: this stage ends, too");
            err.flush();
            Runtime.getRuntime().halt(WorkerExit.GAVE_UP.code());
        }
    }
}
