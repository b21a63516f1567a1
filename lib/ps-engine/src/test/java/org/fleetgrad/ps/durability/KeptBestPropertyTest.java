package org.fleetgrad.ps.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.evaluation.Evaluations.HeldOutResult;

/** Whatever happens in whatever order: the best version whose parameters came is there, complete, and is the one named best. */
class KeptBestPropertyTest {

    private static final int KEPT = 2;

    /** What happens next, with a score of few values, so that some are equal. */
    private record Step(Kind kind, int score) {}

    private enum Kind {
        EVALUATED,
        /** The evaluator dies before it sends the parameters. */
        EVALUATED_AND_LOST,
        CHECKPOINT,
        /** The server is killed, before, between and after its files. */
        RESTART,
        KILLED_IN_A_FILE,
        KILLED_BEFORE_THE_MANIFEST,
        ROLLBACK
    }

    @Provide
    Arbitrary<List<Step>> courses() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class), Arbitraries.integers().between(0, 5))
                .as(Step::new)
                .list()
                .ofMaxSize(30);
    }

    @Property(tries = 200)
    void shouldAlwaysHaveTheBestVersion(@ForAll("courses") List<Step> course, @ForAll boolean isOfText)
            throws IOException {
        Path folder = Files.createTempDirectory("kept-best");
        CheckpointLocation location = CheckpointLocation.inFolder(folder);
        KeptBest kept = open(location);
        Optional<HeldOutResult> expected = Optional.empty();
        long version = 0;
        String generation = "g0";
        try (Checkpoints checkpoints = Checkpoints.open(location)) {
            for (Step step : course) {
                version++;
                switch (step.kind()) {
                    case EVALUATED, EVALUATED_AND_LOST -> {
                        HeldOutResult evaluation =
                                evaluation(new ParameterVersion(generation, version), step.score(), isOfText);
                        boolean isBest = expected.filter(best -> best.score().isBetterThan(evaluation.score()))
                                .isEmpty();
                        assertThat(kept.wants(evaluation)).isEqualTo(isBest);
                        if (step.kind() == Kind.EVALUATED) {
                            assertThat(kept.keep(evaluation.version(), parameters(version)))
                                    .isEqualTo(isBest);
                            expected = isBest ? Optional.of(evaluation) : expected;
                        }
                    }
                    case CHECKPOINT -> {
                        checkpoints.write(
                                new ParameterVersion(generation, version),
                                Clock.systemUTC().instant(),
                                Map.of(),
                                List.of(CheckpointFile.of(CheckpointManifest.PARAMETERS, parameters(version))));
                        checkpoints.retain(KEPT);
                    }
                    case RESTART -> kept = open(location);
                    case KILLED_IN_A_FILE -> {
                        leave(folder, ".parameters.safetensors.part");
                        kept = open(location);
                    }
                    case KILLED_BEFORE_THE_MANIFEST -> {
                        leave(folder, CheckpointManifest.PARAMETERS);
                        kept = open(location);
                    }
                    case ROLLBACK -> generation = "g" + version;
                }
                requireBest(location, expected);
                assertThat(checkpoints.list()).hasSizeLessThanOrEqualTo(KEPT);
            }
        }
        kept.close();
    }

    /** A server with a pruned location names the same best after it was killed. */
    private static void requireBest(CheckpointLocation location, Optional<HeldOutResult> expected) throws IOException {
        try (BestVersion best = BestVersion.of(location)) {
            assertThat(best.newest().flatMap(BestVersion.Best::scored))
                    .isEqualTo(expected.map(held -> new HeldOutScore.ScoredVersion(held.version(), held.score())));
            if (expected.isPresent()) {
                assertThat(best.read().parameters().toFloats(Tensors.LAYOUT))
                        .containsOnly((float) expected.get().version().version());
            }
        }
    }

    private static void leave(Path folder, String file) throws IOException {
        Path best = folder.resolve("best");
        List<String> there = new ArrayList<>();
        if (Files.isDirectory(best)) {
            try (var names = Files.list(best)) {
                names.forEach(name -> there.add(name.getFileName().toString()));
            }
        }
        long next = 1
                + there.stream()
                        .filter(name -> name.startsWith("checkpoint-"))
                        .mapToLong(name -> Long.parseLong(name.substring("checkpoint-".length())))
                        .max()
                        .orElse(0);
        Path torn = Files.createDirectories(best.resolve("checkpoint-%06d".formatted(next)));
        Files.write(torn.resolve(file), new byte[] {1, 2, 3});
    }

    private static KeptBest open(CheckpointLocation location) {
        return new KeptBest(Optional.of(location), Clock.systemUTC(), evaluation -> Map.of("mode", "async"));
    }

    private static TensorSet parameters(long version) {
        float v = version;
        return TensorSet.ofFloats(Tensors.LAYOUT, new float[] {v, v, v, v, v, v}, Map.of());
    }

    private static HeldOutResult evaluation(ParameterVersion version, int score, boolean isOfText) {
        return new HeldOutResult(
                version,
                Optional.of(isOfText ? 0.5 : score / 7.0),
                Optional.empty(),
                isOfText ? Optional.of(score / 7.0) : Optional.empty(),
                isOfText ? Optional.of(new TextFigures(64, 2.5)) : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                100);
    }
}
