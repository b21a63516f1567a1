package org.fleetgrad.runs.invoker;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.fleetgrad.openwhisk.ActivationEnd.ApplicationError;
import org.fleetgrad.openwhisk.ActivationEnd.BrokenAction;
import org.fleetgrad.openwhisk.ActivationEnd.ContainerDied;
import org.fleetgrad.openwhisk.ActivationEnd.PlatformError;
import org.fleetgrad.openwhisk.ActivationEnd.Success;
import org.fleetgrad.openwhisk.ActivationEnd.TimeLimitExceeded;
import org.fleetgrad.openwhisk.ActivationRecord;
import org.fleetgrad.openwhisk.pacing.ActivationRunner;
import org.fleetgrad.openwhisk.pacing.ActivationRunner.Timeouts;
import org.fleetgrad.openwhisk.pacing.PoolWidth;
import org.fleetgrad.openwhisk.pacing.RunOutcome;
import org.fleetgrad.openwhisk.pacing.RunOutcome.Ended;
import org.fleetgrad.openwhisk.pacing.RunOutcome.Lost;
import org.fleetgrad.openwhisk.pacing.RunOutcome.NotStarted;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.invoker.ActivationOutcome.Course;
import org.fleetgrad.runs.settings.InvokerSettings;

/** Invokes one worker at a time in OpenWhisk, which manages the containers itself. */
public final class WhiskInvoker implements Invoker {

    private static final Duration TO_START = Duration.ofMinutes(2);
    private static final Duration IN_QUEUE = Duration.ofMinutes(1);

    private final String name;
    private final ActivationRunner runner;
    private final String action;
    private final long memoryBytes;
    private final Map<String, Object> value;
    private final Timeouts patience;
    private final PoolWidth pool;
    private final Map<String, String> underWay;
    private final Map<String, String> lost = new ConcurrentHashMap<>();
    private volatile String current = "";

    /**
     * @param runner   shared by all invokers of a run
     * @param pool     shared by all invokers of a run
     * @param underWay concurrent map, shared by all invokers of a run: the OpenWhisk ids of the activations that were accepted
     *     and have not ended, by their workers' ids; an abandoned one may still run
     * @param settings the action
     * @param value    parameters of every activation
     */
    public WhiskInvoker(
            String name,
            ActivationRunner runner,
            PoolWidth pool,
            Map<String, String> underWay,
            InvokerSettings.InOpenWhisk settings,
            Map<String, Object> value) {
        this.name = name;
        this.runner = runner;
        this.pool = pool;
        this.underWay = underWay;
        this.action = settings.action();
        this.memoryBytes = settings.memoryBytes();
        this.value = value;
        this.patience = Timeouts.of(TO_START, IN_QUEUE, settings.limit());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean mayInvoke() {
        return pool.tryEnter(name);
    }

    @Override
    public void look(StatusReply status) {
        String own = current;
        if (status.workers().stream().anyMatch(worker -> worker.id().equals(own))) {
            pool.started(name);
        } else {
            pool.ended(name);
        }
        pool.update();
    }

    @Override
    public ActivationOutcome invoke(String worker) throws IOException, InterruptedException {
        current = worker;
        try {
            return run(worker);
        } finally {
            current = "";
            pool.release(name);
        }
    }

    private ActivationOutcome run(String worker) throws IOException, InterruptedException {
        RunOutcome outcome = runner.run(
                action,
                ActivationParameters.as(worker, value),
                patience,
                id -> underWay.put(worker, id),
                () -> pool.isQueued(name));
        if (outcome instanceof Ended ended) {
            underWay.remove(worker);
            return end(ended);
        }
        if (outcome instanceof NotStarted refused) {
            return failed(refused.message(), !refused.isTransient(), new Course("", false, 0));
        }
        // It is unknown whether it ran. Its pushes count; the remaining batches of its shard are reassigned when its
        // lease ends. Its record may arrive later.
        Lost gone = (Lost) outcome;
        gone.activationId().ifPresent(id -> lost.put(worker, id));
        return new ActivationOutcome.Killed(
                told(gone.message()), new Course(gone.activationId().orElse(""), false, 0));
    }

    @Override
    public Map<String, ActivationOutcome> lateRecords() throws IOException, InterruptedException {
        Map<String, ActivationOutcome> ends = new HashMap<>();
        for (Map.Entry<String, String> given : Map.copyOf(lost).entrySet()) {
            Optional<Ended> ended = runner.late(given.getValue());
            if (ended.isPresent()) {
                underWay.remove(given.getKey());
                ends.put(given.getKey(), end(ended.get()));
                lost.remove(given.getKey());
            }
        }
        return ends;
    }

    private ActivationOutcome end(Ended ended) {
        ActivationRecord record = ended.record();
        Course course = new Course(
                record.activationId(), record.isCold(), record.duration().toMillis() / 1e3);
        if (ended.end() instanceof Success success) {
            return new ActivationOutcome.Answered(success.result(), withEarlier(course, record));
        }
        if (ended.end() instanceof ApplicationError error) {
            return failed(error.message(), ActivationOutcome.Failed.isFinal(record.result()), course);
        }
        if (ended.end() instanceof BrokenAction broken) {
            return failed(broken.message(), true, course);
        }
        if (ended.end() instanceof PlatformError platform) {
            return failed(platform.message(), false, course);
        }
        String why = ended.end() instanceof TimeLimitExceeded overdue
                ? overdue.message()
                : explained((ContainerDied) ended.end());
        return new ActivationOutcome.Killed(
                told("activation %s was killed: %s".formatted(record.activationId(), why)), course);
    }

    /** OpenWhisk does not always detect that the kernel killed a container for its memory. */
    private String explained(ContainerDied died) {
        long mebibytes = memoryBytes >> 20;
        return died.isMemory()
                ? "%s It had %d MiB: pass a larger --memory".formatted(died.message(), mebibytes)
                : "%s If nobody killed its container, its memory of %d MiB was too small: pass a larger --memory"
                        .formatted(died.message(), mebibytes);
    }

    /**
     * OpenWhisk retries an activation whose warm container dies, and its record has the last try only. The server knows when
     * the first try registered; the time until the last one registered is the first try and a cold start.
     */
    private static Course withEarlier(Course course, ActivationRecord record) {
        double since = record.result().path("earlier_seconds").asDouble(0);
        double start = record.initTime().map(Duration::toMillis).orElse(0L) / 1e3;
        return new Course(course.id(), course.isCold(), course.seconds(), Math.max(0, since - start));
    }

    private ActivationOutcome failed(String message, boolean isFinal, Course course) {
        return new ActivationOutcome.Failed(told(message), isFinal, course);
    }

    private String told(String message) {
        return "%s: %s".formatted(name, message);
    }
}
