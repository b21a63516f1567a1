package org.fleetgrad.cli.invoker;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.cli.invoker.ActivationOutcome.Course;
import org.fleetgrad.openwhisk.ActivationEnd.ApplicationError;
import org.fleetgrad.openwhisk.ActivationEnd.BrokenAction;
import org.fleetgrad.openwhisk.ActivationEnd.ContainerDied;
import org.fleetgrad.openwhisk.ActivationEnd.PlatformError;
import org.fleetgrad.openwhisk.ActivationEnd.Success;
import org.fleetgrad.openwhisk.ActivationEnd.TimeLimitExceeded;
import org.fleetgrad.openwhisk.ActivationRecord;
import org.fleetgrad.openwhisk.pacing.ActivationRunner;
import org.fleetgrad.openwhisk.pacing.Patience;
import org.fleetgrad.openwhisk.pacing.RunOutcome;
import org.fleetgrad.openwhisk.pacing.RunOutcome.Ended;
import org.fleetgrad.openwhisk.pacing.RunOutcome.Lost;
import org.fleetgrad.openwhisk.pacing.RunOutcome.NotStarted;

/** Invokes one worker at a time in OpenWhisk, which manages the containers itself. */
public final class WhiskInvoker implements Invoker {

    private static final Duration TO_START = Duration.ofMinutes(2);
    private static final Duration IN_QUEUE = Duration.ofMinutes(1);

    private final String name;
    private final ActivationRunner runner;
    private final String action;
    private final Map<String, Object> value;
    private final Patience patience;

    /**
     * @param runner shared by all invokers of a run
     * @param limit  the action's time limit
     * @param value  parameters of every activation
     */
    public WhiskInvoker(
            String name, ActivationRunner runner, String action, Duration limit, Map<String, Object> value) {
        this.name = name;
        this.runner = runner;
        this.action = action;
        this.value = value;
        this.patience = Patience.of(TO_START, IN_QUEUE, limit);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ActivationOutcome invoke(String worker) throws IOException, InterruptedException {
        RunOutcome outcome = runner.run(action, ActivationParameters.as(worker, value), patience, id -> {});
        if (outcome instanceof Ended ended) {
            return end(ended);
        }
        if (outcome instanceof NotStarted refused) {
            return failed(refused.message(), !refused.isTransient(), new Course("", false, 0));
        }
        // It is unknown whether it ran. Its pushes count; the rest of its shard is handed out again when its lease
        // ends.
        Lost lost = (Lost) outcome;
        return new ActivationOutcome.Killed(
                told(lost.message()), new Course(lost.activationId().orElse(""), false, 0));
    }

    private ActivationOutcome end(Ended ended) {
        ActivationRecord record = ended.record();
        Course course = new Course(
                record.activationId(), record.isCold(), record.duration().toMillis() / 1e3);
        if (ended.end() instanceof Success success) {
            return new ActivationOutcome.Answered(success.result(), course);
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
                : ((ContainerDied) ended.end()).message();
        return new ActivationOutcome.Killed(
                told("activation %s was killed: %s".formatted(record.activationId(), why)), course);
    }

    private ActivationOutcome failed(String message, boolean isFinal, Course course) {
        return new ActivationOutcome.Failed(told(message), isFinal, course);
    }

    private String told(String message) {
        return "%s: %s".formatted(name, message);
    }
}
