package org.fleetgrad.cli.runs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.MeasureKind;
import org.fleetgrad.runs.kept.RecordedRun;
import org.fleetgrad.runs.kept.RunLabel;
import org.fleetgrad.testing.ManualClock;

/** Runs that began and ended in a folder, or are in progress. */
final class ExampleRuns {

    private final Path runs;
    private final ManualClock clock = new ManualClock();

    ExampleRuns(Path runs) {
        this.runs = runs;
    }

    /** Begins a run in a folder of its name, a minute after the one before. */
    RecordedRun begin(String name, Map<String, ?> settings, String... tags) throws Exception {
        clock.advance(Duration.ofMinutes(1));
        return RecordedRun.begin(
                KeptRuns.in(runs),
                Files.createDirectories(runs.resolve(name + "-folder")),
                "train",
                new RunLabel(Optional.of(name), List.of(tags), Optional.of("about " + name)),
                settings,
                clock,
                line -> {});
    }

    /** Trains a run to an accuracy in 75 seconds, for a price. */
    void train(String name, String network, double accuracy, Map<String, ?> settings, String... tags) throws Exception {
        RecordedRun run = begin(name, settings, tags);
        Object unused = run.follow(() -> {
            run.describe(network, "digits");
            run.measured(new Measure(MeasureKind.ACCURACY, accuracy, 640));
            run.result("{\"accuracy\": %s, \"seconds\": 70.5, \"cost\": 0.5}".formatted(accuracy), "EUR");
            clock.advance(Duration.ofSeconds(75));
            return name;
        });
    }
}
