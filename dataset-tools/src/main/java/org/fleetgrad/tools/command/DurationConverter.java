package org.fleetgrad.tools.command;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as {@code 2d}, {@code 12h}, {@code 90m}, {@code 30s}, or ISO-8601's {@code PT12H}. */
final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        String iso = upper.startsWith("P") ? upper : upper.endsWith("D") ? "P" + upper : "PT" + upper;
        try {
            return Duration.parse(iso);
        } catch (DateTimeParseException invalid) {
            throw new TypeConversionException("'%s' is not a duration such as 2d, 12h, 90m or 30s".formatted(text));
        }
    }
}
