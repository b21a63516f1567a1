package org.fleetgrad.runs.watch;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.curves.RunCurves;
import org.fleetgrad.runs.elastic.Scaling;
import org.fleetgrad.runs.elastic.WorkerTrials.Decision;
import org.fleetgrad.runs.fleet.ActivationLog;
import org.fleetgrad.runs.fleet.Fleet;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.learning.FeedbackWork;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.output.TimeLeft;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.Until;
import org.jspecify.annotations.Nullable;

/** Lets the workers of a run train, and watches their progress. Confined to one thread. */
public final class TrainingWatch {

    private static final Duration LOOK = Duration.ofMillis(100);

    private final RunSettings settings;
    private final Task task;
    private final Services services;
    private final RunWork work;
    private final RunOutput output;
    private final RunCurves curves;
    private final Kept kept;
    private final ActivationLog log = new ActivationLog(System::nanoTime);
    private final Fleet fleet;
    private final Optional<Scaling> scaling;
    private final RunProgress progress;
    private final RunForecast forecast;
    private final Patience patience;
    private final ServerDisk disk;
    private final Optional<FeedbackWork> feedback;
    private final Stopwatch watch = new Stopwatch();
    private EndReason end = EndReason.EPOCHS;
    private boolean isLastAtTarget;
    /** Written last: who reads it when the programs have ended sees everything that was noted before. */
    private volatile @Nullable StatusReply newest;

    /**
     * @param kept     tells which versions of the run can still be had when it has ended
     * @param feedback puts collected feedback to work, if the run learns from it
     */
    public TrainingWatch(
            RunSettings settings,
            Task task,
            Services services,
            RunWork work,
            RunOutput output,
            RunCurves curves,
            Kept kept,
            Optional<FeedbackWork> feedback) {
        this.settings = settings;
        this.task = task;
        this.services = services;
        this.work = work;
        this.output = output;
        this.curves = curves;
        this.kept = kept;
        this.feedback = feedback;
        this.fleet = new Fleet(services.workers(), log, output::tell);
        this.scaling = settings.elastic().map(Scaling::new);
        this.disk = new ServerDisk(output);
        this.progress = new RunProgress(settings.targetFor(task));
        this.forecast = new RunForecast(settings.targetFor(task));
        this.patience = new Patience(settings.patience());
    }

    /** The versions of a run that are kept. */
    @FunctionalInterface
    public interface Kept {

        /** Tells whether a version that was evaluated is kept as the best; waits a little for its parameters. */
        boolean has(ParameterVersion version) throws IOException, InterruptedException;
    }

    /** Trains until an evaluated version has reached the target, the last step is made, or no work remains. */
    public FinalEvaluation.Outcome toTarget() throws IOException, RunFailedException, InterruptedException {
        FinalEvaluation evaluation = new FinalEvaluation(services);
        while (true) {
            begin();
            watch(true);
            endBatches();
            throwFailure();
            watch.pause();
            scaling.ifPresent(Scaling::interrupt);
            FinalEvaluation.Outcome outcome = evaluation.evaluate();
            isLastAtTarget = progress.add(watch.seconds(), outcome.status());
            curves.end(outcome.status(), watch.seconds(), progress.samplesPerSecond());
            // The workers trained on while the version at the target was evaluated: the newest may be a little worse.
            Optional<EndReason> reason = end(isLastAtTarget || hasKeptTarget(), outcome.status());
            if (reason.isPresent()) {
                end = reason.get();
                takeLateRecords();
                if (feedback.isPresent()) {
                    feedback.get().tell(outcome.status());
                }
                return outcome;
            }
            work.open();
        }
    }

    /** Tells whether the best version has reached the target, and can be had. */
    private boolean hasKeptTarget() throws IOException, InterruptedException {
        Optional<StatusReply> best = progress.best().filter(progress::isAtTarget);
        return best.isPresent() && kept.has(evaluated(best.get()));
    }

    /** Tells whether the run leaves its best version and not the last one: what ended it was said of the best alone. */
    public boolean isBestWanted() {
        return end == EndReason.PATIENCE || (end == EndReason.TARGET && !isLastAtTarget);
    }

    private static ParameterVersion evaluated(StatusReply status) {
        return new ParameterVersion(status.generation(), Objects.requireNonNull(status.accuracyVersion()));
    }

    /** Returns why the run ends with this version; empty if it goes on. */
    private Optional<EndReason> end(boolean isReached, StatusReply status) {
        // The last evaluation may be the better one that was waited for.
        boolean isOutOfPatience = patience.look(status);
        if (isReached) {
            return Optional.of(EndReason.TARGET);
        }
        if (isAtLastStep(status)) {
            return Optional.of(EndReason.STEPS);
        }
        if (work.isDone(status) || isAtLastEpoch(status)) {
            return Optional.of(EndReason.EPOCHS);
        }
        return isOutOfPatience ? Optional.of(EndReason.PATIENCE) : Optional.empty();
    }

    /** Waits until each worker has ended after its batch: the answer of its push tells it. Another may go on with its shard. */
    private void endBatches() throws IOException, RunFailedException, InterruptedException {
        fleet.pause();
        work.close();
        while (fleet.isWorking()) {
            StatusReply status = services.ask(PsClient::status);
            look(status);
            output.live(Figures.progress(task, status, progress.samplesPerSecond(), watch.seconds(), Optional.empty()));
            Thread.sleep(LOOK.toMillis());
        }
    }

    /** Continues to train until interrupted. */
    public void goOn() throws IOException, RunFailedException, InterruptedException {
        work.open();
        begin();
        watch(false);
    }

    private void look(StatusReply status) throws RunFailedException {
        disk.look(status);
        log.look(status);
        services.workers().forEach(worker -> worker.look(status));
    }

    /** The work and cost of an abandoned activation are known once its record has arrived. */
    private void takeLateRecords() throws InterruptedException {
        for (Invoker worker : services.workers()) {
            try {
                worker.lateRecords().forEach(log::replace);
            } catch (IOException away) {
                output.tell("late records of %s could not be read: %s".formatted(worker.name(), away.getMessage()));
            }
        }
    }

    private void begin() {
        watch.resume();
        fleet.start(scaling.map(Scaling::size).orElse(settings.workers()));
    }

    /** Watches the run until the target, or until the workers have no more work. */
    private void watch(boolean isEndingAtTarget) throws IOException, RunFailedException, InterruptedException {
        while (fleet.isWorking()) {
            throwFailure();
            StatusReply status = services.ask(PsClient::status);
            look(status);
            boolean isReached = progress.add(watch.seconds(), status);
            newest = status;
            curves.look(status, watch.seconds(), progress.samplesPerSecond());
            Optional<TimeLeft> left =
                    isEndingAtTarget ? forecast.look(watch.seconds(), position(status), status) : Optional.empty();
            output.live(Figures.progress(task, status, progress.samplesPerSecond(), watch.seconds(), left));
            if (isEndingAtTarget && isTold(isReached, status)) {
                return;
            }
            scale(status);
            work.keepOpen();
            if (feedback.isPresent()) {
                feedback.get().look(status);
            }
            Thread.sleep(LOOK.toMillis());
        }
    }

    /** Says why the run ends now; returns false if it goes on. */
    private boolean isTold(boolean isReached, StatusReply status) {
        if (isReached) {
            output.tell("the target of %s is reached".formatted(settings.targetFor(task)));
        } else if (isAtLastStep(status)) {
            output.tell("%,d steps are made".formatted(work.steps(status)));
        } else if (isAtLastEpoch(status)) {
            output.tell("%s epochs are done".formatted(lastEpoch().orElseThrow()));
        } else if (patience.look(status)) {
            output.tell(patience.text() + ": the patience is at its end");
        } else {
            return false;
        }
        return true;
    }

    /** Steps or samples, whichever end the run first. */
    private RunForecast.Position position(StatusReply status) {
        long samples = work.trained(status);
        OptionalDouble all = samples();
        OptionalLong end = steps();
        if (end.isPresent()) {
            long steps = work.steps(status);
            double last = end.getAsLong();
            if (all.isEmpty() || steps / last >= samples / all.getAsDouble()) {
                return new RunForecast.Position(samples, steps, OptionalDouble.of(last));
            }
        }
        return new RunForecast.Position(samples, samples, all);
    }

    private OptionalDouble samples() {
        OptionalDouble epochs = lastEpoch();
        return epochs.isPresent()
                ? OptionalDouble.of(Math.min(
                        work.samplesUntil(epochs.getAsDouble()), work.samples().orElse(Double.POSITIVE_INFINITY)))
                : work.samples();
    }

    private OptionalDouble lastEpoch() {
        return settings.until().map(Until::epochs).orElseGet(OptionalDouble::empty);
    }

    /** Returns the steps after which the run ends; empty if none ends it. */
    private OptionalLong steps() {
        OptionalLong until = settings.until().map(Until::step).orElseGet(OptionalLong::empty);
        if (until.isEmpty()) {
            return settings.maxSteps();
        }
        long steps = work.stepsUntil(until.getAsLong());
        return OptionalLong.of(Math.min(steps, settings.maxSteps().orElse(Long.MAX_VALUE)));
    }

    private boolean isAtLastStep(StatusReply status) {
        OptionalLong last = steps();
        return last.isPresent() && work.steps(status) >= last.getAsLong();
    }

    /** The work counts its samples over all drivers of the run, as its cursors do. */
    private boolean isAtLastEpoch(StatusReply status) {
        OptionalDouble epochs = lastEpoch();
        return epochs.isPresent()
                && status.work() != null
                && status.work().samples()
                        >= epochs.getAsDouble() * status.work().epochSamples();
    }

    private void scale(StatusReply status) {
        if (scaling.isEmpty()) {
            return;
        }
        Scaling measures = scaling.get();
        Optional<Decision> decision = measures.look(
                watch.seconds(), status.samples(), status.workers().size());
        decision.ifPresent(made -> {
            output.tell("workers: %d. %s".formatted(made.workers(), made.reason()));
            fleet.resize(made.workers());
        });
    }

    private void throwFailure() throws RunFailedException {
        Optional<RunFailedException> failure = fleet.failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /** Returns the newest state of the servers that was seen; empty before the first. Any thread may ask. */
    public Optional<StatusReply> newest() {
        return Optional.ofNullable(newest);
    }

    /** Returns the course of the run so far. */
    public RunCourse course(StatusReply status) {
        return course(status, end);
    }

    /** Returns the course of the run, which ended for another reason than those that the run sees itself. */
    public RunCourse course(StatusReply status, EndReason end) {
        return new RunCourse(
                progress,
                log,
                work.trained(status),
                work.surplus(status),
                watch.seconds(),
                services.restarts(),
                scaling.map(Scaling::steps).orElse(List.of()),
                end);
    }
}
