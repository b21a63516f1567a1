package org.fleetgrad.cli.options;

import org.fleetgrad.optim.ScheduleSpec;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads schedules as {@link ScheduleSpec} does. */
final class ScheduleConverter implements ITypeConverter<ScheduleSpec> {

    @Override
    public ScheduleSpec convert(String text) {
        try {
            return ScheduleSpec.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(invalid.getMessage());
        }
    }
}
