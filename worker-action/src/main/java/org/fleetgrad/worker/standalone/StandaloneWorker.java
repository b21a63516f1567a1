package org.fleetgrad.worker.standalone;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.files.time.SteadyClock;
import org.fleetgrad.files.units.Durations;
import org.fleetgrad.worker.action.ActionResult;
import org.fleetgrad.worker.action.ActionResult.ApplicationError;
import org.fleetgrad.worker.action.Activations;
import org.fleetgrad.worker.action.ProcessMemory;
import org.fleetgrad.worker.colocated.Colocated;
import tools.jackson.databind.JsonNode;

/** The process of a standalone worker: its settings, its streams, and its end. */
public final class StandaloneWorker {

    private static final String WHEN_DONE = "WORKER_WHEN_DONE";
    private static final String TIMEOUT = "WORKER_RETRY_TIMEOUT";
    private static final Duration MAX_TIMEOUT = Duration.ofDays(7);
    private static final int UNREACHABLE = 504;

    /** Short, to report soon that there is no server. A server that was reached once gets time for a restart. */
    private static final ClientOptions FIRST_CONTACT = ClientOptions.DEFAULT.withRetryFor(Duration.ofSeconds(2));

    /** The wait for the last push; then, after an interrupt, once more for the end. */
    private static final int STOP_SECONDS = 5;

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread trainer = Thread.currentThread();
    private boolean hasReachedServer;

    private StandaloneWorker() {}

    /**
     * Trains until the work is done or the process is signalled to stop. After a SIGTERM the activation pushes its last
     * gradient.
     */
    public static WorkerExit run(JsonNode body, Map<String, String> environment) throws InterruptedException {
        return new StandaloneWorker().train(body, environment);
    }

    private WorkerExit train(JsonNode body, Map<String, String> environment) throws InterruptedException {
        Duration timeout;
        boolean isStaying;
        Optional<Colocated> serving;
        try {
            timeout = timeout(environment);
            isStaying = isStaying(environment);
            serving = Colocated.open(environment, err);
        } catch (IllegalArgumentException | IOException wrong) {
            err.println(wrong.getMessage());
            return WorkerExit.USAGE;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::awaitEnd, "stop"));
        Clock clock = Clock.systemUTC();
        err.printf("trains for %s%n", body.path("value").path("apihost").asString());
        // Not closed: the process ends anyway, and closing libtorch takes long.
        Activations activations = new Activations(
                this::isStopping,
                () -> environment,
                clock,
                () -> hasReachedServer ? ClientOptions.DEFAULT : FIRST_CONTACT,
                serving);
        Function<JsonNode, ActionResult> action = each -> {
            ActionResult result = activations.run(each);
            hasReachedServer |= !(result instanceof ApplicationError error && error.code() == UNREACHABLE);
            return result;
        };
        try {
            return new ActivationLoop(
                            action, this::isStopping, SteadyClock.system(), this::sleep, timeout, isStaying, out, err)
                    .run(body);
        } catch (RuntimeException | LinkageError bug) {
            bug.printStackTrace(err);
            return WorkerExit.INTERNAL;
        } catch (OutOfMemoryError full) {
            err.println(ProcessMemory.explain(full));
            return WorkerExit.INTERNAL;
        } finally {
            serving.ifPresent(Colocated::close);
            ended.countDown();
        }
    }

    static Duration timeout(Map<String, String> environment) {
        String text = environment.getOrDefault(TIMEOUT, "");
        if (text.isEmpty()) {
            return Duration.ofMinutes(10);
        }
        try {
            Duration read = Durations.parse(text);
            if (read.compareTo(MAX_TIMEOUT) <= 0) {
                return read;
            }
        } catch (IllegalArgumentException malformed) {
            // Falls through: the message below names the variable and its limits.
        }
        throw new IllegalArgumentException("%s must be a duration from 0s to %s, such as 30s or 10m; it is '%s'"
                .formatted(TIMEOUT, Durations.print(MAX_TIMEOUT), text));
    }

    /** Returns whether it waits for more work when all of it is done, as a pod of a Deployment must: it would be started again. */
    static boolean isStaying(Map<String, String> environment) {
        String text = environment.getOrDefault(WHEN_DONE, "");
        return switch (text.isEmpty() ? "exit" : text) {
            case "exit" -> false;
            case "wait" -> true;
            default ->
                throw new IllegalArgumentException(
                        "%s must be exit or wait; it is '%s'".formatted(WHEN_DONE, Printable.text(text)));
        };
    }

    private boolean isStopping() {
        return stop.getCount() == 0;
    }

    private void sleep(Duration duration) throws InterruptedException {
        boolean unused = stop.await(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The process ends when this method returns. */
    private void awaitEnd() {
        stop.countDown();
        try {
            if (ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
            // It may be waiting for a server that is unreachable.
            trainer.interrupt();
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                err.printf("the activation in progress did not end within %d s%n", 2 * STOP_SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
