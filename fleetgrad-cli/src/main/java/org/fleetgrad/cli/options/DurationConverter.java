package org.fleetgrad.cli.options;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times as the services' settings have them: {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h}. */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String value) {
        Matcher matcher = TEXT.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException("'%s' is no time; write one like 500ms, 30s or 2m".formatted(value));
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }
}
