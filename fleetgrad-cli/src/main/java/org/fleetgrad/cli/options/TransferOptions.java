package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.function.Consumer;
import org.fleetgrad.cli.settings.Mode;
import org.fleetgrad.cli.settings.TransferSettings;
import org.fleetgrad.protocol.encoding.Encodings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How gradients and parameters travel. */
final class TransferOptions {

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--encoding",
            defaultValue = "f32",
            description =
                    "What gradients travel as: f32, f16, bf16, i8, topk or topk:RATIO, 2bit or 2bit:THRESHOLD; what is"
                            + " left out of one goes with the next (default: ${DEFAULT-VALUE})")
    private String encoding = "f32";

    @Option(
            names = "--pull-encoding",
            paramLabel = "ENCODING",
            defaultValue = "f32",
            description = "What parameters travel as: f32, f16, bf16 or i8 (default: ${DEFAULT-VALUE})")
    private String pullEncoding = "f32";

    @Option(
            names = "--overlap",
            description =
                    "Compute the next batch while a gradient travels; each worker makes gradients one step staler, which wants a smaller learning rate")
    private boolean isOverlapping;

    /**
     * Returns how they travel.
     *
     * @param mode when gradients become a step
     */
    TransferSettings settings(Mode mode) {
        check("--encoding", encoding, Encodings::parse);
        check("--pull-encoding", pullEncoding, Encodings::parseOfParameters);
        require(
                command,
                !isOverlapping || mode != Mode.SYNC,
                "--overlap computes on a version that is not the newest, and --mode sync takes no other; write --mode"
                        + " async or ssp, or leave --overlap out");
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
