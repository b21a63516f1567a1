package org.fleetgrad.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.reports.BestResult;
import org.fleetgrad.runs.watch.FinalEvaluation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last version is 500, with half of the samples right. */
class ChosenModelTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 2)));
    private static final FinalEvaluation.Outcome LAST =
            new FinalEvaluation.Outcome(new Pulled(version(500), parameters(500)), status(500, 0.5, 0.75));

    @TempDir
    private Path run;

    private final List<String> told = new ArrayList<>();

    @Test
    void shouldBeTheLastVersionIfNoneWasKept() throws Exception {
        ChosenModel chosen = choose(true, Optional.empty());

        assertThat(chosen.model()).isSameAs(LAST.model());
        assertThat(chosen.figures().accuracyTop5()).isEqualTo(0.75);
        assertThat(chosen.best()).isNull();
        assertThat(run).isEmptyDirectory();
    }

    @Test
    void shouldNameABetterVersionAndLeaveTheLast() throws Exception {
        keep(run.resolve("checkpoints"), 300, 0.667);

        ChosenModel chosen = choose(false, Optional.empty());

        assertThat(chosen.model()).isSameAs(LAST.model());
        assertThat(chosen.figures().accuracy()).isEqualTo(0.5);
        assertThat(chosen.best()).isEqualTo(new BestResult(300, "g", 0.667, null, false));
    }

    @Test
    void shouldBeTheBestVersionIfThePatienceEndedTheRun() throws Exception {
        keep(run.resolve("checkpoints"), 300, 0.667);

        ChosenModel chosen = choose(true, Optional.of(status(300, 0.667, 0.9)));

        assertThat(chosen.model().version()).isEqualTo(version(300));
        assertThat(chosen.model().parameters().toFloats(LAYOUT)).containsExactly(300, 300);
        assertThat(chosen.figures().accuracyTop5())
                .as("the figures of that version")
                .isEqualTo(0.9);
        assertThat(chosen.best()).isEqualTo(new BestResult(300, "g", 0.667, null, true));
    }

    @Test
    void shouldHaveTheKeptScoreIfTheRunMissedThatEvaluation() throws Exception {
        keep(run.resolve("checkpoints"), 300, 0.667);

        ChosenModel chosen = choose(true, Optional.of(status(310, 0.6, 0.9)));

        assertThat(chosen.figures().accuracy()).isEqualTo(0.667);
        assertThat(chosen.figures().accuracyTop5()).isNull();
    }

    @Test
    void shouldTakeTheLastVersionIfItIsTheBest() throws Exception {
        keep(run.resolve("checkpoints"), 500, 0.5);

        ChosenModel chosen = choose(true, Optional.empty());

        assertThat(chosen.model()).isSameAs(LAST.model());
        assertThat(chosen.best()).isEqualTo(new BestResult(500, "g", 0.5, null, true));
    }

    @Test
    void shouldFindTheBestOfSeveralServersAtTheLead() throws Exception {
        keep(Files.createDirectories(run.resolve("checkpoints/0")), 300, 0.667);

        assertThat(choose(true, Optional.empty()).model().version()).isEqualTo(version(300));
    }

    @Test
    void shouldTellWhyTheBestVersionCannotBeRead() throws Exception {
        keep(run.resolve("checkpoints"), 300, 0.667);
        Path file = run.resolve("checkpoints/best/checkpoint-000001/parameters.safetensors");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1]++;
        Files.write(file, bytes);

        ChosenModel chosen = choose(true, Optional.empty());

        assertThat(chosen.model()).isSameAs(LAST.model());
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("the best version of the run cannot be read: ")
                .contains("parameters.safetensors");
    }

    private ChosenModel choose(boolean isBestWanted, Optional<StatusReply> seen) throws InterruptedException {
        return ChosenModel.of(run, LAST, seen, isBestWanted, told::add);
    }

    private static void keep(Path checkpoints, long number, double accuracy) throws IOException {
        Files.createDirectories(checkpoints);
        try (BestVersion best = BestVersion.of(CheckpointLocation.inFolder(checkpoints))) {
            best.replace(
                    new ScoredVersion(version(number), HeldOutScore.ofAccuracy(accuracy)),
                    Instant.EPOCH,
                    Map.of(),
                    parameters((float) number));
        }
    }

    private static ParameterVersion version(long number) {
        return new ParameterVersion("g", number);
    }

    private static TensorSet parameters(float value) {
        return TensorSet.ofFloats(LAYOUT, new float[] {value, value}, Map.of());
    }

    private static StatusReply status(long version, @Nullable Double accuracy, @Nullable Double top5) {
        return new ExampleStatus("g", version, version * 10, version, accuracy, top5, null, null, null).reply();
    }
}
