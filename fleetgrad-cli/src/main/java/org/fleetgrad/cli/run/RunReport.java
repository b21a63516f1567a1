package org.fleetgrad.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.fleetgrad.cli.run.RunResult.Report;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.protocol.messages.StatusReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes what a run leaves: {@code model.safetensors} and {@code report.json}. */
final class RunReport {

    private final JsonMapper json =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private final RunSettings settings;
    private final PreparedDataset dataset;
    private final Path folder;

    RunReport(RunSettings settings, PreparedDataset dataset, Path folder) {
        this.settings = settings;
        this.dataset = dataset;
        this.folder = folder;
    }

    /**
     * @param surplus samples that were in a step more often than the work has them; below 0 those that were in none
     */
    RunResult write(
            Pulled model,
            StatusReply status,
            Progress progress,
            ActivationLog log,
            long surplus,
            double seconds,
            int serverRestarts)
            throws IOException {
        Path modelPath = folder.resolve("model.safetensors");
        Path reportPath = folder.resolve("report.json");
        double accuracy = Objects.requireNonNull(status.accuracy());
        RunResult result = new RunResult(
                accuracy,
                status.version(),
                status.samples(),
                seconds,
                progress.secondsToTarget().isPresent()
                        ? (Double) progress.secondsToTarget().getAsDouble()
                        : null,
                seconds == 0 ? 0 : (double) status.samples() / seconds,
                settings.workers(),
                status.worstStaleness(),
                modelPath.toString(),
                settings.target(),
                accuracy >= settings.target(),
                status.mode(),
                dataset.name(),
                Objects.requireNonNullElse(model.parameters().metadata().get("network"), ""),
                log.count(),
                log.cold(),
                log.killed(),
                boxed(log.gigabyteSeconds(settings.invoker().memory())),
                boxed(log.largest("peak_memory_mib")),
                Math.max(0, -surplus),
                Math.max(0, surplus),
                log.sum("stale"),
                reportPath.toString());
        AtomicFile.write(modelPath, Safetensors.encode(model.parameters()).array());
        Report report = new Report(result, settingsOf(status), serverRestarts, progress.points(), log.rows());
        AtomicFile.write(reportPath, json.writeValueAsBytes(report));
        return result;
    }

    private static @Nullable Double boxed(OptionalDouble figure) {
        return figure.isPresent() ? (Double) figure.getAsDouble() : null;
    }

    private Map<String, Object> settingsOf(StatusReply status) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("workers", settings.workers());
        map.put("mode", settings.server().mode().setting());
        map.put("epochs", settings.epochs());
        map.put("targetAccuracy", settings.target());
        map.put("batchSize", settings.batchSize());
        map.put("updateInterval", settings.updateInterval());
        map.put("learningRate", settings.learningRate());
        map.put("optimizer", status.optimizer());
        map.put("seed", settings.seed());
        map.put("trainSamples", dataset.train());
        map.put("testSamples", dataset.test().count());
        return map;
    }
}
