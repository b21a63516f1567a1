package org.fleetgrad.worker.action;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.protocol.ProblemRules;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.fleetgrad.worker.training.TrainingFailedException;
import org.fleetgrad.worker.training.TrainingReport;

/**
 * Retries a training on the server's shards while the server has none. A caller that starts workers on the upload of a dataset
 * may submit the work a little later.
 */
final class WorkWait {

    private static final long FIRST_PAUSE_MS = 200;
    private static final long LONGEST_PAUSE_MS = 2_000;

    private final long seconds;
    private final BooleanSupplier mayGoOn;

    /**
     * Prepares to wait.
     *
     * @param seconds the longest wait
     * @param mayGoOn called after each pause: whether there is time to train
     */
    WorkWait(int seconds, BooleanSupplier mayGoOn) {
        this.seconds = seconds;
        this.mayGoOn = mayGoOn;
    }

    /** Trains on the shards of the server's work. */
    interface Training {
        TrainingReport run() throws IOException, TrainingFailedException, ShardUnavailableException;
    }

    /**
     * Trains, once there is work.
     *
     * @throws ProblemException with the rule {@link ProblemRules#NO_WORK} if there is none in time
     */
    TrainingReport run(Training training) throws IOException, TrainingFailedException, ShardUnavailableException {
        long begin = System.nanoTime();
        long pause = FIRST_PAUSE_MS;
        while (true) {
            try {
                return training.run();
            } catch (ProblemException refused) {
                boolean isLate = System.nanoTime() - begin >= TimeUnit.SECONDS.toNanos(seconds);
                if (!refused.problem().rule().equals(ProblemRules.NO_WORK) || isLate) {
                    throw refused;
                }
                sleep(pause);
                if (!mayGoOn.getAsBoolean()) {
                    throw refused;
                }
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        }
    }

    private static void sleep(long millis) throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the server has no work");
        }
    }
}
