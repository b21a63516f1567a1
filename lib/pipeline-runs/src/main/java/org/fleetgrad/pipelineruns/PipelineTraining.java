package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.pipeline.cut.Cut;
import org.fleetgrad.pipeline.cut.PipelinePlan;
import org.fleetgrad.pipeline.run.BatchOrder;
import org.fleetgrad.pipeline.run.StageConfiguration;
import org.fleetgrad.pipeline.run.StageConfiguration.Beginning;
import org.fleetgrad.pipeline.run.StageMessage;
import org.fleetgrad.pipeline.run.Windows.Window;
import org.fleetgrad.pipelineruns.control.Stages;
import org.fleetgrad.pipelineruns.flush.FlushFolder;
import org.fleetgrad.pipelineruns.flush.FlushFolder.FlushRecord;
import org.fleetgrad.pipelineruns.flush.WholeSet;
import org.fleetgrad.pipelineruns.place.HostPlace;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.ReportedProgress;
import org.fleetgrad.runs.curves.RunCurves;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.watch.EndReason;
import org.fleetgrad.runs.watch.Patience;
import org.fleetgrad.runs.watch.SeenBest;

/** Trains from flush to flush, and stores and publishes each. Confined to one thread, but for {@link #stop}. */
final class PipelineTraining {

    private final PipelineSettings settings;
    private final PipelineProblem problem;
    private final Cut cut;
    private final PipelinePlan plan;
    private final FlushFolder flushes;
    private final Services services;
    private final RunCurves curves;
    private final RunOutput output;
    private final RunFigures figures;
    private final WholeSet whole;
    private final Patience patience;
    private final SeenBest best = new SeenBest();
    private EndReason end = EndReason.EPOCHS;
    private Optional<FlushRecord> last = Optional.empty();
    private Optional<Trained> trained = Optional.empty();
    private boolean isStopped;
    private String generation = "-";
    private Optional<Path> begin = Optional.empty();
    private long beginning;
    private double seconds;
    private double rate;
    private long samples;

    PipelineTraining(
            PipelineSettings settings,
            PipelineProblem problem,
            Cut cut,
            PipelinePlan plan,
            FlushFolder flushes,
            Services services,
            RunCurves curves,
            RunOutput output) {
        this.settings = settings;
        this.problem = problem;
        this.cut = cut;
        this.plan = plan;
        this.flushes = flushes;
        this.services = services;
        this.curves = curves;
        this.output = output;
        this.figures = new RunFigures(settings.stages());
        this.patience = new Patience(settings.run().patience());
        this.whole =
                new WholeSet(problem.network(), problem.shards(), settings.run().seed());
    }

    /** Returns what was trained up to the last flush; empty before the first. */
    synchronized Optional<Trained> trained() {
        return trained;
    }

    /** Commits no other flush, and returns what was trained up to the last one. For any thread. */
    synchronized Optional<Trained> stop() {
        isStopped = true;
        return trained;
    }

    /**
     * Trains to the end of the run.
     *
     * @param from the flush to continue from
     * @throws RunFailedException if a stage failed; all have ended then, and the message says how to resume
     */
    void train(HostPlace place, Optional<FlushRecord> from)
            throws IOException, RunFailedException, InterruptedException {
        last = from;
        from.ifPresent(this::flushed);
        SetPublisher publisher = new SetPublisher(services);
        if (from.isPresent()) {
            FlushRecord record = from.get();
            flushes.deleteOthers(record.flush());
            generation = publisher
                    .publish(whole.joined(
                            flushes.parts(record),
                            new ReportedProgress(record.steps(), record.samples(), Optional.empty())))
                    .generation();
            flushed(record);
        } else {
            generation = publisher.publish(first()).generation();
        }
        publisher.state(problem.dataset(), settings.run().epochs());
        ScheduleSpec schedule = settings.schedule(problem.windows().order().samplesPerEpoch());
        try (StageMembers members = StageMembers.register(services.client().lead(), cut);
                Stages connections = Stages.open(place.driverAddress(), settings.stages(), output::tell);
                StageCrew crew = StageCrew.start(place, settings.places(), heaps(), connections, services)) {
            crew.configure((stage, others) -> configuration(place, schedule, stage, others));
            output.tell("%d stages are ready (%s)".formatted(settings.stages(), settings.places()));
            beginning = System.nanoTime();
            train(crew, publisher);
            seconds = secondsSince(beginning);
            crew.end();
            members.leave();
        } catch (RunFailedException failed) {
            throw withLastFlush(failed);
        }
    }

    private void train(StageCrew crew, SetPublisher publisher)
            throws IOException, RunFailedException, InterruptedException {
        BatchOrder order = problem.windows().order();
        Optional<Window> window =
                problem.windows().at(last.map(FlushRecord::microBatch).orElse(0L));
        while (window.isPresent()) {
            Window now = window.get();
            long flush = last.map(FlushRecord::flush).orElse(0L) + 1;
            flushes.prepare(flush);
            long begin = System.nanoTime();
            List<StageMessage.Flushed> parts =
                    crew.train(new StageMessage.Train(now, flush), microBatch -> progress(now, microBatch, begin));
            figures.add(parts.stream().map(StageMessage.Flushed::figures).toList());
            FlushRecord record = record(flush, now, parts, begin);
            commit(record);
            generation = publisher
                    .publish(whole.joined(
                            flushes.parts(record),
                            new ReportedProgress(record.steps(), record.samples(), Optional.of(figures.recent()))))
                    .generation();
            rate = (order.samplesBefore(now.end()) - order.samplesBefore(now.from())) / secondsSince(begin);
            StatusReply status = services.ask(PsClient::status);
            curves.look(status, secondsSince(beginning), rate);
            best.look(status);
            flushed(record);
            output.tell(String.format(
                    Locale.ROOT,
                    "flush %d: %,d steps, %,d samples, %s",
                    flush,
                    record.steps(),
                    record.samples(),
                    Figures.training(problem.dataset().schema().task(), figures.meanLoss(), figures.accuracy())));
            window = problem.windows().at(now.end());
            if (window.isPresent() && patience.look(status)) {
                output.tell(patience.text() + ": the patience is at its end");
                end = EndReason.PATIENCE;
                return;
            }
        }
        end = settings.maxSteps() > 0 && last.orElseThrow().steps() >= settings.maxSteps()
                ? EndReason.STEPS
                : EndReason.EPOCHS;
    }

    /** Makes a flush the last one, unless the run is being stopped: then its last flush is read, and must stay. */
    private synchronized void commit(FlushRecord record) throws IOException, RunFailedException {
        if (isStopped) {
            throw RunFailedException.remote("the run is being stopped");
        }
        flushes.commit(record);
        last = Optional.of(record);
        seconds = secondsSince(beginning);
        flushed(record);
    }

    /** Notes what a result says of a flush. The server takes its steps as the number of its version. */
    private synchronized void flushed(FlushRecord record) {
        trained = Optional.of(new Trained(
                record,
                new ParameterVersion(generation, record.steps()),
                seconds,
                samples,
                figures.totals(),
                best.figures()));
    }

    /** Adds the last evaluation to the curves. */
    void end(StatusReply status) {
        best.look(status);
        curves.end(status, seconds, rate);
        last.ifPresent(this::flushed);
    }

    /** Returns why the training ended. */
    EndReason end() {
        return end;
    }

    /** Returns the initial values; copies a model to where the stages can read it. */
    private TensorSet first() throws IOException {
        if (settings.from().isEmpty()) {
            return whole.drawn();
        }
        Path model = flushes.begin(settings.from().get());
        begin = Optional.of(model);
        return whole.of(model);
    }

    private Beginning beginning(HostPlace place, int stage) {
        if (last.isPresent()) {
            return Beginning.ofFlush(place.flush(flushes.parts(last.get()).get(stage)));
        }
        return begin.map(model -> Beginning.ofModel(place.flush(model))).orElse(Beginning.DRAWN);
    }

    private FlushRecord record(long flush, Window window, List<StageMessage.Flushed> parts, long begin) {
        long before = problem.windows().order().samplesBefore(window.from());
        long after = problem.windows().order().samplesBefore(window.end());
        samples += after - before;
        double spent = secondsSince(begin);
        return new FlushRecord(
                flush,
                window.end(),
                problem.windows().steps(window.end()),
                after,
                last.map(FlushRecord::seconds).orElse(0.0) + spent,
                problem.network().spec().name(),
                cut.text(),
                problem.dataset().shards().samples(),
                settings.kept(),
                parts.stream().map(StageMessage.Flushed::part).toList());
    }

    private void progress(Window window, long microBatch, long begin) {
        double spent = secondsSince(begin);
        BatchOrder order = problem.windows().order();
        long end = problem.windows().end();
        long done = order.samplesBefore(microBatch) - order.samplesBefore(window.from());
        double rate = spent == 0 ? 0 : done / spent;
        long left = order.samplesBefore(end) - order.samplesBefore(microBatch);
        output.live(String.format(
                Locale.ROOT,
                "epoch %d of %d, micro-batch %,d of %,d (%.0f%%), %,.0f samples/s%s",
                microBatch / order.perEpoch() + 1,
                settings.run().epochs(),
                microBatch + 1,
                end,
                100.0 * (microBatch + 1) / end,
                rate,
                rate == 0 ? "" : ", " + timeLeft(left / rate)));
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    private static String timeLeft(double seconds) {
        return seconds < 90
                ? String.format(Locale.ROOT, "%.0f s left", seconds)
                : String.format(Locale.ROOT, "%.0f min left", seconds / 60);
    }

    private StageConfiguration configuration(
            HostPlace place, ScheduleSpec schedule, int stage, StageCrew.Addresses others) {
        BlockRange range = cut.stages().get(stage);
        return new StageConfiguration(
                problem.network().spec().name(),
                settings.stages(),
                stage,
                range.from(),
                range.to(),
                settings.cures(),
                settings.optimizer().toString(),
                settings.run().optimization().learningRate(),
                schedule.toString(),
                settings.run().optimization().labelSmoothing(),
                problem.dataset().shards().train().stream().map(place::shard).toList(),
                problem.dataset().shards().samples(),
                settings.microBatch(),
                settings.flushEvery(),
                settings.run().epochs(),
                settings.run().network().augmentation().label(),
                settings.run().seed(),
                place.flush(flushes.path()),
                beginning(place, stage),
                others.next(),
                range.lent().isPresent() ? others.last() : "",
                settings.memory().orElse(0));
    }

    private List<Long> heaps() {
        return plan.stages().stream().map(stage -> stage.memory().heap()).toList();
    }

    private RunFailedException withLastFlush(RunFailedException failed) {
        String where = last.map(record -> "the last flush is %d, after %,d steps: go on with --resume %s"
                        .formatted(record.flush(), record.steps(), runFolder()))
                .orElse("nothing was flushed yet");
        return RunFailedException.remote("%s; %s".formatted(failed.getMessage(), where));
    }

    private Path runFolder() {
        return Optional.ofNullable(flushes.path().getParent()).orElse(flushes.path());
    }
}
