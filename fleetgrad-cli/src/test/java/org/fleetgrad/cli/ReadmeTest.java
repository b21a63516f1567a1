package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;

/** README's list of what is missing. */
class ReadmeTest {

    private static final Pattern SECTION = Pattern.compile("## What it does not do yet\n(.*?)\n## ", Pattern.DOTALL);
    /** The bold words of an item say what is missing; its text may name what exists. */
    private static final Pattern MISSING = Pattern.compile("(?m)^- \\*\\*([^*]+)\\.\\*\\* ");

    @Test
    void shouldCallNothingMissingThatIsACommand() throws Exception {
        String section = SECTION.matcher(Files.readString(RepositoryRoot.path().resolve("README.md")))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        List<String> missing = MISSING.matcher(section)
                .results()
                .map(match -> match.group(1).toLowerCase(Locale.ROOT))
                .toList();

        assertThat(missing).isNotEmpty().hasSize((int)
                section.lines().filter(line -> line.startsWith("- ")).count());
        // "Pipelines on a GPU" is a part of a command; "Pipeline training" would be the command.
        assertThat(Fleetgrad.commandLine().getSubcommands().keySet())
                .isNotEmpty()
                .allSatisfy(command -> assertThat(missing).noneMatch(item -> item.matches(command + "\\b.*")));
    }
}
