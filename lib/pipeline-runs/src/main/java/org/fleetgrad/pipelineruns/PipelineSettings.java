package org.fleetgrad.pipelineruns;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.pipeline.run.CureChoice;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.OptimizationSettings;
import org.fleetgrad.runs.settings.RunSettings;

/**
 * The settings of a run whose network is cut into stages.
 *
 * @param run        what it has in common with a run of workers: dataset, network, epochs, optimizer, seed, folder
 * @param stages     number of stages
 * @param places     where they run
 * @param cures      schedule and cures
 * @param microBatch samples of a micro-batch
 * @param flushEvery steps between two flushes; 0 for the ends of epochs only
 * @param maxSteps   steps to stop after; 0 for no limit
 * @param cut        auto, bytes, or the first block of each stage but the first
 * @param from       model whose values the run begins with; without it they are initialized at random
 * @param resume     folder of the run to resume
 * @param memory     limit of one stage, in bytes
 * @param image      with docker: the worker's image
 */
public record PipelineSettings(
        RunSettings run,
        int stages,
        StagePlaces places,
        CureChoice cures,
        int microBatch,
        long flushEvery,
        long maxSteps,
        String cut,
        Optional<Path> from,
        Optional<Path> resume,
        OptionalLong memory,
        String image) {

    /** Where the stages of a pipeline run. */
    public enum StagePlaces {
        /** All in one process, each in a thread. */
        THREADS,
        /** Each in a process of this machine. */
        PROCESSES,
        /** Each in a container of this machine's Docker. */
        DOCKER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the optimizer of every stage. */
    public OptimizerSpec optimizer() {
        return run.optimization().optimizer();
    }

    /**
     * Returns the learning-rate schedule, in samples.
     *
     * @param samples of an epoch
     * @throws RunFailedException as {@link OptimizationSettings#scheduleInSamples} does
     */
    public ScheduleSpec schedule(long samples) throws RunFailedException {
        return run.optimization().scheduleInSamples(samples, run.epochs());
    }

    /**
     * Returns the settings that must not change when the run resumes, by the names of the options. Where the stages run, how
     * long, and how often they are flushed may change.
     */
    public Map<String, String> kept() {
        Map<String, String> kept = new LinkedHashMap<>();
        kept.put("--stages", Integer.toString(stages));
        kept.put("--pipeline-schedule", cures.schedule());
        kept.put("--step-every", Integer.toString(cures.stepEvery()));
        kept.put("--stash", Boolean.toString(cures.stash()));
        kept.put("--predict", cures.predict());
        kept.put("--gap-aware", cures.gapAware());
        kept.put("--recompute", Boolean.toString(cures.recompute()));
        kept.put("--micro-batch", Integer.toString(microBatch));
        kept.put("--optimizer", optimizer().toString());
        kept.put("--seed", Integer.toString(run.seed()));
        kept.put("--augment", run.network().augmentation().label());
        return kept;
    }

    /** Describes schedule and cures in a few words, such as {@code 1f1b, stash, aggmsnag}. */
    public String method() {
        StringBuilder text = new StringBuilder(cures.schedule());
        if (cures.stash()) {
            text.append(", stash");
        }
        if (!cures.predict().isEmpty()) {
            text.append(", ").append(cures.predict());
        }
        if (!cures.gapAware().isEmpty()) {
            text.append(", gap-aware").append(cures.gapAware().equals("loss") ? " (loss)" : "");
        }
        return text.append(cures.recompute() ? ", recompute" : ", no recompute").toString();
    }
}
