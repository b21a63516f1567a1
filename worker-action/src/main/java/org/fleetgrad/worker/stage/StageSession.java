package org.fleetgrad.worker.stage;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.fleetgrad.pipeline.channel.NeighbourFailedException;
import org.fleetgrad.pipeline.channel.socket.LineConnection;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.training.StageLoop.StageLinks;
import org.fleetgrad.worker.stage.DriverConnection.DriverNormSum;
import org.fleetgrad.worker.stage.Neighbours.LocalQueues;
import org.fleetgrad.worker.standalone.WorkerExit;

/**
 * One stage, from its first message to the driver to its last. A separate thread reads the driver's messages, so that
 * the stage ends at once if the driver dies.
 */
final class StageSession {

    /** The driver accepts one connection after the other, and all stages start at once. */
    private static final Duration CONNECT_LIMIT = Duration.ofMinutes(3);
    /** Interval between two progress reports of a window. */
    private static final long PROGRESS_NANOS = 500_000_000L;

    private final StageArguments arguments;
    private final int stage;
    private final LocalQueues local;
    private final PrintStream err;
    private final Runnable onDriverGone;
    private final BlockingQueue<StageMessage> messages = new LinkedBlockingQueue<>();
    private long lastProgress;

    /**
     * @param onDriverGone called once, by another thread, if the driver ends the connection before the run is over
     */
    StageSession(StageArguments arguments, int stage, LocalQueues local, PrintStream err, Runnable onDriverGone) {
        this.arguments = arguments;
        this.stage = stage;
        this.local = local;
        this.err = err;
        this.onDriverGone = onDriverGone;
    }

    /** Executes the driver's commands until the run is over. */
    WorkerExit run() throws InterruptedException {
        try (Neighbours neighbours = Neighbours.open(
                        stage,
                        arguments.listen(),
                        local,
                        arguments.token(),
                        refused -> err.printf("stage %d refused a caller: %s%n", stage, refused));
                DriverConnection driver = new DriverConnection(LineConnection.connect(
                        arguments.driver(), arguments.token(), "stage " + stage, CONNECT_LIMIT))) {
            return run(neighbours, driver);
        } catch (IOException failed) {
            err.printf("stage %d: %s%n", stage, failed.getMessage());
            return WorkerExit.GAVE_UP;
        }
    }

    private WorkerExit run(Neighbours neighbours, DriverConnection driver) throws IOException, InterruptedException {
        DriverNormSum norm = new DriverNormSum(driver);
        Thread reader = new Thread(() -> receive(driver, norm), "read-driver-" + stage);
        reader.setDaemon(true);
        reader.start();
        driver.send(new StageMessage.Listening(neighbours.port()));
        Optional<StageLinks> links = Optional.empty();
        try {
            if (!(messages.take() instanceof StageMessage.Configure configure)) {
                throw new IOException("the driver gave an order before it told what the stage is");
            }
            try (StageWork work = StageWork.open(configure.configuration(), norm)) {
                StageLinks connected = neighbours.connect(configure.configuration(), work.range());
                links = Optional.of(connected);
                driver.send(new StageMessage.Ready());
                work(work, connected, driver);
                connected.finish();
                return WorkerExit.DONE;
            }
        } catch (IOException | RuntimeException | OutOfMemoryError failure) {
            // Report to the driver first: a neighbour would report only the consequence.
            err.printf("stage %d: %s%n", stage, failure);
            driver.send(new StageMessage.Failed(reason(failure), failure instanceof NeighbourFailedException));
            links.ifPresent(ends -> ends.fail(failure));
            return WorkerExit.GAVE_UP;
        }
    }

    private static String reason(Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            return "its heap of %d MiB is full: give it more memory, or cut the network into more stages"
                    .formatted(Runtime.getRuntime().maxMemory() >> 20);
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private void work(StageWork work, StageLinks links, DriverConnection driver)
            throws IOException, InterruptedException {
        while (messages.take() instanceof StageMessage.Train window) {
            driver.send(work.train(window, links, microBatch -> sendProgress(driver, microBatch)));
        }
    }

    private void sendProgress(DriverConnection driver, long microBatch) {
        long now = System.nanoTime();
        if (now - lastProgress < PROGRESS_NANOS) {
            return;
        }
        lastProgress = now;
        try {
            driver.send(new StageMessage.Progress(microBatch));
        } catch (IOException gone) {
            // The thread that reads the driver's messages notices, too.
        }
    }

    private void receive(DriverConnection driver, DriverNormSum norm) {
        try {
            while (true) {
                Optional<StageMessage> message = driver.receive();
                if (message.isEmpty()) {
                    break;
                }
                if (message.get() instanceof StageMessage.NormSum sum) {
                    norm.complete(sum.squares());
                } else {
                    messages.add(message.get());
                }
                if (message.get() instanceof StageMessage.End) {
                    return;
                }
            }
        } catch (IOException gone) {
            err.printf("stage %d: the connection to the driver broke: %s%n", stage, gone.getMessage());
        }
        onDriverGone.run();
    }
}
