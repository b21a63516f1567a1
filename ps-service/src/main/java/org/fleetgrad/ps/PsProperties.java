package org.fleetgrad.ps;

import java.time.Duration;
import java.util.Locale;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.ps.training.TrainingMode;
import org.fleetgrad.ps.training.TrainingSettings;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of ps-service, under {@code ps.}; docs/configuration.md has them all.
 *
 * @param mode             {@code async} or {@code sync}
 * @param gradientsPerStep async: gradients whose mean makes a step
 * @param workersPerStep   sync: live workers that must have pushed for a step; 0 for all of them
 * @param lease            time from a worker's call until it counts as gone
 * @param queueCapacity    gradients that may wait for the applier
 * @param maxBody          largest parameter set that is accepted
 * @param optimizer        what a step does
 * @param schedule         how the learning rate changes
 */
@ConfigurationProperties("ps")
public record PsProperties(
        @DefaultValue("async") String mode,
        @DefaultValue("1") int gradientsPerStep,
        @DefaultValue("0") int workersPerStep,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("64") int queueCapacity,
        @DefaultValue("1GB") DataSize maxBody,
        @DefaultValue OptimizerProperties optimizer,
        @DefaultValue ScheduleProperties schedule) {

    /** Checks what its types cannot say. */
    public PsProperties {
        if (lease.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException("ps.lease is %s; write 100ms or more, such as 30s".formatted(lease));
        }
        if (maxBody.toBytes() < 1 || maxBody.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "ps.max-body is %s; write between 1B and 2047MB, such as 1GB".formatted(maxBody));
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

    /** Returns how the run trains; fails with what to write instead where the settings make no sense. */
    public TrainingSettings training() {
        TrainingMode chosen = switch (mode.toLowerCase(Locale.ROOT)) {
            case "async" -> new TrainingMode.Async(gradientsPerStep);
            case "sync" -> new TrainingMode.Sync(workersPerStep);
            default -> throw new IllegalArgumentException("ps.mode is '%s'; write async or sync".formatted(mode));
        };
        return new TrainingSettings(
                chosen, optimizer.settings(), schedule.schedule(optimizer.learningRate()), queueCapacity);
    }
}
