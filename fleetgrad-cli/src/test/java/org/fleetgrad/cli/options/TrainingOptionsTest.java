package org.fleetgrad.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.runs.settings.OptimizationSettings.OptimizerKind;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.settings.Staleness;
import org.fleetgrad.runs.settings.StartingPoint;
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

    /** Only stale gradients need a remedy; the user's options take precedence. */
    @ParameterizedTest
    @CsvSource({
        "--workers 2, LOOK_AHEAD, 2",
        "--workers 16, LOOK_AHEAD, 2",
        "--workers 4 --mode ssp, LOOK_AHEAD, 2",
        "--workers 1, NONE, 0",
        "--workers 4 --mode sync, NONE, 0",
        "--workers 4 --momentum 0, NONE, 2",
        "--workers 4 --nesterov, NONE, 2",
        "--workers 4 --optimizer adam, NONE, 2",
        "--workers 4 --staleness none, NONE, 2",
        "--workers 4 --staleness gap-aware --clip-norm 0, GAP_AWARE, 0",
        "--workers 4 --clip-norm 0.5, LOOK_AHEAD, 0.5",
        "--workers 1 --clip-norm 5, NONE, 5"
    })
    void shouldChooseTheRemedyForStaleGradients(String arguments, Staleness rule, double clipNorm) {
        RunSettings settings = settings(arguments);

        assertThat(settings.server().staleness()).isEqualTo(rule);
        assertThat(settings.optimization().clipNorm()).isEqualTo(clipNorm);
    }

    @ParameterizedTest
    @CsvSource({
        "--optimizer sgd, SGD, 0.01, 0.9, 0",
        "--optimizer SGD --momentum 0.5 --weight-decay 0.1, SGD, 0.01, 0.5, 0.1",
        "--optimizer adam, ADAM, 0.001, 0, 0",
        "--optimizer adamw, ADAMW, 0.001, 0, 0.01",
        "--optimizer adamw --learning-rate 0.5 --weight-decay 0, ADAMW, 0.5, 0, 0"
    })
    void shouldHaveDefaultsThatFitTheOptimizer(
            String arguments, OptimizerKind optimizer, double learningRate, double momentum, double weightDecay) {
        RunSettings settings = settings(arguments);

        assertThat(settings.optimization().optimizer()).isEqualTo(optimizer);
        assertThat(settings.optimization().learningRate()).isEqualTo(learningRate);
        assertThat(settings.optimization().momentum()).isEqualTo(momentum);
        assertThat(settings.optimization().weightDecay()).isEqualTo(weightDecay);
    }

    @Test
    void shouldReadEverySettingOfAStep() {
        RunSettings settings = settings("--nesterov --weight-decay 5e-4 --weight-decay-matrices-only"
                + " --learning-rate-schedule step:milestones=80,120,gamma=0.1 --warmup 0.5 --label-smoothing 0.1 --max-steps 7"
                + " --checkpoint-every 500");

        assertThat(settings.optimization().isNesterov()).isTrue();
        assertThat(settings.optimization().isMatricesOnly()).isTrue();
        assertThat(settings.optimization().schedule())
                .isEqualTo(ScheduleSpec.parse("step:milestones=80,120,gamma=0.1,warmup=0.5"));
        assertThat(settings.optimization().labelSmoothing()).isEqualTo(0.1);
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

    private static RunSettings settings(String arguments) {
        Train train = new Train();
        new CommandLine(train)
                .registerConverter(Duration.class, new DurationConverter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.split(" "));
        return train.options.settings();
    }
}
