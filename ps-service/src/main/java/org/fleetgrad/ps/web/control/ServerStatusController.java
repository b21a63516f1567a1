package org.fleetgrad.ps.web.control;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.work.WorkQueue;
import org.fleetgrad.ps.work.WorkQueue.Assignment;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /status}. */
@RestController
class ServerStatusController {

    private final Training training;
    private final PublishedParameters published;
    private final Evaluations evaluations;
    private final Leases leases;
    private final PsProperties properties;
    private final Clock clock;
    private final Instant begin;

    ServerStatusController(
            Training training,
            PublishedParameters published,
            Evaluations evaluations,
            Leases leases,
            PsProperties properties,
            Clock clock) {
        this.training = training;
        this.published = published;
        this.evaluations = evaluations;
        this.leases = leases;
        this.properties = properties;
        this.clock = clock;
        this.begin = clock.instant();
    }

    @GetMapping(Routes.STATUS)
    StatusReply status() {
        TrainingStatistics.State counts = training.statistics().state();
        Optional<TensorLayout> layout = published.layout();
        Optional<HeldOutResult> evaluation = evaluations.newest();
        long version = published.version().map(ParameterVersion::version).orElse(0L);
        return new StatusReply(
                200,
                training.generation(),
                version,
                layout.isPresent(),
                layout.map(TensorLayout::size).orElse(0),
                layout.map(TensorLayout::elementCount).orElse(0L),
                training.settings().mode().label(),
                training.settings().mode().isSynchronous(),
                training.settings().optimizer().toString(),
                training.settings().rule().toString(),
                properties.durability().mode().toLowerCase(Locale.ROOT),
                // The configured decimal, not the widened float: 0.01, not 0.009999999776482582.
                Double.parseDouble(Float.toString(
                        training.settings().learningRate(training.statistics().samplesOfRun()))),
                counts.samples(),
                counts.loss().orElse(null),
                evaluation.flatMap(HeldOutResult::accuracy).orElse(null),
                evaluation.flatMap(HeldOutResult::accuracyTop5).orElse(null),
                evaluation.flatMap(HeldOutResult::loss).orElse(null),
                evaluation.flatMap(HeldOutResult::text).orElse(null),
                evaluation.flatMap(HeldOutResult::regression).orElse(null),
                evaluation.flatMap(HeldOutResult::binary).orElse(null),
                evaluation.flatMap(HeldOutResult::labels).orElse(null),
                evaluation.map(held -> held.version().version()).orElse(null),
                counts.worstStaleness(),
                counts.meanStaleness(),
                training.statistics().buffered(),
                counts.pushes(),
                Duration.between(begin, clock.instant()).toMillis(),
                workers(counts),
                training.work().map(ServerStatusController::work).orElse(null),
                training.writeFailure().orElse(null));
    }

    private static StatusReply.Work work(WorkQueue.Figures figures) {
        return new StatusReply.Work(
                figures.plan().dataset(),
                figures.plan().epochs(),
                figures.plan().shards().size(),
                figures.plan().samplesPerEpoch(),
                figures.samples(),
                figures.done(),
                figures.leased(),
                figures.isDone(),
                figures.added()
                        .map(added ->
                                new StatusReply.AddedWork(added.last(), added.samples(), added.done(), added.left()))
                        .orElse(null));
    }

    private static StatusReply.Shard shard(Assignment held) {
        return new StatusReply.Shard(
                held.cursor().epoch(),
                held.cursor().shard(),
                held.cursor().sample(),
                held.shard().samples());
    }

    private List<StatusReply.Worker> workers(TrainingStatistics.State counts) {
        Instant now = leases.now();
        return leases.live().stream()
                .map(worker -> new StatusReply.Worker(
                        worker.id(),
                        worker.description(),
                        worker.device(),
                        counts.takenByWorker().getOrDefault(worker.id(), 0L),
                        training.highestSequence(worker.id()),
                        Duration.between(now, worker.leaseEnd()).toMillis(),
                        worker.deadline()
                                .map(deadline -> Duration.between(now, deadline).toMillis())
                                .orElse(null),
                        training.shardOf(worker.id())
                                .map(ServerStatusController::shard)
                                .orElse(null),
                        worker.address().map(URI::toString).orElse(null)))
                .toList();
    }
}
