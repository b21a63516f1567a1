package org.fleetgrad.ps.wiring;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.files.time.SteadyClock;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.durability.DurableTraining;
import org.fleetgrad.ps.durability.KeptBest;
import org.fleetgrad.ps.durability.ResumeSource;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.history.RunHistory;
import org.fleetgrad.ps.operation.BestReceipt;
import org.fleetgrad.ps.operation.CheckpointReporter;
import org.fleetgrad.ps.operation.MemoryBudget;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.persistence.Origin;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.web.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the store that persists a run across restarts, and the origin of a new run. */
@Configuration
class DurabilityConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DurabilityConfiguration.class);

    @Bean
    TrainingStore trainingStore(
            PsProperties properties,
            Clock clock,
            Evaluations evaluations,
            RunEvents events,
            RunHistory course,
            MeterRegistry meters) {
        PsProperties.DurabilityProperties wanted = properties.durability();
        if (!wanted.isDurable()) {
            LOG.warn(
                    "ps.durability.mode is none: a restart loses the run; write checkpoint or journal, and a ps.durability.location");
            return TrainingStore.NONE;
        }
        try {
            TrainingSettings training = properties.training();
            return new DurableTraining(
                    wanted.settings(),
                    training,
                    CheckpointLocation.parse(wanted.location(), System::getenv),
                    clock,
                    SteadyClock.inPlaceOf(clock),
                    () -> notes(training, evaluations.newest()),
                    new CheckpointReporter(events, course, clock, meters));
        } catch (IllegalArgumentException refused) {
            throw new StartRefusedException(String.valueOf(refused.getMessage()), refused);
        } catch (IOException unusable) {
            throw new StartRefusedException(
                    "ps.durability.location is '%s', which cannot be used: %s".formatted(wanted.location(), unusable),
                    unusable);
        }
    }

    /** After the store, which locks the location. */
    @Bean
    KeptBest keptBest(PsProperties properties, Clock clock, TrainingStore store) {
        PsProperties.DurabilityProperties wanted = properties.durability();
        Optional<CheckpointLocation> location = store == TrainingStore.NONE
                ? Optional.empty()
                : Optional.of(CheckpointLocation.parse(wanted.location(), System::getenv));
        TrainingSettings training = properties.training();
        return new KeptBest(location, clock, evaluation -> notes(training, Optional.of(evaluation)));
    }

    @Bean
    BestReceipt bestReceipt(KeptBest best, PublishedParameters published, MemoryBudget budget) {
        return new BestReceipt(best, published, budget);
    }

    /** The notes for people in the manifest of a checkpoint. */
    private static Map<String, String> notes(TrainingSettings training, Optional<HeldOutResult> evaluated) {
        Map<String, String> notes = new TreeMap<>();
        notes.put("mode", training.mode().label());
        notes.put(
                CheckpointManifest.SYNCHRONOUS, Boolean.toString(training.mode().isSynchronous()));
        notes.put("optimizer", training.optimizer().toString());
        notes.put("staleness", training.rule().toString());
        if (!training.freeze().isEmpty()) {
            notes.put("freeze", training.freeze().toString());
        }
        if (!training.rates().isEmpty()) {
            notes.put("rate-for", training.rates().toString());
        }
        evaluated.ifPresent(evaluation -> note(notes, evaluation));
        return notes;
    }

    private static void note(Map<String, String> notes, HeldOutResult evaluation) {
        HeldOutScore score = evaluation.score();
        score.accuracy().ifPresent(share -> notes.put("accuracy", String.format(Locale.ROOT, "%.4f", share)));
        score.loss().ifPresent(loss -> notes.put("heldOutLoss", String.format(Locale.ROOT, "%.4f", loss)));
        notes.put("accuracyVersion", Long.toString(evaluation.version().version()));
    }

    @Bean
    Origin origin(PsProperties properties) {
        String source = properties.resumeFrom();
        return source == null
                ? Origin.Beginning.Empty::new
                : new ResumeSource(source, properties.training(), System::getenv);
    }

    /** Makes the service ready when the run is recovered; if it cannot be recovered, the service exits and logs why. */
    @Bean
    ApplicationRunner awaitRecovery(Training training) {
        return arguments -> {
            try {
                training.recovered().get();
            } catch (ExecutionException failed) {
                Throwable why = failed.getCause() == null ? failed : failed.getCause();
                throw new StartRefusedException(String.valueOf(why.getMessage()), why);
            }
        };
    }

    @Bean
    AliveHealth aliveHealthIndicator(Training training, PublishedParameters published) {
        return new AliveHealth(training, published, System::nanoTime);
    }

    /** Reports whether gradients are taken: not during recovery, and not after the disk failed. */
    @Bean
    HealthIndicator trainingHealthIndicator(Training training) {
        return () -> training.unreadiness()
                .map(reason -> Health.outOfService().withDetail("reason", reason))
                .orElseGet(Health::up)
                .build();
    }
}
