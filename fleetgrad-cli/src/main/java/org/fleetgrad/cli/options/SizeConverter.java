package org.fleetgrad.cli.options;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes as {@code docker run -m} has them: {@code 256m}, {@code 1g}. */
final class SizeConverter implements ITypeConverter<Long> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kmg]?)b?");

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'%s' is no size; write one like 256m or 1g".formatted(text));
        }
        int shift = switch (text(matcher, 2)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        return Long.parseLong(text(matcher, 1)) << shift;
    }

    private static String text(Matcher matcher, int group) {
        return String.valueOf(matcher.group(group));
    }
}
