package org.fleetgrad.ps.operation;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.evaluation.Evaluations;
import org.fleetgrad.ps.events.RunEvents;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.run.TrainingListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the applier's changes as metrics, events, and a log line for each change of state. */
public final class RunReporter implements TrainingListener {

    private static final Logger LOG = LoggerFactory.getLogger(RunReporter.class);

    private final RunEvents events;
    private final Evaluations evaluations;
    private final Function<ValueCount, MemoryBudget.Note> memory;
    private final DistributionSummary staleness;
    private final DistributionSummary gradientsPerStep;

    /**
     * Makes a reporter, which also drops evaluations of another history.
     *
     * @param memory of a parameter set of so many values
     */
    public RunReporter(
            RunEvents events,
            Evaluations evaluations,
            Function<ValueCount, MemoryBudget.Note> memory,
            MeterRegistry meters) {
        this.events = events;
        this.evaluations = evaluations;
        this.memory = memory;
        this.staleness = DistributionSummary.builder("ps.staleness")
                .description("Steps between a gradient's base version and the version it was applied to")
                .baseUnit("steps")
                .register(meters);
        this.gradientsPerStep = DistributionSummary.builder("ps.step.gradients")
                .description("Gradients whose mean made a step")
                .register(meters);
    }

    @Override
    public void parametersPut(ParameterVersion version, int tensors, ValueCount values) {
        evaluations.retainOnly(version.generation());
        LOG.info(
                "parameters put: {} tensors, {} values, {} of them trainable, served as {}",
                tensors,
                values.all(),
                values.trainable(),
                version);
        logMemory(values);
        events.publish(
                "parameters",
                Map.of(
                        "generation",
                        version.generation(),
                        "version",
                        version.version(),
                        "tensors",
                        tensors,
                        "values",
                        values.all()));
    }

    private void logMemory(ValueCount values) {
        MemoryBudget.Note needed = memory.apply(values);
        if (needed.isWarning()) {
            LOG.warn("{}", needed.text());
        } else {
            LOG.info("{}", needed.text());
        }
    }

    @Override
    public void recovered(ParameterVersion version, ValueCount values, long samples) {
        logMemory(values);
        LOG.info("the run continues at {}, after {} samples", version, samples);
        events.publish(
                "recovered",
                Map.of("generation", version.generation(), "version", version.version(), "samples", samples));
    }

    @Override
    public void notJournaled(IOException failure) {
        LOG.warn("a change of the workers could not be journaled, the next tick tries again: {}", failure.getMessage());
    }

    @Override
    public void pushed(PushOutcome outcome) {
        if (outcome instanceof PushOutcome.Applied applied) {
            staleness.record((double) applied.staleness());
        }
    }

    @Override
    public void stepped(ParameterVersion version, int gradients, long oldestStaleness) {
        gradientsPerStep.record(gradients);
    }
}
