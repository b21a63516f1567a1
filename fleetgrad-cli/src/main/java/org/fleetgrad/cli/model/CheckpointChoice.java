package org.fleetgrad.cli.model;

import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The checkpoint that the user names. */
final class CheckpointChoice {

    private static final String LATEST = "latest";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NUMBER",
            defaultValue = LATEST,
            converter = Converter.class,
            description = "Number of the checkpoint (default: ${DEFAULT-VALUE})")
    private OptionalLong number = OptionalLong.empty();

    @Option(
            names = "--best",
            description =
                    "Take the version with the best held-out score, in place of NUMBER. The server keeps it beside its"
                            + " checkpoints. It has parameters, and no state of the training")
    private boolean isBest;

    /** Returns its number; empty for the newest complete checkpoint. */
    OptionalLong number() {
        return number;
    }

    /** Returns whether the best version is meant, and not a checkpoint. */
    boolean isBest() {
        return isBest;
    }

    /** Rejects a command line that names two. */
    void requireOne(CommandSpec command) {
        if (isBest && number.isPresent()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--best and the checkpoint %d are two versions: pass one of them".formatted(number.getAsLong()));
        }
    }

    /** Reads the argument of a command line. */
    static final class Converter implements ITypeConverter<OptionalLong> {

        @Override
        public OptionalLong convert(String text) {
            if (text.equals(LATEST)) {
                return OptionalLong.empty();
            }
            if (!text.matches("[0-9]{1,12}") || Long.parseLong(text) == 0) {
                throw new TypeConversionException(
                        "a checkpoint is named by its number, such as 42, or '%s', and the best version by --best; not '%s'"
                                .formatted(LATEST, text));
            }
            return OptionalLong.of(Long.parseLong(text));
        }
    }
}
