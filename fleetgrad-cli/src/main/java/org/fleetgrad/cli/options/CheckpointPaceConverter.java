package org.fleetgrad.cli.options;

import org.fleetgrad.runs.settings.CheckpointPace;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts by {@link CheckpointPace}. */
final class CheckpointPaceConverter implements ITypeConverter<CheckpointPace> {

    @Override
    public CheckpointPace convert(String text) {
        try {
            return CheckpointPace.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(invalid.getMessage());
        }
    }
}
