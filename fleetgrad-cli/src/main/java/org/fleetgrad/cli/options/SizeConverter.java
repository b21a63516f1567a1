package org.fleetgrad.cli.options;

import org.fleetgrad.files.units.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes as {@link Sizes} does. */
final class SizeConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
        try {
            return Sizes.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(invalid.getMessage());
        }
    }
}
