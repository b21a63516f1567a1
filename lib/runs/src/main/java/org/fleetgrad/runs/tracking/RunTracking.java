package org.fleetgrad.runs.tracking;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.mlflow.RunDescription;
import org.fleetgrad.mlflow.TrackedRun;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.curves.RunCurves;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.TrackingSettings;

/** Who gets a run besides its folder: TensorBoard its curves, MLflow all of it, if the user asked for it. Thread-safe. */
public final class RunTracking implements AutoCloseable {

    private final Path folder;
    private final Optional<Path> tensorboard;
    private final RecordedRun facts;
    private final Optional<TrackedRun> run;
    private final Consumer<String> teller;

    private RunTracking(
            Path folder,
            Optional<Path> tensorboard,
            RecordedRun facts,
            Optional<TrackedRun> run,
            Consumer<String> teller) {
        this.folder = folder;
        this.tensorboard = tensorboard;
        this.facts = facts;
        this.run = run;
        this.teller = teller;
    }

    /**
     * Begins the run.
     *
     * @param folder  the run's, whose name it has elsewhere, too
     * @param command that runs it, such as {@code train}
     * @param facts   of the run, in its folder
     * @param teller  receives lines about what gets the run
     */
    public static RunTracking begin(
            TrackingSettings settings, Path folder, String command, RecordedRun facts, Consumer<String> teller) {
        return new RunTracking(
                folder,
                settings.tensorboard(),
                facts,
                settings.mlflow()
                        .map(server -> TrackedRun.begin(
                                server,
                                new RunDescription(
                                        settings.experiment(),
                                        String.valueOf(folder.getFileName()),
                                        Instant.now(),
                                        tags(command)),
                                teller)),
                teller);
    }

    /** The tags that MLflow's own clients set. */
    private static Map<String, String> tags(String command) {
        return Map.of(
                "mlflow.user",
                System.getProperty("user.name", ""),
                "mlflow.source.name",
                "fleetgrad " + command,
                "mlflow.source.type",
                "LOCAL");
    }

    /**
     * Opens the curves of the run: in its folder, in TensorBoard's and in MLflow, as the user asked for. They are closed before this is.
     *
     * @param target       of the run
     * @param isContinuing whether the run continues an earlier one, whose rows are retained
     * @throws RunFailedException if a file cannot be made
     */
    public RunCurves curves(RunTarget target, boolean isContinuing, Task task) throws RunFailedException {
        return RunCurves.open(folder, tensorboard, run, facts, target, isContinuing, task, Clock.systemUTC(), teller);
    }

    /** Writes settings as parameters, by their names, or by those of options. */
    public void describe(Map<String, ?> settings) {
        facts.describe(settings);
        Map<String, String> parameters = new LinkedHashMap<>();
        settings.forEach((key, value) -> parameters.put(key.replaceFirst("^--", ""), String.valueOf(value)));
        run.ifPresent(tracked -> tracked.describe(parameters));
    }

    /**
     * Writes what is trained on what.
     *
     * @param network its complete name, which may be long
     * @param dataset its name
     */
    public void describe(String network, String dataset) {
        facts.describe(network, dataset);
        run.ifPresent(tracked -> tracked.describe(Map.of("network", NetworkTitle.of(network), "dataset", dataset)));
    }

    /**
     * Writes the result.
     *
     * @param json     an object
     * @param currency of its cost
     */
    public void result(String json, String currency) {
        facts.result(json, currency);
    }

    /** Says that the run is finished, and sends those of its files that exist. */
    public void finish(Path... files) {
        if (run.isEmpty()) {
            return;
        }
        try {
            run.get().finish(List.of(files).stream().filter(Files::exists).toList());
        } catch (IOException unreadable) {
            teller.accept("MLflow does not get the files of the run: " + unreadable);
        }
    }

    /** Waits until MLflow has the run, as {@link TrackedRun#close} does. */
    @Override
    public void close() {
        run.ifPresent(TrackedRun::close);
    }
}
