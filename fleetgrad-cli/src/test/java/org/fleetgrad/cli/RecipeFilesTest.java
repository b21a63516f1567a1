package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The files in {@code recipes/}, as arguments of {@code fleetgrad train}. */
class RecipeFilesTest {

    private static final Path FOLDER = Path.of("..", "recipes");

    @TempDir
    private Path folder;

    static List<Path> recipes() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void shouldBeReadByTrainAndSayWhatToCall(Path recipe) throws IOException {
        ParseResult train = parse(recipe, "--data", "nowhere");

        assertThat(train.unmatched()).isEmpty();
        assertThat(Files.readString(recipe))
                .contains("./fleetgrad train @recipes/%s --data DIR".formatted(recipe.getFileName()));
        assertThat(train.<Integer>matchedOptionValue("--epochs", 0)).isGreaterThan(1);
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void shouldGiveWayToOptionsOnTheCommandLine(Path recipe) throws IOException {
        ParseResult train = parse(recipe, "--epochs", "77", "--warmup", "3");

        assertThat(train.<Integer>matchedOptionValue("--epochs", 0)).isEqualTo(77);
        assertThat(train.<Double>matchedOptionValue("--warmup", 0.0)).isEqualTo(3);
    }

    /** The complete command accepts each recipe: it fails because of the missing dataset, and not earlier. */
    @ParameterizedTest
    @MethodSource("recipes")
    void shouldHaveOptionsThatFitTogether(Path recipe) throws IOException {
        StringWriter err = new StringWriter();
        CommandLine fleetgrad = Fleetgrad.commandLine().setErr(new PrintWriter(err));

        int code = fleetgrad.execute(
                "train",
                "@" + recipe,
                "--data",
                "nowhere",
                "--resume",
                folder.resolve("none").toString());

        assertThat(err.toString()).contains("--resume").doesNotContain("WARN");
        assertThat(code).isEqualTo(3);
    }

    @Test
    void shouldReadCommentsAndSeveralWordsALine() throws IOException {
        Path recipe = Files.writeString(folder.resolve("mine"), "--epochs 3 --nesterov # all that I need\n");

        ParseResult train = parse(recipe);

        assertThat(train.<Integer>matchedOptionValue("--epochs", 0)).isEqualTo(3);
        assertThat(train.hasMatchedOption("--nesterov")).isTrue();
    }

    private ParseResult parse(Path recipe, String... after) {
        CommandLine fleetgrad = Fleetgrad.commandLine();
        List<String> arguments = Stream.concat(Stream.of("train", "@" + recipe), Stream.of(after))
                .toList();
        return fleetgrad.parseArgs(arguments.toArray(String[]::new)).subcommand();
    }
}
