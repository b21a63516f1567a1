package org.fleetgrad.runs;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.HeldOutEvaluation;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.reports.Baseline;
import org.fleetgrad.reports.Report;
import org.fleetgrad.reports.ReportPage;
import org.fleetgrad.reports.RunResult;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.fleet.ActivationLog;
import org.fleetgrad.runs.output.HeldOutFigures;
import org.fleetgrad.runs.output.SavedModel;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.shards.PreparedDataset;
import org.fleetgrad.runs.watch.RunCourse;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes a run's results: the model, {@code report.json} and {@code report.html}. */
public final class RunReport {

    private final JsonMapper json = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .changeDefaultPropertyInclusion(absent -> absent.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();
    private final RunSettings settings;
    private final PreparedDataset dataset;
    private final Path folder;
    private final Optional<Baseline> baseline;

    RunReport(RunSettings settings, PreparedDataset dataset, Path folder, Optional<Baseline> baseline) {
        this.settings = settings;
        this.dataset = dataset;
        this.folder = folder;
        this.baseline = baseline;
    }

    /** Returns the folder of the run. */
    Path folder() {
        return folder;
    }

    /** @param evaluation that of the model; another version's only if there is none of the model */
    RunResult write(ChosenModel chosen, StatusReply status, RunCourse course, Optional<HeldOutEvaluation> evaluation)
            throws IOException {
        Path modelPath = SavedModel.file(folder);
        RunResult result = result(chosen, status, course, modelPath);
        SavedModel.write(whole(chosen.model()), dataset.schema().textTokenizer(), folder);
        Report report = new Report(
                result,
                settingsOf(status),
                course.serverRestarts(),
                settings.prices(),
                baseline.orElse(null),
                course.fleet().isEmpty() ? null : course.fleet(),
                evaluation.orElse(null),
                course.progress().points(),
                course.log().rows(settings.invoker().memory(), settings.prices()));
        AtomicFile.write(Path.of(result.reportPath()), json.writeValueAsBytes(report));
        AtomicFile.write(Path.of(result.pagePath()), ReportPage.write(report).getBytes(StandardCharsets.UTF_8));
        return result;
    }

    /** With several servers, joins the parts into an ordinary model; its metadata lists the versions of the parts. */
    private static TensorSet whole(Pulled model) {
        TensorSet parameters = model.parameters();
        if (model.parts().size() == 1) {
            return parameters;
        }
        Map<String, String> metadata = new TreeMap<>(PartitionLabel.without(parameters.metadata()));
        String versions = model.parts().stream()
                .map(part -> Long.toString(part.version()))
                .collect(Collectors.joining(","));
        metadata.put("partition-versions", versions);
        return new TensorSet(parameters.layout(), parameters.data(), metadata);
    }

    private RunResult result(ChosenModel chosen, StatusReply status, RunCourse course, Path modelPath) {
        Task task = dataset.schema().task();
        RunTarget target = settings.targetFor(task);
        Pulled model = chosen.model();
        HeldOutFigures figures = chosen.figures();
        TextFigures text = figures.text();
        RegressionFigures numbers = figures.regression();
        BinaryFigures classes = figures.binary();
        double seconds = course.seconds();
        double samplesPerSecond = seconds == 0 ? 0 : (double) course.trained() / seconds;
        ActivationLog log = course.log();
        Double gbSeconds = boxed(log.gigabyteSeconds(settings.invoker().memory()));
        return new RunResult(
                figures.accuracy(),
                figures.accuracyTop5(),
                figures.loss(),
                figures.perplexity(),
                text == null ? null : text.bitsPerCharacter(),
                numbers == null ? null : numbers.r2(),
                numbers == null ? null : (Double) numbers.rmse(),
                numbers == null ? null : (Double) numbers.mae(),
                classes == null ? null : classes.auc(),
                classes == null ? null : (Double) classes.f1(),
                classes == null ? null : (Double) classes.precision(),
                classes == null ? null : (Double) classes.recall(),
                figures.labels(),
                model.version().version(),
                status.samples(),
                seconds,
                boxed(course.progress().secondsToTarget()),
                samplesPerSecond,
                text == null ? null : (Double) (samplesPerSecond * text.tokensPerSample()),
                settings.workers(),
                status.worstStaleness(),
                modelPath.toString(),
                Sha256.of(model.parameters().data()),
                boxed(target.accuracy()),
                boxed(target.loss()),
                boxed(target.r2()),
                boxed(target.microF1()),
                target instanceof RunTarget.None ? null : (Boolean) target.isReached(figures.heldOut()),
                course.end().label(),
                chosen.best(),
                status.mode(),
                dataset.name(),
                Objects.requireNonNullElse(model.parameters().metadata().get("network"), ""),
                log.count(),
                log.cold(),
                log.killed(),
                gbSeconds,
                boxed(log.unrecordedGigabyteSeconds(settings.invoker().memory())),
                boxed(log.largest("peak_memory_mib")),
                Math.max(0, -course.surplus()),
                Math.max(0, course.surplus()),
                log.sum("stale"),
                log.sum("bytes"),
                settings.prices().ofRun(gbSeconds, log.count(), seconds),
                folder.resolve("report.json").toString(),
                folder.resolve("report.html").toString());
    }

    private static @Nullable Double boxed(OptionalDouble figure) {
        return figure.isPresent() ? (Double) figure.getAsDouble() : null;
    }

    /** Returns the settings, by the names of the report. */
    Map<String, Object> settingsOf(StatusReply status) {
        Map<String, Object> map = ReportedSettings.of(settings);
        map.put("target", settings.targetFor(dataset.schema().task()).toString());
        map.put("staleness", status.staleness());
        map.put("optimizer", status.optimizer());
        map.put("trainSamples", dataset.train());
        map.put("testSamples", dataset.test().count());
        return map;
    }
}
