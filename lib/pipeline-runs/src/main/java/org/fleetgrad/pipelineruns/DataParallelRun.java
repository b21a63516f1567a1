package org.fleetgrad.pipelineruns;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.reports.RunResult;
import org.fleetgrad.runs.LocalRun;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.jspecify.annotations.Nullable;

/** The baseline: as many workers as stages, each with the complete network, in synchronous steps. */
public final class DataParallelRun {

    private final PipelineSettings settings;
    private final RunOutput output;

    public DataParallelRun(PipelineSettings settings, RunOutput output) {
        this.settings = settings;
        this.output = output;
    }

    /** Runs to the end, and converts the result to that of a pipeline. */
    public PipelineResult run() throws RunFailedException, InterruptedException {
        AtomicReference<@Nullable RunResult> kept = new AtomicReference<>();
        new LocalRun(settings.run(), output).run(kept::set);
        RunResult result = kept.get();
        if (result == null) {
            throw RunFailedException.remote("the run of workers ended without a result");
        }
        int workers = settings.stages();
        Double peak = result.peakMemoryMiB();
        return new PipelineResult(
                result.accuracy(),
                result.heldOutLoss(),
                result.perplexity(),
                result.bitsPerCharacter(),
                result.rmse() == null || result.mae() == null
                        ? null
                        : new RegressionFigures(result.rmse(), result.mae(), result.r2()),
                result.labels(),
                null,
                null,
                result.samplesPerSecond(),
                null,
                new ArrayList<>(Collections.nCopies(workers, 0.0)),
                new ArrayList<>(Collections.nCopies(workers, 1)),
                peak == null ? List.of() : Collections.nCopies(workers, peak),
                result.network(),
                workers,
                settings.places().toString(),
                settings.cures().schedule(),
                "data-parallel, synchronous",
                "",
                result.version(),
                result.samples(),
                result.seconds(),
                0,
                result.version(),
                result.ended(),
                result.best(),
                result.modelPath(),
                result.tensorsSha256(),
                null);
    }
}
