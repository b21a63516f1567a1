package org.fleetgrad.worker.action;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.fleetgrad.worker.training.TrainingFailedException;
import org.fleetgrad.worker.training.TrainingReport;

/**
 * Retries a training on the server's shards while the server has none. A caller that starts workers on the upload of a dataset
 * may submit the work a little later.
 */
final class WorkWait {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

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
     * @throws ProblemException with the rule {@link ProblemKind#NO_WORK} if there is none in time
     */
    TrainingReport run(Training training) throws IOException, TrainingFailedException, ShardUnavailableException {
        long begin = System.nanoTime();
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, 2);
        while (true) {
            try {
                return training.run();
            } catch (ProblemException refused) {
                boolean isLate = System.nanoTime() - begin >= TimeUnit.SECONDS.toNanos(seconds);
                if (!refused.problem().is(ProblemKind.NO_WORK) || isLate) {
                    throw refused;
                }
                sleep(backoff.next());
                if (!mayGoOn.getAsBoolean()) {
                    throw refused;
                }
            }
        }
    }

    private static void sleep(Duration pause) throws InterruptedIOException {
        try {
            Sleeper.THREAD.sleep(pause);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the server has no work");
        }
    }
}
