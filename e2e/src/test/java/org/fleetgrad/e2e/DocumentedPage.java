package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.testing.RepositoryRoot;

/** The blocks of code of a page, which a test runs as they are. */
final class DocumentedPage {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Pattern BLOCK = Pattern.compile("```(\\w*)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final String COMMAND = "./fleetgrad ";

    private DocumentedPage() {}

    /** A block of code, of commands if it says no language. */
    record Block(String language, String text) {

        boolean isPython() {
            return language.equals("python");
        }

        List<String> lines() {
            return List.of(text.strip().split("\n", -1));
        }
    }

    static List<Block> blocks(String page) throws IOException {
        return BLOCK.matcher(Files.readString(RepositoryRoot.path().resolve(page)))
                .results()
                .map(block -> new Block(block.group(1), block.group(2)))
                .toList();
    }

    /** Runs a command as the page has it, in a folder. */
    static void fleetgrad(Path folder, String line) throws IOException, InterruptedException {
        assertThat(line).startsWith(COMMAND).doesNotContain("\n");
        List<String> arguments = new ArrayList<>();
        Matcher word = WORD.matcher(line.substring(COMMAND.length()));
        while (word.find()) {
            arguments.add(word.group(1) != null ? word.group(1) : word.group(2));
        }
        try (FleetgradProcess command = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(command.await(TIMEOUT))
                    .as("%s: %s", line, command.stderr())
                    .isZero();
        }
    }
}
