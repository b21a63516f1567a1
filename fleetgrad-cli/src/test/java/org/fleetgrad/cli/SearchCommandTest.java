package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is refused before a trial begins, and what is planned. */
class SearchCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    private int search(String... words) {
        CommandLine command = Fleetgrad.commandLine();
        command.setErr(new PrintWriter(err, true));
        command.setOut(new PrintWriter(new StringWriter(), true));
        List<String> all = new ArrayList<>(List.of("search"));
        all.addAll(List.of(words));
        return command.execute(all.toArray(String[]::new));
    }

    /** The programs of this build are not where this says: each trial fails when it is started, after it was planned. */
    private JsonNode plan(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--out", folder.resolve("rates").toString()));
        assertThat(search(all.toArray(String[]::new))).as("%s", err).isEqualTo(4);
        return JsonMapper.shared().readTree(Files.readString(folder.resolve("rates/search.json")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--data x|nothing varies: pass --vary OPTION=VALUES",
                "--vary learning-rat=0.1,0.2|--vary learning-rat: train has no option --learning-rat; did you mean --learning-rate?",
                "--vary zzzzzzzzzzzz=1,2|train has no option --zzzzzzzzzzzz; fleetgrad train --help lists them",
                "--vary out=a,b|--vary out: each trial has its own --out, which the search chooses",
                "--vary name=a,b|each trial has its own --name",
                "--vary resume=a,b|each trial has its own --resume",
                "--vary until=1,2|each trial has its own --until",
                "--vary momentum=0.8,0.9 --keep|--keep is no option of a search",
                "--vary momentum=0.8,0.9 --plan|--plan is no option of a search",
                "--vary momentum=0.8,1.5|trial 2, momentum 1.5: --momentum must be from 0 to below 1; it is 1.5",
                "--vary workers=2,x|trial 2, workers x: Invalid value for option '--workers': 'x' is not an int",
                "--vary momentum=0.8,0.9 --batch-sise 3|trial 1, momentum 0.8: Unknown options: '--batch-sise', '3'",
                "--vary momentum=0.8,0.9 --vary momentum=0.1,0.2|an option is varied twice",
                "--vary learning-rate=0.1..0.01|--vary: learning-rate: a range begins with its lower end",
                "--vary learning-rate=0..0.1:log|a range with :log begins above 0",
                "--vary learning-rate=0.1..NaN|is no range",
                "--vary learning-rate=NaN|trial 1, learning-rate NaN: --learning-rate must be above 0; it is NaN",
                "--vary learning-rate=0.01..0.1 --runs 1000000000|--runs must be from 1 to 10,000; it is 1,000,000,000",
                "--vary learning-rate=0.01..0.1 --runs 0|--runs must be from 1 to 10,000; it is 0",
                "--vary learning-rate=0.01..0.1 --method grid|--method grid needs the values of learning-rate one by one",
                "--vary momentum=0.7,0.8,0.9 --runs 2 --method grid|the grid has 3 combinations, and --runs is 2: pass --runs 3",
                "--vary momentum=0.8,0.9 --method halving|--method halving with --eta 3 needs 3 trials or more; these are 2",
                "--vary momentum=0.8,0.9 --method halving --eta 1|--eta must be from 2 to 100; it is 1",
                "--vary momentum=0.8,0.9 --eta 2|--eta is an option of --method halving; the method is grid",
                "--vary epochs=1..9 --method halving|--method halving shares out this budget itself",
                "--vary seed=1..9 --method halving --durability none|--method halving needs checkpoints",
                "--resume x --vary momentum=0.8,0.9|--resume goes on with the plan in the search's folder",
                "--resume x --epochs 4|--resume goes on with the options in the search's plan: leave out --epochs 4",
                "--vary momentum=0.8,0.9 --name a/b|a name of a run must not contain /"
            })
    void shouldRefuseWhatNoTrialCouldHave(String words, String message) {
        assertThat(search(words.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("fleetgrad search: ").contains(message);
    }

    @Test
    void shouldRefuseAFolderThatIsNoSearch() {
        assertThat(search("--resume", folder.toString())).isEqualTo(3);
        assertThat(err.toString()).contains("there is no search", "search.json is missing");
    }

    @Test
    void shouldPlanAGridOfAllCombinationsIfThereIsRoom() throws Exception {
        JsonNode plan = plan("--vary", "momentum=0.8,0.9", "--vary", "nesterov=true,false", "--max-steps", "70");

        assertThat(plan.path("method").asString()).isEqualTo("grid");
        assertThat(plan.path("trials").size()).isEqualTo(4);
        assertThat(plan.path("trials").get(3).path("values").toString()).isEqualTo("[\"0.9\",\"false\"]");
        assertThat(plan.path("trials").get(3).path("until").asString()).isEqualTo("70");
        assertThat(plan.path("train").toString()).isEqualTo("[\"--max-steps\",\"70\"]");
        assertThat(err.toString()).contains("no trial has ended, and 3 failed");
    }

    @Test
    void shouldDrawWhatIsARangeAndGoOnOnlyWithTheSameCommand() throws Exception {
        JsonNode plan = plan("--vary", "learning-rate=0.01..0.1:log", "--vary", "epochs=2,3", "--name", "rates");

        assertThat(plan.path("method").asString()).isEqualTo("random");
        assertThat(plan.path("trials").size()).isEqualTo(16);
        plan.path("trials")
                .forEach(trial -> assertThat(trial.path("until").asString())
                        .isEqualTo(trial.path("values").get(1).asString() + "e"));
        assertThat(plan("--vary", "learning-rate=0.01..0.1:log", "--vary", "epochs=2,3", "--name", "rates"))
                .isEqualTo(plan);

        assertThat(search(
                        "--vary",
                        "learning-rate=0.01..0.2:log",
                        "--out",
                        folder.resolve("rates").toString()))
                .isEqualTo(3);
        assertThat(err.toString())
                .contains("has another search, which varies [learning-rate=0.01..0.1:log, epochs=2,3]");
    }
}
