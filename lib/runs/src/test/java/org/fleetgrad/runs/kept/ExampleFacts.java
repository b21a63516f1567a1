package org.fleetgrad.runs.kept;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Facts of runs that are no more. */
final class ExampleFacts {

    static final Instant BEGAN = Instant.parse("2026-01-02T03:04:05Z");

    private ExampleFacts() {}

    static RunFacts of(String name) {
        return of(name, BEGAN, Optional.of(new Measure(MeasureKind.ACCURACY, 0.9375, 1200)));
    }

    static RunFacts of(String name, Instant began, Optional<Measure> best) {
        return new RunFacts(
                "train",
                new RunLabel(Optional.of(name), List.of("night", "two words"), Optional.of("the first of three")),
                began,
                RunProcess.current(),
                Map.of("learningRate", "0.01", "workers", "2"),
                "lenet5",
                "digits",
                best,
                Map.of("accuracy", 0.9375, "version", 1200L, "reachedTarget", true, "tensorsSha256", "ab"),
                Optional.of(new RunEnd(RunState.ENDED, began.plusSeconds(90), "")));
    }

    static Path write(Path folder, RunFacts facts) throws Exception {
        FactsFile.write(Files.createDirectories(folder), facts);
        return folder;
    }

    /** Returns the facts of a run that has not ended. */
    static RunFacts running(String name, RunProcess process) {
        RunFacts facts = of(name);
        return new RunFacts(
                facts.command(),
                facts.label(),
                facts.began(),
                process,
                facts.settings(),
                facts.network(),
                facts.dataset(),
                facts.best(),
                Map.of(),
                Optional.empty());
    }
}
