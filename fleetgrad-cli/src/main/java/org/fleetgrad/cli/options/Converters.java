package org.fleetgrad.cli.options;

import java.util.function.Function;
import org.fleetgrad.files.units.Sizes;
import org.fleetgrad.optim.ScheduleSpec;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.runs.settings.CheckpointPace;
import org.fleetgrad.runs.settings.Until;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of options: what the parser of a value refuses is a wrong command line. */
final class Converters {

    private Converters() {}

    private abstract static class Parsing<T> implements ITypeConverter<T> {

        private final Function<String, T> parser;

        Parsing(Function<String, T> parser) {
            this.parser = parser;
        }

        @Override
        public T convert(String text) {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException invalid) {
                throw new TypeConversionException(invalid.getMessage());
            }
        }
    }

    static final class OfSize extends Parsing<Long> {
        OfSize() {
            super(Sizes::parse);
        }
    }

    static final class OfPace extends Parsing<CheckpointPace> {
        OfPace() {
            super(CheckpointPace::parse);
        }
    }

    static final class OfUntil extends Parsing<Until> {
        OfUntil() {
            super(Until::parse);
        }
    }

    static final class OfSchedule extends Parsing<ScheduleSpec> {
        OfSchedule() {
            super(ScheduleSpec::parse);
        }
    }

    static final class OfStaleness extends Parsing<StalenessRule> {
        OfStaleness() {
            super(StalenessRule::parse);
        }
    }
}
