package org.fleetgrad.e2e.faults;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.StalenessRule;

/**
 * The training settings of a server under test, and the same for the reference.
 *
 * @param environment the server's environment variables
 * @param isGrouped   whether several gradients may make a step
 */
record TrainingSetup(
        String name,
        Map<String, String> environment,
        OptimizerSettings optimizer,
        StalenessRule rule,
        LearningRateSchedule schedule,
        boolean isGrouped) {

    /** Leases that expire during the run, so that barriers shrink and workers register again. */
    private static final String SHORT_LEASE = "300ms";

    private static final String LONG_LEASE = "60s";

    /** The modes: when gradients become a step. */
    enum Mode {
        ASYNC(false, LONG_LEASE, "PS_MODE=async"),
        ASYNC_SHORT_LEASE(false, SHORT_LEASE, "PS_MODE=async"),
        GRADIENTS_PER_STEP(true, LONG_LEASE, "PS_MODE=async:gradients=3"),
        SAMPLES_PER_STEP(true, SHORT_LEASE, "PS_MODE=async:samples=40"),
        SYNC(true, SHORT_LEASE, "PS_MODE=sync"),
        SYNC_BY_SAMPLES(true, SHORT_LEASE, "PS_MODE=sync:samples=40"),
        BACKUP(true, SHORT_LEASE, "PS_MODE=sync:backup-workers=1"),
        SSP(false, SHORT_LEASE, "PS_MODE=ssp:max-lead=2");

        private final boolean isGrouped;
        private final String lease;
        private final String settings;

        Mode(boolean isGrouped, String lease, String settings) {
            this.isGrouped = isGrouped;
            this.lease = lease;
            this.settings = settings;
        }

        private Map<String, String> environment() {
            Map<String, String> environment = new HashMap<>();
            for (String setting : settings.split(" ")) {
                int equals = setting.indexOf('=');
                environment.put(setting.substring(0, equals), setting.substring(equals + 1));
            }
            environment.put("PS_LEASE", lease);
            return environment;
        }
    }

    static TrainingSetup sgd(Mode mode) {
        return of(
                mode,
                "sgd",
                new OptimizerSettings.SgdSettings(0.9f, 0, false, 0),
                new LearningRateSchedule.Constant(0.01f),
                Map.of(
                        "PS_OPTIMIZER", "sgd:momentum=0.9",
                        "PS_LEARNINGRATE", "0.01"));
    }

    static TrainingSetup adam(Mode mode) {
        return of(
                mode,
                "adam",
                new OptimizerSettings.AdamSettings(0.9f, 0.999f, 1e-8f, 0.01f, false),
                new LearningRateSchedule.Cosine(0.01f, 4000, 0.001f),
                Map.of(
                        "PS_OPTIMIZER", "adam:weight-decay=0.01",
                        "PS_LEARNINGRATE", "0.01",
                        "PS_SCHEDULE", "cosine:total=4000,minimum=0.001"));
    }

    private static TrainingSetup of(
            Mode mode,
            String optimizerName,
            OptimizerSettings optimizer,
            LearningRateSchedule schedule,
            Map<String, String> ofOptimizer) {
        Map<String, String> environment = mode.environment();
        environment.putAll(ofOptimizer);
        String name = mode.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + optimizerName;
        return new TrainingSetup(name, environment, optimizer, new StalenessRule.None(), schedule, mode.isGrouped);
    }

    TrainingSetup gapAware() {
        return with("gap-aware", new StalenessRule.GapAware(0.999f));
    }

    TrainingSetup delayCompensatedAdaptive() {
        return with("adaptive-delay-compensated", new StalenessRule.AdaptiveDelayCompensated(2f, 0.95f));
    }

    private TrainingSetup with(String ruleName, StalenessRule other) {
        Map<String, String> more = new HashMap<>(environment);
        more.put("PS_STALENESS", ruleName);
        return new TrainingSetup(name + "-" + ruleName, more, optimizer, other, schedule, isGrouped);
    }

    /** Returns whether leases are so short that a resting worker loses its own. */
    boolean hasShortLease() {
        return SHORT_LEASE.equals(environment.get("PS_LEASE"));
    }

    @Override
    public String toString() {
        return name;
    }
}
