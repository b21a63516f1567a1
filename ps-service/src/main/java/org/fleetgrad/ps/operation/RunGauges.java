package org.fleetgrad.ps.operation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.ps.work.WorkQueue.AddedFigures;

/** The metrics that are read from the run at each scrape. */
public final class RunGauges {

    private RunGauges() {}

    public static void register(
            Training training,
            PublishedParameters published,
            Leases leases,
            Evaluations evaluations,
            WantedWorkers wanted,
            MeterRegistry meters) {
        Gauge.builder("ps.parameters.version", published, RunGauges::versionNumber)
                .description("Steps applied since the run began")
                .register(meters);
        Gauge.builder("ps.workers.active", leases, now -> now.live().size())
                .description("Workers whose lease runs")
                .register(meters);
        Gauge.builder("ps.queue.depth", training, now -> now.queued())
                .description("Submissions that wait for the applier")
                .register(meters);
        Gauge.builder("ps.samples", training, now -> now.statistics().samples())
                .description("Training samples in applied gradients")
                .register(meters);
        Gauge.builder("ps.added.samples", training, now -> added(now, AddedFigures::samples))
                .description("Samples of the shards that were added to the work, trained on")
                .register(meters);
        Gauge.builder("ps.added.shards.left", training, now -> added(now, AddedFigures::left))
                .description("Shards that were added to the work and are not done")
                .register(meters);
        Gauge.builder("ps.training.loss", training, RunGauges::loss)
                .description("Smoothed training loss; NaN before the first gradient")
                .register(meters);
        registerHeldOut(evaluations, meters);
        registerWork(training, wanted, meters);
    }

    /** What an autoscaler of workers reads. */
    private static void registerWork(Training training, WantedWorkers wanted, MeterRegistry meters) {
        Gauge.builder("ps.work.waiting", training, now -> ofWork(now, WorkQueue.Figures::waiting))
                .description("Shards of an epoch that no worker holds and that a worker would get")
                .register(meters);
        Gauge.builder("ps.work.held", training, now -> ofWork(now, WorkQueue.Figures::leased))
                .description("Shards of an epoch that workers hold")
                .register(meters);
        Gauge.builder("ps.workers.wanted", wanted, WantedWorkers::wanted)
                .description("Workers that the run should have: as many as are worth keeping in samples per second")
                .register(meters);
        Gauge.builder("ps.workers.added.rate", wanted, WantedWorkers::added)
                .description("Samples per second that each worker added when their number changed last; NaN before it")
                .register(meters);
    }

    private static double ofWork(Training training, ToDoubleFunction<WorkQueue.Figures> figure) {
        return training.work().map(work -> figure.applyAsDouble(work)).orElse(0.0);
    }

    private static void registerHeldOut(Evaluations evaluations, MeterRegistry meters) {
        Gauge.builder("ps.heldout.accuracy", evaluations, now -> ofNewest(now, HeldOutResult::accuracy))
                .description("Share of held-out samples that the newest evaluated version answers right; NaN before it")
                .register(meters);
        Gauge.builder("ps.heldout.accuracy.top5", evaluations, now -> ofNewest(now, HeldOutResult::accuracyTop5))
                .description("Share of held-out samples whose label is among its five most probable classes")
                .register(meters);
        Gauge.builder("ps.heldout.loss", evaluations, now -> ofNewest(now, HeldOutResult::loss))
                .description("Its mean loss over the held-out samples")
                .register(meters);
    }

    private static double added(Training training, ToDoubleFunction<AddedFigures> figure) {
        return training.work()
                .flatMap(WorkQueue.Figures::added)
                .map(figure::applyAsDouble)
                .orElse(0.0);
    }

    private static double loss(Training training) {
        return training.statistics().state().loss().orElse(Double.NaN);
    }

    private static double ofNewest(Evaluations evaluations, Function<HeldOutResult, Optional<Double>> figure) {
        return evaluations.newest().flatMap(figure).orElse(Double.NaN);
    }

    private static double versionNumber(PublishedParameters published) {
        return published.version().map(ParameterVersion::version).orElse(0L).doubleValue();
    }
}
