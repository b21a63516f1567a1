package org.fleetgrad.runs.tracking;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.mlflow.RunDescription;
import org.fleetgrad.mlflow.TrackedRun;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.runs.settings.TrackingSettings;

/** A run in MLflow, if the user asked for it: nothing of it ever stops or slows the run. Thread-safe. */
public final class RunTracking implements AutoCloseable {

    private final Optional<TrackedRun> run;
    private final Consumer<String> teller;

    private RunTracking(Optional<TrackedRun> run, Consumer<String> teller) {
        this.run = run;
        this.teller = teller;
    }

    /**
     * Begins the run.
     *
     * @param folder  the run's, whose name it has in MLflow, too
     * @param command that runs it, such as {@code train}
     * @param teller  receives lines about MLflow
     */
    public static RunTracking begin(TrackingSettings settings, Path folder, String command, Consumer<String> teller) {
        return new RunTracking(
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

    /** Returns where the curves go, too; empty if nobody asked for it. */
    public Optional<TrackedRun> curves() {
        return run;
    }

    /** Writes settings as parameters, by their names, or by those of options. */
    public void describe(Map<String, ?> settings) {
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
        describe(Map.of("network", NetworkTitle.of(network), "dataset", dataset));
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
