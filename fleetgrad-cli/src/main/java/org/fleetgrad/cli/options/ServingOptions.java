package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.runs.settings.InvokerSettings;
import org.fleetgrad.runs.settings.ServingSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that say where a run serves predictions. */
@HelpGroup(Topic.SERVING)
public final class ServingOptions {

    private static final int MOST_REPLICAS = 64;
    private static final double LEAST_SHARE = 0.001;
    private static final int MOST_STEPS = 1_000_000;

    /** As {@code WORKER_SERVE_MODE} names them. */
    enum Mode {
        INTERLEAVED,
        THREAD,
        LIVE
    }

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--serve-on-workers",
            paramLabel = "MODE",
            description =
                    "Workers answer predictions with the weights that they train: interleaved, between two batches;"
                            + " thread, on a copy; live, on the trained tensors themselves, where a response may be torn. The"
                            + " addresses are printed; fleetgrad ensemble calls all of them")
    private @Nullable Mode mode;

    @Option(
            names = "--serve-every",
            paramLabel = "N",
            description = "With --serve-on-workers thread: steps after which the copy is renewed (default: 1)")
    private @Nullable Integer every;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of inference APIs that share one address; the kernel spreads the connections over them."
                            + " More than 1 needs Linux (default: ${DEFAULT-VALUE})")
    private int replicas = 1;

    @Option(
            names = "--evaluation-share",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description =
                    "Share of one processor that evaluations may take while workers train, from 0.001 to 1; near the target"
                            + " they may take a quarter (default: ${DEFAULT-VALUE})")
    private double evaluationShare = 0.05;

    @Option(
            names = "--learn-from-feedback",
            description =
                    "Train also on images that were answered and whose true label came by POST /feedback, up to a tenth of"
                            + " an epoch's samples: whoever may send feedback can mislead the model, and such images are stored"
                            + " in the run's folder (default: off)")
    private boolean isLearning;

    ServingSettings settings(InvokerSettings invoker) {
        require(
                command,
                mode == null || invoker instanceof InvokerSettings.Local,
                "--serve-on-workers is an option of --invoker local, whose workers run all the time; the invoker is "
                        + invoker.name());
        require(
                command,
                every == null || mode == Mode.THREAD,
                "--serve-every is an option of --serve-on-workers thread");
        int steps = every == null ? 1 : every;
        require(
                command,
                steps >= 1 && steps <= MOST_STEPS,
                "--serve-every must be from 1 to %d; it is %d".formatted(MOST_STEPS, steps));
        require(
                command,
                replicas >= 1 && replicas <= MOST_REPLICAS,
                "--replicas must be from 1 to %d; it is %d".formatted(MOST_REPLICAS, replicas));
        require(
                command,
                replicas == 1 || System.getProperty("os.name").equals("Linux"),
                "--replicas above 1 needs Linux, whose kernel spreads connections over programs on one port; start several"
                        + " with docker compose --scale instead");
        require(
                command,
                evaluationShare >= LEAST_SHARE && evaluationShare <= 1,
                "--evaluation-share must be from %s to 1; it is %s".formatted(LEAST_SHARE, evaluationShare));
        require(
                command,
                !isLearning || replicas == 1,
                "--learn-from-feedback needs the one inference API that gave the answers; --replicas is " + replicas);
        return new ServingSettings(
                replicas,
                Optional.ofNullable(mode).map(each -> each.name().toLowerCase(Locale.ROOT)),
                steps,
                evaluationShare,
                isLearning);
    }
}
