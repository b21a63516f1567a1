package org.fleetgrad.runs.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.reports.Prices;

/** Example settings of a run. */
public final class ExampleSettings {

    private ExampleSettings() {}

    public static RunSettings of(Optional<Path> data, int workers) {
        return of(data.map(DataSettings::of).orElse(DataSettings.GENERATED), workers);
    }

    public static RunSettings of(DataSettings data, int workers) {
        return of(data, workers, OptionalLong.empty());
    }

    public static RunSettings of(DataSettings data, int workers, OptionalLong maxSteps) {
        return of(data, workers, maxSteps, ServerSettings.DEFAULT);
    }

    /** Begins with the values of a model. */
    public static RunSettings from(Path model, DataSettings data) {
        return from(new StartingPoint.Model(model, false), data);
    }

    /** Goes on from the state of a run. */
    public static RunSettings resumed(Path run, DataSettings data) {
        return from(new StartingPoint.State(run.toString()), data);
    }

    private static RunSettings from(StartingPoint start, DataSettings data) {
        ServerSettings server = new ServerSettings(
                new TrainingMode.Async(1),
                new StalenessRule.None(),
                0,
                ServerSettings.DurabilityMode.NONE,
                start,
                1,
                CheckpointPace.DEFAULT,
                Optional.empty());
        return of(data, 1, OptionalLong.empty(), server);
    }

    private static RunSettings of(DataSettings data, int workers, OptionalLong maxSteps, ServerSettings server) {
        return new RunSettings(
                data,
                NetworkSettings.DEFAULT,
                workers,
                Optional.empty(),
                new InvokerSettings.Local(),
                server,
                new TransferSettings("topk:0.05", "bf16", true),
                1,
                Optional.empty(),
                16,
                4,
                OptimizationSettings.DEFAULT,
                maxSteps,
                Optional.empty(),
                Optional.empty(),
                9,
                100,
                20,
                Optional.empty(),
                TrackingSettings.NONE,
                Prices.NONE,
                new BaselineSettings.None(),
                Optional.empty(),
                false,
                ServingSettings.DEFAULT,
                Duration.ofMinutes(3));
    }
}
