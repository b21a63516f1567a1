package org.fleetgrad.cli.options;

import org.fleetgrad.runs.settings.ScheduleSettings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads schedules as {@link ScheduleSettings} does. */
final class ScheduleConverter implements ITypeConverter<ScheduleSettings> {

    @Override
    public ScheduleSettings convert(String text) {
        try {
            return ScheduleSettings.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(invalid.getMessage());
        }
    }
}
