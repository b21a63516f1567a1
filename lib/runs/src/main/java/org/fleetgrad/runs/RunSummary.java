package org.fleetgrad.runs;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.reports.RunResult;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.watch.EndReason;

/** Says what a run has come to. */
final class RunSummary {

    private RunSummary() {}

    static void tell(RunResult result, RunSettings settings, RunTarget target, RunOutput output) {
        output.tell("%s of version %,d after %.1f s and %,d samples (%,.0f samples/s%s); the model is %s"
                .formatted(
                        Figures.quality(result),
                        result.version(),
                        result.seconds(),
                        result.samples(),
                        result.samplesPerSecond(),
                        result.tokensPerSecond() == null
                                ? ""
                                : String.format(Locale.ROOT, ", %,.0f tokens/s", result.tokensPerSecond()),
                        result.modelPath()));
        if (result.gbSecondsUnrecorded() != null) {
            output.tell(
                    "OpenWhisk ran activations again whose container had died: their first tries took about %.1f GB-seconds more, of which it keeps no record"
                            .formatted(result.gbSecondsUnrecorded()));
        }
        if (result.reachedTarget() != null && !result.reachedTarget()) {
            String limit = settings.maxSteps().isPresent()
                    ? "%d epochs and %d steps"
                            .formatted(settings.epochs(), settings.maxSteps().getAsLong())
                    : "%d epochs".formatted(settings.epochs());
            output.tell("the target of %s was not reached in %s"
                    .formatted(
                            target,
                            result.ended().equals(EndReason.PATIENCE.label()) ? "the patience of this run" : limit));
        }
        Optional.ofNullable(result.best())
                .map(best -> Figures.best(best, Path.of(result.modelPath())))
                .ifPresent(output::tell);
        output.tell("the report is %s".formatted(result.pagePath()));
    }
}
