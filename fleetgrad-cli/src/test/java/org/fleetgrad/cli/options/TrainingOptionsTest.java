package org.fleetgrad.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.datasets.imbalance.ClassWeighting;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.networks.Task;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.settings.ImbalanceSettings;
import org.fleetgrad.runs.settings.OptimizationSettings;
import org.fleetgrad.runs.settings.PatienceSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.StartingPoint;
import org.fleetgrad.runs.settings.Until;
import org.fleetgrad.tools.command.DurationConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class TrainingOptionsTest {

    @Command
    private static final class Train {
        @Mixin
        private final TrainingOptions options = new TrainingOptions();
    }

    /** Whoever says where runs pause wants to compare them there: only a target of the user's ends one before. */
    @Test
    void shouldHaveNoTargetOfTheDatasetWhereItPauses() {
        Task digits = new Task.ImageClassification(List.of(1, 28, 28), 10);

        assertThat(settings("--workers 1").targetFor(digits)).isInstanceOf(RunTarget.Accuracy.class);
        RunSettings pausing = settings("--until 1.5e");
        assertThat(pausing.until()).contains(Until.epochs(1.5));
        assertThat(pausing.targetFor(digits)).isInstanceOf(RunTarget.None.class);
        assertThat(settings("--until 500 --target-accuracy 0.9").targetFor(digits))
                .isEqualTo(new RunTarget.Accuracy(0.9));
    }

    /** What steps with the distance of local steps is the outer optimizer, which is DiLoCo's if the user says nothing and nothing is stale. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--local-steps 1 | sgd:momentum=0.9 | 0.01 |",
                "--local-steps 8 | sgd | 0.7 | 8 adamw 0.001",
                "--local-steps 8 --mode ssp | sgd | 0.7 | 8 adamw 0.001",
                "--local-steps 8 --workers 1 | sgd:momentum=0.9,nesterov=true | 0.7 | 8 adamw 0.001",
                "--local-steps 8 --mode sync | sgd:momentum=0.9,nesterov=true | 0.7 | 8 adamw 0.001",
                "--local-steps 8 --mode sync --momentum 0 | sgd | 0.7 | 8 adamw 0.001",
                "--local-steps 8 --momentum 0.5 | sgd:momentum=0.5 | 0.7 | 8 adamw 0.001",
                "--local-steps 8 --nesterov | sgd:momentum=0.9,nesterov=true | 0.7 | 8 adamw 0.001",
                "--local-steps 8 --optimizer adam | adam | 0.001 | 8 adamw 0.001",
                "--local-steps 8 --optimizer sgd:momentum=0.5 --learning-rate 1 | sgd:momentum=0.5 | 1 | 8 adamw 0.001",
                "--local-steps 32 --inner-optimizer sgd:momentum=0.9 | sgd | 0.7 | 32 sgd:momentum=0.9 0.01",
                "--local-steps 32 --inner-learning-rate 0.002 | sgd | 0.7 | 32 adamw 0.002"
            })
    void shouldChooseTheOptimizersOfLocalSteps(String arguments, String outer, double rate, String local) {
        OptimizationSettings asked = settings(arguments).optimization();

        assertThat(asked.optimizer()).hasToString(outer);
        assertThat(asked.learningRate()).isEqualTo(rate);
        assertThat(asked.local().map(steps -> "%d %s %s".formatted(steps.steps(), steps.inner(), steps.learningRate())))
                .isEqualTo(Optional.ofNullable(local));
    }

    /** Only stale gradients need a remedy; the user's options take precedence. */
    @ParameterizedTest
    @CsvSource({
        "--workers 2, look-ahead, 2",
        "--workers 16, look-ahead, 2",
        "--workers 4 --mode ssp, look-ahead, 2",
        "--workers 1, none, 0",
        "--workers 4 --mode sync, none, 0",
        "--workers 4 --mode async:gradients=2, none, 2",
        "--workers 4 --mode sync:samples=96, none, 0",
        "--workers 4 --momentum 0, none, 2",
        "--workers 4 --nesterov, none, 2",
        "--workers 4 --optimizer adam, none, 2",
        "--workers 4 --staleness none, none, 2",
        "--workers 4 --staleness gap-aware --clip-norm 0, gap-aware, 0",
        "--workers 4 --clip-norm 0.5, look-ahead, 0.5",
        "--workers 1 --clip-norm 5, none, 5"
    })
    void shouldChooseTheRemedyForStaleGradients(String arguments, String rule, double clipNorm) {
        RunSettings settings = settings(arguments);

        assertThat(settings.server().staleness()).hasToString(rule);
        assertThat(settings.optimization().clipNorm()).isEqualTo(clipNorm);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--optimizer sgd | 0.01 | sgd:momentum=0.9",
                "--optimizer SGD --momentum 0.5 --weight-decay 0.1 | 0.01 | sgd:momentum=0.5,weight-decay=0.1",
                "--optimizer adam | 0.001 | adam",
                "--optimizer adamw | 0.001 | adamw",
                "--optimizer adamw:beta2=0.98 --learning-rate 0.5 --weight-decay 0 | 0.5 | adamw:beta2=0.98,weight-decay=0"
            })
    void shouldHaveDefaultsThatFitTheOptimizer(String arguments, double learningRate, String optimizer) {
        RunSettings settings = settings(arguments);

        assertThat(settings.optimization().optimizer()).hasToString(optimizer);
        assertThat(settings.optimization().learningRate()).isEqualTo(learningRate);
    }

    @Test
    void shouldReadEverySettingOfAStep() {
        RunSettings settings = settings("--nesterov --weight-decay 5e-4 --weight-decay-matrices-only"
                + " --learning-rate-schedule step:milestones=80,120,gamma=0.1 --warmup 0.5 --label-smoothing 0.1 --max-steps 7"
                + " --class-weights balanced --sampling balanced --checkpoint-every 500");

        assertThat(settings.optimization().optimizer())
                .hasToString("sgd:momentum=0.9,nesterov=true,weight-decay=0.0005,matrices-only=true");
        assertThat(settings.optimization().schedule())
                .isEqualTo(ScheduleSpec.parse("step:milestones=80,120,gamma=0.1,warmup=0.5"));
        assertThat(settings.optimization().labelSmoothing()).isEqualTo(0.1);
        assertThat(settings.optimization().imbalance())
                .isEqualTo(new ImbalanceSettings(new ClassWeighting.Balanced(), Sampling.BALANCED));
        assertThat(settings.maxSteps()).hasValue(7);
        assertThat(settings.server().checkpoints().steps()).hasValue(500);
    }

    @Test
    void shouldTakeAWarmUpWithTheScheduleOrBesideIt() {
        assertThat(settings("--learning-rate-schedule cosine:warmup=2")
                        .optimization()
                        .schedule())
                .isEqualTo(settings("--learning-rate-schedule cosine --warmup 2")
                        .optimization()
                        .schedule());
        assertThatThrownBy(() -> settings("--learning-rate-schedule cosine:warmup=2 --warmup 1"))
                .hasMessage(
                        "--warmup is 1.0, and --learning-rate-schedule has a warm-up of its own: leave one of them out");
    }

    @Test
    void shouldDrawANewHeadOnlyForAFile(@TempDir Path folder) {
        Path file = folder.resolve("resnet18.safetensors");

        assertThat(settings("--from %s --new-head".formatted(file)).server().startingPoint())
                .isEqualTo(new StartingPoint.Model(file, true));
        assertThat(settings("--from " + file).server().startingPoint()).isEqualTo(new StartingPoint.Model(file, false));
        assertThat(settings("--resume " + folder).server().startingPoint())
                .isEqualTo(new StartingPoint.State(folder.toString()));
        for (String others : List.of("--new-head", "--new-head --resume " + folder)) {
            assertThatThrownBy(() -> settings(others))
                    .hasMessage("--new-head is an option of --from; fleetgrad model export makes the file of a run");
        }
        assertThatThrownBy(() -> settings("--from %s --resume %s".formatted(file, folder)))
                .hasMessage("--from begins a new run, --resume goes on from a run's state: pass one of them");
    }

    @Test
    void shouldBeginWithTheBestVersionOfARun(@TempDir Path run) throws IOException {
        CheckpointLocation location = CheckpointLocation.inFolder(Files.createDirectories(run.resolve("checkpoints")));
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("w", 1)));
        try (BestVersion best = BestVersion.of(location)) {
            best.replace(
                    new ScoredVersion(new ParameterVersion("g", 7), HeldOutScore.ofAccuracy(0.5)),
                    Instant.EPOCH,
                    Map.of(),
                    TensorSet.ofFloats(layout, new float[] {1}, Map.of()));
        }
        Path file = run.resolve("checkpoints/best/checkpoint-000001/parameters.safetensors");

        assertThat(settings("--from %s --best".formatted(run)).server().startingPoint())
                .isEqualTo(new StartingPoint.Model(file, false));
        assertThat(file).exists();
    }

    @Test
    void shouldHavePatienceOnlyIfItIsWanted() {
        assertThat(settings("--epochs 2").patience()).isEmpty();
        assertThat(settings("--patience 0.5").patience()).contains(new PatienceSettings(0.5, 0));
        assertThat(settings("--patience 3 --min-delta 0.01").patience()).contains(new PatienceSettings(3, 0.01));
    }

    private static RunSettings settings(String arguments) {
        Train train = new Train();
        new CommandLine(train)
                .registerConverter(Duration.class, new DurationConverter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.split(" "));
        return train.options.settings();
    }
}
