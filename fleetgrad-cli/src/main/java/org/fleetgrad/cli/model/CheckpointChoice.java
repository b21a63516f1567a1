package org.fleetgrad.cli.model;

import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The checkpoint that the user names.
 *
 * @param number its number; empty for the newest complete checkpoint
 */
record CheckpointChoice(OptionalLong number) {

    static final String LATEST = "latest";

    /** Reads the argument of a command line. */
    static final class Converter implements ITypeConverter<CheckpointChoice> {

        @Override
        public CheckpointChoice convert(String text) {
            if (text.equals(LATEST)) {
                return new CheckpointChoice(OptionalLong.empty());
            }
            if (!text.matches("[0-9]{1,12}") || Long.parseLong(text) == 0) {
                throw new TypeConversionException(
                        "a checkpoint is named by its number, such as 42, or '%s'; not '%s'".formatted(LATEST, text));
            }
            return new CheckpointChoice(OptionalLong.of(Long.parseLong(text)));
        }
    }
}
