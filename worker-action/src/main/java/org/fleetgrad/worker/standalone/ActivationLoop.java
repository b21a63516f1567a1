package org.fleetgrad.worker.standalone;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.worker.action.ActionResult;
import org.fleetgrad.worker.action.ActionResult.ApplicationError;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs one activation after the other until the work is done, an activation fails in a way that a retry cannot help, or there
 * were only failures for too long. For one thread.
 */
final class ActivationLoop {

    static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private static final String TRAINS = "trains";
    private static final int BAD_PARAMETERS = 400;
    private static final int NO_WORK = 409;
    private static final Set<Integer> FINAL = Set.of(401, 403, 422);

    private final Function<JsonNode, ActionResult> action;
    private final BooleanSupplier stop;
    private final Clock clock;
    private final Sleeper sleeper;
    private final Duration timeout;
    private final boolean isStaying;
    private final PrintStream out;
    private final PrintStream err;
    private final JsonMapper json = JsonMapper.builder().build();
    private int failures;
    private Instant failingSince = Instant.EPOCH;
    private String state = TRAINS;
    private final Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, 2);

    /**
     * @param timeout   how long there may be only failures before it gives up
     * @param isStaying whether it waits for more work when all of it is done
     */
    ActivationLoop(
            Function<JsonNode, ActionResult> action,
            BooleanSupplier stop,
            Clock clock,
            Sleeper sleeper,
            Duration timeout,
            boolean isStaying,
            PrintStream out,
            PrintStream err) {
        this.action = action;
        this.stop = stop;
        this.clock = clock;
        this.sleeper = sleeper;
        this.timeout = timeout;
        this.isStaying = isStaying;
        this.out = out;
        this.err = err;
    }

    WorkerExit run(JsonNode body) throws InterruptedException {
        while (!stop.getAsBoolean()) {
            ActionResult result = action.apply(body);
            Optional<WorkerExit> end = result instanceof ApplicationError error && error.code() != NO_WORK
                    ? failed(error)
                    : succeeded(result);
            if (end.isPresent()) {
                return end.get();
            }
        }
        return WorkerExit.STOPPED;
    }

    private Optional<WorkerExit> failed(ApplicationError error) throws InterruptedException {
        if (error.code() == BAD_PARAMETERS || FINAL.contains(error.code())) {
            err.println(error.message());
            return Optional.of(error.code() == BAD_PARAMETERS ? WorkerExit.USAGE : WorkerExit.REFUSED);
        }
        if (failures++ == 0) {
            // Measured from the end of the activation: it may have trained for long before it failed.
            failingSince = clock.instant();
        }
        Duration passed = Duration.between(failingSince, clock.instant());
        if (passed.compareTo(timeout) >= 0) {
            err.printf(
                    "gave up at try %d without success, after %d s (WORKER_RETRY_TIMEOUT is %d s): %s%n",
                    failures, passed.toSeconds(), timeout.toSeconds(), error.message());
            return Optional.of(WorkerExit.GAVE_UP);
        }
        report("fails with " + error.code(), error.message() + "; tries again");
        sleep();
        return Optional.empty();
    }

    private Optional<WorkerExit> succeeded(ActionResult result) throws InterruptedException {
        failures = 0;
        if (result instanceof ApplicationError) {
            report("no work", "waits: the parameter server has no work yet");
            sleep();
            return Optional.empty();
        }
        Map<String, Object> answer = result.body();
        boolean hasTrained = answer.get("samples") instanceof Number samples && samples.longValue() > 0;
        if (hasTrained) {
            report(TRAINS, "continues");
            // An activation that found no work is not logged.
            out.println(json.writeValueAsString(answer));
        }
        boolean isDone = "done".equals(answer.get("work"));
        if (isDone && isStaying) {
            report("done", "the work is done; waits for more");
            sleep();
            return Optional.empty();
        }
        if (isDone) {
            err.println("the work is done");
            return Optional.of(WorkerExit.DONE);
        }
        if (!hasTrained && !stop.getAsBoolean()) {
            report("others", "waits: others have all that is left of the work");
            sleep();
        }
        return Optional.empty();
    }

    /** Prints the state if it differs from the last one. */
    private void report(String next, String line) {
        if (!state.equals(next)) {
            state = next;
            backoff.reset();
            err.println(line);
        }
    }

    private void sleep() throws InterruptedException {
        Duration pause = backoff.next();
        if (!stop.getAsBoolean()) {
            sleeper.sleep(pause);
        }
    }
}
