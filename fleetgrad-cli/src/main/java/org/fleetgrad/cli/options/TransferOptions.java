package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.runs.settings.TransferSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How gradients and parameters are encoded, and whether computing overlaps with their transfer. */
@HelpGroup(Topic.EXCHANGE)
final class TransferOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--encoding",
            defaultValue = "f32",
            description =
                    "Encoding of gradients: f32, f16, bf16, i8, topk or topk:RATIO, 2bit or 2bit:THRESHOLD, rows. What an"
                            + " encoding leaves out of a gradient is added to the next one; rows leaves nothing out: it"
                            + " sends only those rows of a matrix that are not zero (default: ${DEFAULT-VALUE})")
    private String encoding = "f32";

    @Option(
            names = "--pull-encoding",
            paramLabel = "ENCODING",
            defaultValue = "f32",
            description = "Encoding of parameters: f32, f16, bf16 or i8 (default: ${DEFAULT-VALUE})")
    private String pullEncoding = "f32";

    @Option(
            names = "--overlap",
            description =
                    "Compute the next batch while a gradient is in flight. With N workers, gradients become about N"
                            + " steps staler, so use a smaller learning rate")
    private boolean isOverlapping;

    /**
     * Returns the settings of the transfer.
     *
     * @param mode  when gradients become a step
     * @param local the local steps of the workers
     */
    TransferSettings settings(TrainingMode mode, Optional<LocalSteps> local) {
        check("--encoding", encoding, Encodings::parse);
        check("--pull-encoding", pullEncoding, Encodings::parseOfParameters);
        require(
                command,
                !isOverlapping || !mode.isSynchronous(),
                "--overlap computes on a version that is not the newest, and --mode sync takes no other; pass --mode"
                        + " async or ssp, or leave --overlap out");
        require(
                command,
                !isOverlapping || local.isEmpty(),
                "--overlap computes while a gradient is in flight, and --local-steps pushes so rarely that there is little to gain; leave one of them out");
        return new TransferSettings(encoding, pullEncoding, isOverlapping);
    }

    private void check(String option, String text, Consumer<String> parse) {
        try {
            parse.accept(text);
        } catch (IllegalArgumentException unknown) {
            require(command, false, option + ": " + unknown.getMessage());
        }
    }
}
