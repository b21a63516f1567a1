package org.fleetgrad.cli.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.fleetgrad.cli.options.DataOptions;
import org.fleetgrad.runs.settings.DataSettings;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of a command line that say which samples an export is compared on, as words for the program that compares.
 *
 * @param words without the command's other options
 */
record SampleWords(List<String> words) {

    static final String DATA = "--data";

    SampleWords {
        words = List.copyOf(words);
    }

    /**
     * Takes the options of a command.
     *
     * @throws CommandLine.ParameterException if they contradict each other
     */
    static SampleWords of(CommandSpec command, DataOptions options) {
        DataSettings unused = options.settings();
        Set<String> ofData = CommandSpec.forAnnotatedObject(options).options().stream()
                .map(OptionSpec::longestName)
                .collect(Collectors.toSet());
        List<String> words = new ArrayList<>();
        for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
            if (ofData.contains(option.longestName())) {
                words.addAll(words(option));
            }
        }
        return new SampleWords(words);
    }

    private static List<String> words(OptionSpec option) {
        boolean isFlag = ((ArgSpec) option).arity().max() == 0;
        return isFlag
                ? List.of(option.longestName())
                : option.originalStringValues().stream()
                        .map(value -> option.longestName() + "=" + value)
                        .toList();
    }

    /** Returns whether the user says anything of samples. */
    boolean hasAny() {
        return !words.isEmpty();
    }
}
