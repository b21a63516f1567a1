package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The command line of {@code fleetgrad pipeline}, and its recipes. */
class PipelineCommandTest {

    private static final Path ROOT = Path.of("..");
    private static final Path RECIPES = ROOT.resolve("recipes/pipeline");
    private static final List<Path> GPT2 = List.of(ROOT.resolve("recipes/gpt2"), ROOT.resolve("recipes/gpt2/tied"));

    @TempDir
    private Path folder;

    private record Outcome(int code, String err) {}

    private static Outcome execute(String... words) {
        StringWriter err = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of("pipeline"));
        arguments.addAll(List.of(words));
        CommandLine fleetgrad = Fleetgrad.commandLine().setErr(new PrintWriter(err));
        return new Outcome(fleetgrad.execute(arguments.toArray(String[]::new)), err.toString());
    }

    static List<Path> recipes() throws IOException {
        List<Path> all = new ArrayList<>(recipes(RECIPES));
        for (Path folder : GPT2) {
            all.addAll(recipes(folder));
        }
        return all;
    }

    private static List<Path> recipes(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Each is legal: it fails because of the missing run, and not because of a rule. */
    @ParameterizedTest
    @MethodSource("recipes")
    void shouldAcceptEachRecipe(Path recipe) throws IOException {
        boolean isPipeline = !String.valueOf(recipe.getFileName()).equals("ddp");
        String missing = folder.resolve("none").toString();

        Outcome outcome = execute("@" + recipe, "--data", folder.toString(), "--resume", missing);

        assertThat(outcome.err()).contains(isPipeline ? missing : "--pipeline-schedule ddp has none of");
        assertThat(outcome.code()).isEqualTo(isPipeline ? 3 : 2);
        assertThat(Files.readString(recipe))
                .contains("./fleetgrad pipeline @%s --data DIR".formatted(ROOT.relativize(recipe)));
    }

    /** Neither the dataset nor the blocks are looked at for that: there is no dataset. */
    @ParameterizedTest
    @CsvSource({"2,this network cannot be cut; train it with fleetgrad train", "1,there is no such folder"})
    void shouldRefuseStagesOfANetworkThatIsComputedWholeBeforeAllElse(String stages, String message) {
        String missing = folder.resolve("none").toString();

        Outcome outcome =
                execute("--network", "bert", "--stages", stages, "--data", missing, "--out", folder.toString());

        assertThat(outcome.err()).contains(message);
        assertThat(outcome.code()).isEqualTo(3);
    }

    /** Tied and untied recipes of a name differ in nothing else. */
    @Test
    void shouldHaveTheAncestorsConfigurationsOfGpt2TiedAndUntied() throws IOException {
        List<String> names =
                List.of("aggmsnag", "gpipe", "msnag", "seq", "stale", "ws", "ws_ga", "ws_msnag_ga", "ws_msnag_ga_jfl");
        for (Path folder : GPT2) {
            assertThat(recipes(folder))
                    .extracting(recipe -> String.valueOf(recipe.getFileName()))
                    .isEqualTo(names);
        }
        for (String name : names) {
            String tied = Files.readString(GPT2.get(1).resolve(name));
            assertThat(Files.readString(GPT2.get(0).resolve(name)))
                    .isEqualTo(tied.replace("with tied", "with untied")
                            .replace("/tied/", "/")
                            .replace("tied=yes", "tied=no"));
        }
    }

    @Test
    void shouldHaveEachOfTheAncestorsConfigurations() throws IOException {
        assertThat(recipes(RECIPES))
                .extracting(recipe -> String.valueOf(recipe.getFileName()))
                .contains(
                        "stale",
                        "stale_nr",
                        "ws",
                        "ws_nr",
                        "msnag",
                        "msnag_nr",
                        "ws_msnag",
                        "ws_msnag_nr",
                        "ws_msnag_ga",
                        "ws_msnag_ga_nr",
                        "aggmsnag",
                        "gpipe",
                        "sync_1f1b",
                        "pipedream",
                        "virtual",
                        "ddp",
                        "seq");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--stages 0|--stages must be from 1 to 64; it is 0",
                "--micro-batch 0|--micro-batch must be 1 or more; it is 0",
                "--flush -1|--flush must be 0 or more; it is -1",
                "--schedule-aware|add --predict msnag or aggmsnag",
                "--gap-aware=some|--gap-aware stands alone, or is --gap-aware=loss; it is 'some'",
                "--image x|--image is an option of --places docker; the places are processes",
                "--memory 16m|--memory must be 128m or more; it is 16m",
                "--resume a --out b|leave out --out, which is b",
                "--resume a --from b|leave out --from, which is b",
                "--pipeline-schedule ddp --from b|--from is for stages: with --pipeline-schedule ddp leave it out",
                "--device cuda:0|stages compute on the processor",
                "--step-every 0|--step-every must be 1 or more; it is 0"
            })
    void shouldRefuseWrongOptionsWithWhatToWrite(String words, String message) {
        Outcome outcome = execute(words.split(" ", -1));

        assertThat(outcome.err()).contains(message);
        assertThat(outcome.code()).isEqualTo(2);
    }

    /** The rules of the cures themselves are tested in their own module. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--pipeline-schedule gpipe --step-every 2|needs recomputation: add recompute",
                "--pipeline-schedule zigzag|there is no schedule 'zigzag'",
                "--predict msnag --weight-decay 0.1|msnag with SGD leaves out the weight decay",
                "--gap-aware --stash --step-every 2|write step-every=1",
                "--predict sometimes|there is no prediction 'sometimes': write msnag or aggmsnag"
            })
    void shouldRefuseAnIllegalCombinationWithItsRuleBeforeAnythingRuns(String words, String message) {
        List<String> all = new ArrayList<>(List.of(words.split(" ", -1)));
        all.addAll(List.of("--out", folder.resolve("run").toString()));

        Outcome outcome = execute(all.toArray(String[]::new));

        assertThat(outcome.err()).contains(message);
        assertThat(outcome.code()).isEqualTo(3);
        assertThat(folder.resolve("run")).doesNotExist();
    }
}
