package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.networks.Task;
import org.fleetgrad.pipeline.cut.Cut;
import org.fleetgrad.pipeline.timeline.Timeline;
import org.fleetgrad.pipeline.timeline.TimelineSvg;
import org.fleetgrad.pipeline.timeline.TimelineText;
import org.fleetgrad.pipelineruns.flush.FlushFolder.FlushRecord;
import org.fleetgrad.runs.ChosenModel;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.output.SavedModel;
import org.fleetgrad.runs.watch.EndReason;
import org.jspecify.annotations.Nullable;

/** Writes what a pipeline leaves: the model, the timeline of its stages, and {@code pipeline.json}. Thread-safe. */
final class PipelineReport {

    private static final String RESULT = "pipeline.json";
    private static final String TIMELINE = "timeline.svg";
    private static final int TIMELINE_COLUMNS = 120;
    private static final int TIMELINE_WIDTH = 1600;

    private final Pipeline pipeline;
    private final Optional<Tokenizer> tokenizer;
    private final Path folder;

    /** What was trained, and how. */
    record Pipeline(String network, Task task, int stages, String places, String schedule, String method, String cut) {

        static Pipeline of(PipelineSettings settings, PipelineProblem problem, Cut cut) {
            return new Pipeline(
                    problem.network().spec().name(),
                    problem.dataset().schema().task(),
                    settings.stages(),
                    settings.places().toString(),
                    settings.cures().schedule(),
                    settings.method(),
                    cut.text());
        }
    }

    PipelineReport(Pipeline pipeline, Optional<Tokenizer> tokenizer, Path folder) {
        this.pipeline = pipeline;
        this.tokenizer = tokenizer;
        this.folder = folder;
    }

    /** Returns the folder of the run. */
    Path folder() {
        return folder;
    }

    Task task() {
        return pipeline.task();
    }

    Path result() {
        return folder.resolve(RESULT);
    }

    Path timeline() {
        return folder.resolve(TIMELINE);
    }

    synchronized PipelineResult write(ChosenModel chosen, Trained trained, EndReason end) throws IOException {
        Path model = SavedModel.file(folder);
        SavedModel.write(chosen.model().parameters(), tokenizer, folder);
        RunFigures.Totals figures = trained.figures();
        Optional<Path> picture = draw(figures.timeline());
        PipelineResult result = result(chosen, trained, end, model, picture);
        AtomicFile.write(result(), result.toJson().getBytes(StandardCharsets.UTF_8));
        return result;
    }

    private PipelineResult result(
            ChosenModel chosen, Trained trained, EndReason end, Path model, Optional<Path> picture) {
        HeldOutFigures heldOut = chosen.figures();
        RunFigures.Totals figures = trained.figures();
        FlushRecord last = trained.flush();
        return new PipelineResult(
                heldOut.accuracy(),
                heldOut.loss(),
                heldOut.perplexity(),
                heldOut.text() == null ? null : heldOut.text().bitsPerCharacter(),
                heldOut.regression(),
                heldOut.labels(),
                finite(figures.meanLoss()),
                finite(figures.accuracy()),
                trained.seconds() == 0 ? 0 : trained.samples() / trained.seconds(),
                figures.bubble(),
                figures.staleness(),
                figures.liveVersions(),
                figures.peakMebibytes(),
                pipeline.network(),
                pipeline.stages(),
                pipeline.places(),
                pipeline.schedule(),
                pipeline.method(),
                pipeline.cut(),
                last.steps(),
                last.samples(),
                trained.seconds(),
                last.flush(),
                chosen.model().version().version(),
                end.label(),
                chosen.best(),
                model.toString(),
                Sha256.of(chosen.model().parameters().data()),
                picture.map(Path::toString).orElse(null));
    }

    /** A run that was already finished has no window. */
    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    /** Draws the timeline of the stages; nothing if the run was already finished. */
    private Optional<Path> draw(Timeline timeline) throws IOException {
        if (timeline.spans().isEmpty()) {
            return Optional.empty();
        }
        AtomicFile.write(timeline(), TimelineSvg.draw(timeline, TIMELINE_WIDTH).getBytes(StandardCharsets.UTF_8));
        AtomicFile.write(
                folder.resolve("timeline.txt"),
                TimelineText.draw(timeline, TIMELINE_COLUMNS).getBytes(StandardCharsets.UTF_8));
        return Optional.of(timeline());
    }
}
