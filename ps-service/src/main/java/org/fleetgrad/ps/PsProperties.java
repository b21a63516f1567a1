package org.fleetgrad.ps;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.OptimizerSpec;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.RatePatterns;
import org.fleetgrad.ps.durability.DurabilitySettings;
import org.fleetgrad.ps.progress.SequenceLedger;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.settings.TrainingSettings.DecayScope;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of ps-service, under {@code ps.}; docs/configuration.md has them all.
 *
 * @param mode             when gradients become a step, as {@link TrainingMode#parse} reads it
 * @param lease            time from a worker's call until its lease expires
 * @param maxWorkers       maximum workers with running leases
 * @param queueCapacity    maximum gradients queued for the applier
 * @param maxBody          largest parameter set
 * @param maxPending       maximum bytes of gradients in the server at once; by default derived from the parameter set
 * @param maxSnapshots     maximum versions that slow readers keep in memory at once; by default the memory is the only
 *     bound
 * @param snapshotMemory   maximum bytes of versions in memory at once; by default derived from the machine
 * @param unixSocket       the path of an optional Unix domain socket beside the port
 * @param slowClient       the limits for slow clients that send or read tensors
 * @param maxGradientNorm  a gradient of a larger norm is refused; 0 for no limit
 * @param freeze           patterns of the tensors that no step changes, as {@link FreezePatterns#parse} reads them
 * @param rateFor          factors of the learning rate for some tensors, as {@link RatePatterns#parse} reads them
 * @param resumeFrom       the start of a new run: a checkpoint's folder, a location of checkpoints, or a safetensors
 *     file
 * @param aggregation      sync: how the gradients of a step become one, as {@link Aggregation#parse} reads it
 * @param optimizer        the optimizer, as {@link OptimizerSpec} reads it
 * @param learningRate     the first learning rate; by default the usual one of the optimizer
 * @param schedule         the learning-rate schedule, counted in training samples from the beginning of the run
 * @param staleness        the treatment of stale gradients, as {@link StalenessRule#parse} reads it
 * @param stalenessHistory number of versions, counted back from the newest, whose values the server retains for a rule
 *     that needs them
 * @param durability       the state that survives a restart
 * @param local            the steps that workers make by themselves between two pushes
 * @param addedWorkShare   maximum samples that may be added to the work in an epoch, as a share of the epoch's own
 * @param earlierRuns      file with the held-out curves of earlier runs, for the dashboard
 * @param tryItPage        address of the inference API's page, as a browser reaches it, for the dashboard's link
 */
@ConfigurationProperties("ps")
public record PsProperties(
        @DefaultValue("async") String mode,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("1024") int maxWorkers,
        @DefaultValue("64") int queueCapacity,
        @DefaultValue("1GB") DataSize maxBody,
        @Nullable DataSize maxPending,
        @Nullable Integer maxSnapshots,
        @Nullable DataSize snapshotMemory,
        @Nullable String unixSocket,
        @DefaultValue SlowClientProperties slowClient,
        @DefaultValue("0") double maxGradientNorm,
        @DefaultValue("") String freeze,
        @DefaultValue("") String rateFor,
        @Nullable String resumeFrom,
        @DefaultValue("mean") String aggregation,
        @DefaultValue("sgd") String optimizer,
        @Nullable Float learningRate,
        @DefaultValue("constant") String schedule,
        @DefaultValue("none") String staleness,
        @DefaultValue("32") int stalenessHistory,
        @DefaultValue DurabilityProperties durability,
        @DefaultValue LocalProperties local,
        @DefaultValue("0.1") double addedWorkShare,
        @Nullable Path earlierRuns,
        @Nullable URI tryItPage) {

    /** Checks the values that the types allow but the server does not. */
    public PsProperties {
        if (lease.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException("ps.lease is %s; write 100ms or more, such as 30s".formatted(lease));
        }
        if (maxWorkers < 1 || maxWorkers > SequenceLedger.WORKERS) {
            throw new IllegalArgumentException("ps.max-workers is %d; write between 1 and %d, such as 1024"
                    .formatted(maxWorkers, SequenceLedger.WORKERS));
        }
        if (maxBody.toBytes() < 1 || maxBody.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "ps.max-body is %s; write between 1B and 2047MB, such as 1GB".formatted(maxBody));
        }
        if (maxPending != null && maxPending.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "ps.max-pending is %s; write 1B or more, such as 256MB".formatted(maxPending));
        }
        if (snapshotMemory != null && snapshotMemory.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "ps.snapshot-memory is %s; write 1B or more, such as 256MB".formatted(snapshotMemory));
        }
        if (maxSnapshots != null && maxSnapshots < 2) {
            throw new IllegalArgumentException(
                    "ps.max-snapshots is %d; write 2 or more, such as 32".formatted(maxSnapshots));
        }
        if (!(addedWorkShare >= 0 && addedWorkShare <= 1)) {
            throw new IllegalArgumentException(
                    "ps.added-work-share is %s; write a share of an epoch's samples from 0 to 1, such as 0.1"
                            .formatted(addedWorkShare));
        }
        if (tryItPage != null && !String.valueOf(tryItPage.getScheme()).matches("https?")) {
            throw new IllegalArgumentException(
                    "ps.try-it-page is '%s'; write an http or https address, such as http://127.0.0.1:29600/"
                            .formatted(tryItPage));
        }
    }

    /**
     * The steps that workers make by themselves between two pushes.
     *
     * @param steps        number of them; with 1 workers push gradients
     * @param optimizer    the inner optimizer, as {@link OptimizerSpec} reads it
     * @param learningRate of the inner optimizer; by default its usual one
     */
    public record LocalProperties(
            @DefaultValue("1") int steps,
            @DefaultValue("adamw") String optimizer,
            @Nullable Float learningRate) {

        /** Returns the settings; empty if workers push gradients. Throws if one is invalid, and says what to write instead. */
        Optional<LocalSteps> settings() {
            if (steps < 1 || steps > LocalSteps.MOST) {
                throw new IllegalArgumentException(
                        "ps.local.steps is %d; write from 1 to %d, such as 1 or 32".formatted(steps, LocalSteps.MOST));
            }
            OptimizerSpec inner = parse("ps.local.optimizer", optimizer, OptimizerSpec::parse);
            // The configured decimal, not the widened float.
            double rate =
                    learningRate == null ? inner.usualLearningRate() : Double.parseDouble(Float.toString(learningRate));
            if (!(rate > 0 && Double.isFinite(rate))) {
                throw new IllegalArgumentException(
                        "ps.local.learning-rate is %s; write a finite number above 0, such as 0.001".formatted(rate));
            }
            return steps == 1 ? Optional.empty() : Optional.of(new LocalSteps(steps, inner, rate));
        }
    }

    /**
     * The state that survives a restart.
     *
     * @param mode               {@code none}, {@code checkpoint} or {@code journal}
     * @param location           place of the checkpoints: a folder, or {@code s3://bucket/prefix}
     * @param checkpointInterval longest time between two checkpoints while versions change
     * @param checkpointVersions versions between two checkpoints; 0 for no limit
     * @param journalSize        length of the journal after which a checkpoint is taken; by default derived from the
     *     parameter set
     * @param keep               number of checkpoints to keep
     */
    public record DurabilityProperties(
            @DefaultValue("none") String mode,
            @DefaultValue("fleetgrad-checkpoints") String location,
            @DefaultValue("60s") Duration checkpointInterval,
            @DefaultValue("0") long checkpointVersions,
            @Nullable DataSize journalSize,
            @DefaultValue("3") int keep) {

        /** Returns whether any state survives a restart. */
        public boolean isDurable() {
            return !mode.toLowerCase(Locale.ROOT).equals("none");
        }

        /** Returns the settings; throws if one is invalid, and says what to write instead. */
        public DurabilitySettings settings() {
            boolean isJournaling = switch (mode.toLowerCase(Locale.ROOT)) {
                case "checkpoint" -> false;
                case "journal" -> true;
                default ->
                    throw new IllegalArgumentException(
                            "ps.durability.mode is '%s'; write none, checkpoint or journal".formatted(mode));
            };
            return new DurabilitySettings(
                    isJournaling,
                    checkpointInterval,
                    checkpointVersions,
                    journalSize == null ? OptionalLong.empty() : OptionalLong.of(journalSize.toBytes()),
                    keep);
        }
    }

    /** Returns the settings of the training; throws if they are invalid, and says what to write instead. */
    public TrainingSettings training() {
        Aggregation combined = parse("ps.aggregation", aggregation, Aggregation::parse);
        OptimizerSpec spec = parse("ps.optimizer", optimizer, OptimizerSpec::parse);
        float rate = learningRate == null ? (float) spec.usualLearningRate() : learningRate;
        return new TrainingSettings(
                parse("ps.mode", mode, text -> TrainingMode.parse(text, combined)),
                spec.settings(),
                parse("ps.staleness", staleness, StalenessRule::parse),
                stalenessHistory,
                parse("ps.schedule", schedule, text -> ScheduleSpec.parse(text).startingAt(rate)),
                spec.isMatricesOnly() ? DecayScope.MATRICES : DecayScope.EVERYTHING,
                queueCapacity,
                maxGradientNorm,
                parse("ps.freeze", freeze, FreezePatterns::parse),
                parse("ps.rate-for", rateFor, RatePatterns::parse),
                local.settings());
    }

    private static <T> T parse(String setting, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "%s is '%s': %s".formatted(setting, text, invalid.getMessage()), invalid);
        }
    }

    /** Returns the limit on the bytes of gradients in the server at once, for a given size of the parameter set. */
    public PendingLimit pendingLimit() {
        return new PendingLimit(maxPending == null ? OptionalLong.empty() : OptionalLong.of(maxPending.toBytes()));
    }

    /** Returns the maximum number of live versions. */
    public int maxAliveSnapshots() {
        return maxSnapshots == null ? Integer.MAX_VALUE : maxSnapshots;
    }

    /** Returns the configured bytes for live versions; empty if they are derived from the machine. */
    public OptionalLong configuredSnapshotBytes() {
        return snapshotMemory == null ? OptionalLong.empty() : OptionalLong.of(snapshotMemory.toBytes());
    }
}
