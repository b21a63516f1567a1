package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class GroupedHelpTest {

    private static List<String> help(String command) {
        return subcommand(command).getUsageMessage().lines().toList();
    }

    private static CommandLine subcommand(String command) {
        return Objects.requireNonNull(Fleetgrad.commandLine().getSubcommands().get(command));
    }

    @ParameterizedTest
    @ValueSource(strings = {"train", "pipeline"})
    void shouldListEachOptionOnceUnderAHeading(String command) {
        List<String> lines = help(command);
        int other = lines.indexOf("Other");

        assertThat(lines.get(0)).isEqualTo("Usage: fleetgrad " + command + " [OPTIONS]");
        assertThat(lines).containsSubsequence("Data", "Training", "Optimizer", "When it ends", "Output", "Other");
        List<String> all = new ArrayList<>();
        for (OptionSpec option : subcommand(command).getCommandSpec().options()) {
            all.add(option.longestName());
        }
        List<String> listed = lines.stream()
                .map(line -> line.replaceFirst("^ +(-., )?--(\\[no-\\])?([a-z0-9-]+)([ =\\[].*)?$", "--$3"))
                .toList();
        assertThat(listed).containsAll(all);
        assertThat(lines.subList(other + 1, other + 4))
                .satisfiesExactly(
                        line -> assertThat(line).contains("--help"),
                        line -> assertThat(line).contains("--version"),
                        line -> assertThat(line).isEmpty());
    }

    @Test
    void shouldKeepTheSynopsisOfACommandWithFewOptions() {
        assertThat(help("status").get(0)).startsWith("Usage: fleetgrad status [-hV] [");
        assertThat(help("status")).doesNotContain("Other");
    }
}
