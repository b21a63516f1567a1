package org.fleetgrad.ps.web;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.CheckpointNotes;
import org.fleetgrad.ps.PsProperties;
import org.fleetgrad.ps.durability.DurabilityListener;
import org.fleetgrad.ps.durability.KeptTraining;
import org.fleetgrad.ps.durability.ResumeSource;
import org.fleetgrad.ps.evaluation.Evaluation;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.training.Durability;
import org.fleetgrad.ps.training.Origin;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.training.TrainingSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What of a run outlives a restart, and what a new one begins from. */
@Configuration
class DurabilityConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(DurabilityConfiguration.class);

    @Bean
    Durability durability(
            PsProperties properties, Clock clock, Evaluations evaluations, RunEvents events, MeterRegistry meters) {
        PsProperties.DurabilityProperties wanted = properties.durability();
        if (!wanted.isKeeping()) {
            LOG.warn(
                    "ps.durability.mode is none: a restart loses the run; write checkpoint or journal, and a ps.durability.location");
            return Durability.NONE;
        }
        try {
            TrainingSettings training = properties.training();
            return new KeptTraining(
                    wanted.settings(),
                    training,
                    CheckpointLocation.parse(wanted.location(), System::getenv),
                    clock,
                    () -> notes(training, evaluations),
                    new Reporter(events, meters));
        } catch (IllegalArgumentException refused) {
            throw new StartRefusedException(String.valueOf(refused.getMessage()), refused);
        } catch (IOException unusable) {
            throw new StartRefusedException(
                    "ps.durability.location is '%s', which cannot be used: %s".formatted(wanted.location(), unusable),
                    unusable);
        }
    }

    /** What a person wants to know of a checkpoint before opening it. */
    private static Map<String, String> notes(TrainingSettings training, Evaluations evaluations) {
        Map<String, String> notes = new TreeMap<>();
        notes.put(CheckpointNotes.MODE, training.mode().label());
        notes.put(CheckpointNotes.SYNCHRONOUS, Boolean.toString(training.mode().isSynchronous()));
        notes.put("optimizer", training.optimizer().describe());
        notes.put("staleness", training.rule().describe());
        evaluations.newest().ifPresent(evaluation -> note(notes, evaluation));
        return notes;
    }

    private static void note(Map<String, String> notes, Evaluation evaluation) {
        notes.put("accuracy", String.format(Locale.ROOT, "%.4f", evaluation.accuracy()));
        notes.put("accuracyVersion", Long.toString(evaluation.version().version()));
    }

    @Bean
    Origin origin(PsProperties properties) {
        String source = properties.resumeFrom();
        return source == null
                ? Origin.Beginning.Empty::new
                : new ResumeSource(source, properties.training(), System::getenv);
    }

    /** The service is ready when what was kept has been brought back; where that cannot be, it ends and says why. */
    @Bean
    ApplicationRunner awaitRecovery(Training training) {
        return arguments -> {
            try {
                training.applier().recovered().get();
            } catch (ExecutionException failed) {
                Throwable why = failed.getCause() == null ? failed : failed.getCause();
                throw new StartRefusedException(String.valueOf(why.getMessage()), why);
            }
        };
    }

    @Bean
    TrainingHealth trainingHealthIndicator(Training training) {
        return new TrainingHealth(training);
    }

    /** Tells of checkpoints. */
    private record Reporter(RunEvents events, MeterRegistry meters) implements DurabilityListener {

        @Override
        public void checkpointTaken(CheckpointManifest manifest, Duration took) {
            LOG.info("{} taken: version {}, {} ms", manifest.name(), manifest.version(), took.toMillis());
            meters.timer("ps.checkpoint", "outcome", "taken").record(took);
            events.publish("checkpoint", Map.of("checkpoint", manifest.number(), "version", manifest.version()));
        }

        @Override
        public void checkpointFailed(Exception failure) {
            LOG.error("a checkpoint could not be written", failure);
            meters.timer("ps.checkpoint", "outcome", "failed").record(Duration.ZERO);
        }
    }
}
