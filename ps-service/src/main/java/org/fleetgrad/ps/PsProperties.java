package org.fleetgrad.ps;

import java.time.Duration;
import java.util.Locale;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.ps.durability.DurabilitySettings;
import org.fleetgrad.ps.training.StepSize;
import org.fleetgrad.ps.training.TrainingMode;
import org.fleetgrad.ps.training.TrainingSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of ps-service, under {@code ps.}; docs/configuration.md has them all.
 *
 * @param mode             {@code async}, {@code sync} or {@code ssp}
 * @param gradientsPerStep async: gradients whose mean makes a step; 1 where nothing is said
 * @param samplesPerStep   samples that make a step, in place of gradients or workers
 * @param workersPerStep   sync: live workers that must have pushed for a step; 0 for all but the backup workers
 * @param backupWorkers    sync: live workers that a step does not wait for
 * @param maxLead          ssp: iterations that a worker may be ahead of the slowest when it begins another; 3 if absent
 * @param maxStaleness     the old name of {@code maxLead}, read for one release
 * @param lease            time from a worker's call until it counts as gone
 * @param queueCapacity    gradients that may wait for the applier
 * @param maxBody          largest parameter set that is accepted
 * @param maxPending       bytes of gradients that may be on their way through the server at once
 * @param maxSnapshots     versions that slow readers may keep alive at once
 * @param resumeFrom       what a new run begins from: a checkpoint's folder, a location of checkpoints, or a safetensors file
 * @param optimizer        what a step does
 * @param schedule         how the learning rate changes
 * @param staleness        what is done about stale gradients
 * @param durability       what outlives a restart
 */
@ConfigurationProperties("ps")
public record PsProperties(
        @DefaultValue("async") String mode,
        @Nullable Integer gradientsPerStep,
        @Nullable Long samplesPerStep,
        @DefaultValue("0") int workersPerStep,
        @DefaultValue("0") int backupWorkers,
        @Nullable Integer maxLead,
        @Nullable Integer maxStaleness,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("64") int queueCapacity,
        @DefaultValue("1GB") DataSize maxBody,
        @DefaultValue("256MB") DataSize maxPending,
        @DefaultValue("32") int maxSnapshots,
        @Nullable String resumeFrom,
        @DefaultValue OptimizerProperties optimizer,
        @DefaultValue ScheduleProperties schedule,
        @DefaultValue StalenessProperties staleness,
        @DefaultValue DurabilityProperties durability) {

    private static final Logger LOG = LoggerFactory.getLogger(PsProperties.class);
    private static final int DEFAULT_MAX_LEAD = 3;

    /** Checks what its types cannot say. */
    public PsProperties {
        if (maxStaleness != null) {
            if (maxLead != null && !maxLead.equals(maxStaleness)) {
                throw new IllegalArgumentException(
                        "ps.max-lead is %d and its old name ps.max-staleness is %d; leave ps.max-staleness away"
                                .formatted(maxLead, maxStaleness));
            }
            LOG.warn("ps.max-staleness is now ps.max-lead; the next release does not read the old name");
        }
        if (lease.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException("ps.lease is %s; write 100ms or more, such as 30s".formatted(lease));
        }
        if (maxBody.toBytes() < 1 || maxBody.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "ps.max-body is %s; write between 1B and 2047MB, such as 1GB".formatted(maxBody));
        }
        if (maxPending.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "ps.max-pending is %s; write 1B or more, such as 256MB".formatted(maxPending));
        }
        if (maxSnapshots < 2) {
            throw new IllegalArgumentException(
                    "ps.max-snapshots is %d; write 2 or more, such as 32".formatted(maxSnapshots));
        }
    }

    /**
     * The optimizer, with PyTorch's names and defaults but for the learning rate.
     *
     * @param name {@code sgd}, {@code adam} or {@code adamw}
     */
    public record OptimizerProperties(
            @DefaultValue("sgd") String name,
            @DefaultValue("0.01") float learningRate,
            @DefaultValue("0") float momentum,
            @DefaultValue("0") float dampening,
            @DefaultValue("false") boolean nesterov,
            @DefaultValue("0") float weightDecay,
            @DefaultValue("0.9") float beta1,
            @DefaultValue("0.999") float beta2,
            @DefaultValue("1e-8") float epsilon,
            @DefaultValue("false") boolean amsgrad) {

        OptimizerSettings settings() {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "sgd" -> new OptimizerSettings.SgdSettings(momentum, dampening, nesterov, weightDecay);
                case "adam" -> new OptimizerSettings.AdamSettings(beta1, beta2, epsilon, weightDecay, amsgrad);
                case "adamw" -> new OptimizerSettings.AdamWSettings(beta1, beta2, epsilon, weightDecay, amsgrad);
                default ->
                    throw new IllegalArgumentException(
                            "ps.optimizer.name is '%s'; write sgd, adam or adamw".formatted(name));
            };
        }
    }

    /**
     * The learning-rate schedule, counted in steps.
     *
     * @param name        {@code constant}, {@code step} or {@code cosine}
     * @param stepSize    step: steps between two decays
     * @param gamma       step: factor of each decay
     * @param totalSteps  cosine: steps until the minimum
     * @param minimum     cosine: the last learning rate
     * @param warmupSteps linear warm-up before any of them; 0 for none
     */
    public record ScheduleProperties(
            @DefaultValue("constant") String name,
            @DefaultValue("1000") long stepSize,
            @DefaultValue("0.1") float gamma,
            @DefaultValue("10000") long totalSteps,
            @DefaultValue("0") float minimum,
            @DefaultValue("0") long warmupSteps) {

        LearningRateSchedule schedule(float learningRate) {
            LearningRateSchedule schedule = switch (name.toLowerCase(Locale.ROOT)) {
                case "constant" -> new LearningRateSchedule.Constant(learningRate);
                case "step" -> new LearningRateSchedule.StepDecay(learningRate, stepSize, gamma);
                case "cosine" -> new LearningRateSchedule.Cosine(learningRate, totalSteps, minimum);
                default ->
                    throw new IllegalArgumentException(
                            "ps.schedule.name is '%s'; write constant, step or cosine".formatted(name));
            };
            return warmupSteps == 0 ? schedule : new LearningRateSchedule.LinearWarmup(warmupSteps, schedule);
        }
    }

    /**
     * The staleness rule.
     *
     * @param rule    {@code none}, {@code damped}, {@code delay-compensated}, {@code adaptive-delay-compensated},
     *     {@code gap-aware}, {@code look-ahead} or {@code look-ahead-slim}
     * @param lambda  delay-compensated: strength of the compensation; 0.04 constant and 2 adaptive where nothing is said
     * @param decay   adaptive: of the mean square, 0.95 where nothing is said; gap-aware: of the running average, 0.999
     * @param history versions, counted back from the newest, whose values are kept for a rule that needs them
     */
    public record StalenessProperties(
            @DefaultValue("none") String rule,
            @Nullable Float lambda,
            @Nullable Float decay,
            @DefaultValue("32") int history) {

        StalenessRule settings() {
            return switch (rule.toLowerCase(Locale.ROOT)) {
                case "none" -> new StalenessRule.None();
                case "damped" -> new StalenessRule.Damped();
                case "delay-compensated" -> new StalenessRule.DelayCompensated(orElse(lambda, 0.04f));
                case "adaptive-delay-compensated" ->
                    new StalenessRule.AdaptiveDelayCompensated(orElse(lambda, 2f), orElse(decay, 0.95f));
                case "gap-aware" -> new StalenessRule.GapAware(orElse(decay, 0.999f));
                case "look-ahead" -> new StalenessRule.LookAhead();
                case "look-ahead-slim" -> new StalenessRule.LookAheadSlim();
                default ->
                    throw new IllegalArgumentException(
                            "ps.staleness.rule is '%s'; write none, damped, delay-compensated, adaptive-delay-compensated, gap-aware, look-ahead or look-ahead-slim"
                                    .formatted(rule));
            };
        }

        private static float orElse(@Nullable Float given, float absent) {
            return given == null ? absent : given;
        }
    }

    /**
     * What outlives a restart.
     *
     * @param mode               {@code none}, {@code checkpoint} or {@code journal}
     * @param location           where checkpoints are kept: a folder, or {@code s3://bucket/prefix}
     * @param checkpointInterval longest time between two checkpoints while the run moves
     * @param checkpointVersions versions between two checkpoints; 0 for no such rule
     * @param journalSize        length of the journal after which a checkpoint is taken
     * @param keep               checkpoints that are kept
     */
    public record DurabilityProperties(
            @DefaultValue("none") String mode,
            @DefaultValue("fleetgrad-checkpoints") String location,
            @DefaultValue("60s") Duration checkpointInterval,
            @DefaultValue("0") long checkpointVersions,
            @DefaultValue("256MB") DataSize journalSize,
            @DefaultValue("3") int keep) {

        /** Tells whether anything is kept. */
        public boolean isKeeping() {
            return !mode.toLowerCase(Locale.ROOT).equals("none");
        }

        /** Returns how it is kept; fails with what to write instead where a setting makes no sense. */
        public DurabilitySettings settings() {
            boolean isJournaling = switch (mode.toLowerCase(Locale.ROOT)) {
                case "checkpoint" -> false;
                case "journal" -> true;
                default ->
                    throw new IllegalArgumentException(
                            "ps.durability.mode is '%s'; write none, checkpoint or journal".formatted(mode));
            };
            return new DurabilitySettings(
                    isJournaling, checkpointInterval, checkpointVersions, journalSize.toBytes(), keep);
        }
    }

    /** Returns how the run trains; fails with what to write instead where the settings make no sense. */
    public TrainingSettings training() {
        return new TrainingSettings(
                trainingMode(),
                optimizer.settings(),
                staleness.settings(),
                staleness.history(),
                schedule.schedule(optimizer.learningRate()),
                queueCapacity);
    }

    private TrainingMode trainingMode() {
        String chosen = mode.toLowerCase(Locale.ROOT);
        boolean isSync = chosen.equals("sync");
        boolean isSsp = chosen.equals("ssp");
        refuse((isSync || isSsp) && gradientsPerStep != null, "ps.gradients-per-step", "async");
        refuse(isSsp && samplesPerStep != null, "ps.samples-per-step", "async or sync");
        refuse(!isSync && workersPerStep > 0, "ps.workers-per-step", "sync");
        refuse(!isSync && backupWorkers > 0, "ps.backup-workers", "sync");
        refuse(
                isSync && samplesPerStep != null && workersPerStep + backupWorkers > 0,
                "ps.workers-per-step or ps.backup-workers",
                "sync without ps.samples-per-step");
        return switch (chosen) {
            case "async" -> new TrainingMode.Async(stepSize());
            case "ssp" -> new TrainingMode.Ssp(lead());
            case "sync" ->
                samplesPerStep != null
                        ? new TrainingMode.SyncBySamples(samplesPerStep)
                        : new TrainingMode.Sync(workersPerStep, backupWorkers);
            default -> throw new IllegalArgumentException("ps.mode is '%s'; write async, sync or ssp".formatted(mode));
        };
    }

    private int lead() {
        if (maxLead != null) {
            return maxLead;
        }
        return maxStaleness == null ? DEFAULT_MAX_LEAD : maxStaleness;
    }

    private StepSize stepSize() {
        if (gradientsPerStep != null && samplesPerStep != null) {
            throw new IllegalArgumentException(
                    "a step is made of ps.gradients-per-step %d or of ps.samples-per-step %d; leave one of them away"
                            .formatted(gradientsPerStep, samplesPerStep));
        }
        if (samplesPerStep != null) {
            return StepSize.ofSamples(samplesPerStep);
        }
        return StepSize.ofGradients(gradientsPerStep == null ? 1 : gradientsPerStep);
    }

    private void refuse(boolean isWrong, String setting, String modes) {
        if (isWrong) {
            throw new IllegalArgumentException("%s is a setting of mode %s, and ps.mode is '%s'; leave one of them away"
                    .formatted(setting, modes, mode));
        }
    }
}
